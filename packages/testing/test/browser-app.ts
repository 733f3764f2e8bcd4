import { definePortalEmbed } from '@portal-embed/react/element';

import { fakeEmbeds } from '../src/frame/index.ts';

declare global {
  interface Window {
    fakeEmbeds: typeof fakeEmbeds;
  }
}

window.fakeEmbeds = fakeEmbeds;
definePortalEmbed();
