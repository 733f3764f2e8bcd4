import { PortalEmbed } from '@portal-embed/react';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

export function mount(container, { portal, fetchToken }) {
  const root = createRoot(container);
  const fetchIdentityUrl = async () => ({
    embedUrl: `${portal}/identity?token=${await fetchToken()}`,
  });
  root.render(createElement(StrictMode, null, createElement(PortalEmbed, { fetchIdentityUrl })));
  return () => root.unmount();
}
