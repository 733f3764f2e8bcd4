import { PortalEmbed } from '@portal-embed/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const place = document.querySelector('#root');

const now = () => performance.timeOrigin + performance.now();
// The report is drawn in a hidden frame, so the time ends when the frame is shown.
const noteReveal = () =>
  requestAnimationFrame(() =>
    setTimeout(() => {
      window.revealedAt = now();
    }),
  );

window.mountEmbed = (props) => {
  const root = createRoot(place);
  window.revealedAt = undefined;
  const startedAt = now();
  root.render(
    createElement(PortalEmbed, { ...props, style: { height: 700 }, onReady: noteReveal }),
  );
  window.unmount = () => root.unmount();
  return startedAt;
};

window.mint = async (request) => {
  const response = await fetch('/portal-embed/url', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const { embedUrl, detail } = await response.json();
  if (!response.ok) throw new Error(detail);
  return embedUrl;
};

/** `answers`: to the portal's page at once, which else waits a moment for a host that may speak. */
window.mountPlainFrame = (src, answers) => {
  const frame = Object.assign(document.createElement('iframe'), { src });
  frame.style.cssText = 'width: 100%; height: 700px; border: 0';
  const connect = ({ source, origin }) => {
    if (source !== frame.contentWindow) return;
    source.postMessage({ portalEmbed: 1, type: 'connect' }, origin, [new MessageChannel().port2]);
  };
  if (answers) window.addEventListener('message', connect);
  // Visible from the start.
  const startedAt = (window.revealedAt = now());
  place.append(frame);
  window.unmount = () => {
    window.removeEventListener('message', connect);
    frame.remove();
  };
  return startedAt;
};
