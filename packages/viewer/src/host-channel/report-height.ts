import type { PortalMessage } from '@portal-embed/contract/frame';

/**
 * Sends the height of `content` to the host whenever it changes. `content` must be in the normal flow
 * and must not be sized by the viewport, or the frame grows forever.
 *
 * @returns a function that stops sending
 */
export function reportHeight(content: Element, post: (message: PortalMessage) => void): () => void {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    post({ type: 'resized', height });
  });
  observer.observe(content);
  return () => observer.disconnect();
}
