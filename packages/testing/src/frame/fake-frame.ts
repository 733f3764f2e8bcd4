import type { HostRequest } from '@portal-embed/contract';
import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { BootMessage, SessionRequiredReason } from '@portal-embed/contract/frame';

import { FakePage } from '../page/fake-page.ts';
import type { MintedUrl } from '../page/identity-urls.ts';
import type { PageScenario } from '../page/scenario.ts';

/** A page of the fake portal in a frame of the document. */
export interface EmbeddedPage extends FakePage<HostRequest> {
  iframe: HTMLIFrameElement;
}

interface FrameHandlers {
  redeem: (url: string) => MintedUrl<HostRequest> | SessionRequiredReason;
  scenario: () => PageScenario;
  onOpened: () => void;
}

/** The documents of frames in which a fake page already listens. */
const attached = new WeakSet<object>();

/** Returns the window of a frame. jsdom loads none in a shadow tree, so it gets a stand-in. */
function findWindow(iframe: HTMLIFrameElement): Window {
  if (!iframe.contentWindow)
    Object.defineProperty(iframe, 'contentWindow', { value: { document: {} }, configurable: true });
  return iframe.contentWindow!;
}

/**
 * Plays the portal's page in an empty frame. The component checks the source and the origin of window
 * messages, so these look like messages of a page of the portal.
 */
export function playPage(
  iframe: HTMLIFrameElement,
  address: URL,
  handlers: FrameHandlers,
): EmbeddedPage {
  let port: MessagePort | undefined;
  const page: EmbeddedPage = Object.assign(
    new FakePage<HostRequest>(address.href, {
      redeem: handlers.redeem,
      scenario: handlers.scenario,
      send: (message) => port?.postMessage(message),
    }),
    { iframe },
  );

  const receive = (message: unknown) => {
    if (!isConnect(message) && !isHostMessage(message)) return;
    page.receive(message);
    show();
    if (page.isOpened) handlers.onOpened();
  };

  const show = () => {
    const { contentDocument } = iframe;
    contentDocument?.body?.replaceChildren(
      ...page.lines.map((line) =>
        Object.assign(contentDocument.createElement('p'), { textContent: line }),
      ),
    );
  };

  const boot = () => {
    if (!iframe.isConnected) return;
    const view = findWindow(iframe);
    if (attached.has(view.document)) return;
    attached.add(view.document);
    // The real method drops messages for the portal's origin, because the frame is empty.
    view.postMessage = ((message: unknown, _target: string, [transferred]: MessagePort[] = []) => {
      if (transferred) {
        port = transferred;
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- `onmessage` starts the port
        port.onmessage = ({ data }) => receive(data);
      }
      receive(message);
    }) as typeof view.postMessage;
    show();
    const host = iframe.ownerDocument.defaultView!;
    const data = { portalEmbed: 1, type: 'boot', accepts: ['open'] } satisfies BootMessage;
    const event = new host.MessageEvent('message', { data, origin: address.origin });
    // Not an option of the event, because the stand-in is no window.
    Object.defineProperty(event, 'source', { value: view });
    host.dispatchEvent(event);
  };

  // The component appends the frame in the same task, and listens when it has done so.
  const bootLater = () => queueMicrotask(boot);
  bootLater();
  // Firefox replaces the first empty document.
  iframe.addEventListener('load', bootLater);
  return page;
}
