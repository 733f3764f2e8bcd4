/**
 * The host's style sheet may have rules for all frames, even with `!important`. `pointer-events` is not
 * set, because the host may disable them while the reader drags something across the frame.
 */
const style = `
  display: block;
  visibility: inherit;
  position: absolute;
  inset: 0;
  float: none;
  width: 100%;
  height: 100%;
  min-width: 0;
  min-height: 0;
  max-width: none;
  max-height: none;
  margin: 0;
  padding: 0;
  border: 0;
  transform: none;
  clip-path: none;
  transition: none;
`.replaceAll(';', ' !important;');

/** Creates the frame of a page of the portal. Append it to load the page. */
export function createIframe(document: Document, src: URL): HTMLIFrameElement {
  return Object.assign(document.createElement('iframe'), {
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-downloads allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox',
    style,
    src: src.href,
  });
}
