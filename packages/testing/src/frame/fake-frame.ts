import type { HostRequest } from '@portal-embed/contract';
import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { SessionRequiredReason } from '@portal-embed/contract/frame';

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

/** The windows in which a fake page already listens. */
const attached = new WeakSet<object>();

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
    const view = iframe.contentWindow;
    if (!view || attached.has(view.document)) return;
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
    host.dispatchEvent(
      new host.MessageEvent('message', {
        data: { portalEmbed: 1, type: 'boot', accepts: ['open'] },
        origin: address.origin,
        source: view,
      }),
    );
  };

  // The component appends the frame in the same task.
  queueMicrotask(boot);
  // Firefox replaces the first empty document.
  iframe.addEventListener('load', boot);
  return page;
}
