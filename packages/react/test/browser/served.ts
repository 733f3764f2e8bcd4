import { createElement } from 'react';

import { PortalEmbed } from '../../src/index.ts';

/** The element that the server renders and the browser hydrates. */
export const served = createElement(PortalEmbed, {
  title: 'Sales',
  style: { height: '40rem' },
});
