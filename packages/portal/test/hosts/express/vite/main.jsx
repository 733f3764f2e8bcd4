import { PortalEmbed } from '@portal-embed/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const reportId = new URLSearchParams(location.search).get('report');

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <PortalEmbed reportId={reportId} title="Sales" />
  </StrictMode>,
);
