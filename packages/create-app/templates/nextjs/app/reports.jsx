'use client';

import { PortalEmbed } from '@portal-embed/react';

const logFailure = ({ cause, message }) =>
  console.error(`The reports are not shown: ${cause}.`, message);

export const Reports = () => (
  <PortalEmbed title="Reports" style={{ height: '40rem' }} onError={logFailure} />
);
