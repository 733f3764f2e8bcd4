import type { PortalMessage } from '@portal-embed/contract/frame';

/**
 * Tells the host the height of the content whenever it changes. `content` must be in the normal
 * flow and sized by what it holds, never by the viewport: else the frame grows for ever.
 */
export function reportHeight(content: Element, post: (message: PortalMessage) => void) {
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
