import type { PortalMessage } from '@portal-embed/contract/frame';

/**
 * Sends the height of `content` to the host whenever it changes, until `signal` aborts. `content`
 * must be in the normal flow and must not be sized by the viewport, or the frame grows forever.
 */
export function reportHeight(
  content: Element,
  post: (message: PortalMessage) => void,
  signal: AbortSignal,
) {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    post({ type: 'resized', height });
  });
  observer.observe(content);
  signal.addEventListener('abort', () => observer.disconnect());
}
