import { PortalEmbed } from '@portal-embed/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const place = document.querySelector('#root');

window.mountEmbed = (props) => {
  const root = createRoot(place);
  const startedAt = performance.timeOrigin + performance.now();
  root.render(createElement(PortalEmbed, { ...props, style: { height: 700 } }));
  window.unmount = () => root.unmount();
  return startedAt;
};

window.mint = async (request) => {
  const response = await fetch('/portal-embed/url', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const { embedUrl } = await response.json();
  return embedUrl;
};

window.mountPlainFrame = (src) => {
  const frame = Object.assign(document.createElement('iframe'), { src });
  frame.style.cssText = 'width: 100%; height: 700px; border: 0';
  const startedAt = performance.timeOrigin + performance.now();
  place.append(frame);
  window.unmount = () => frame.remove();
  return startedAt;
};
