import type { Problem } from '@portal-embed/contract';
import type {
  BootMessage,
  ConnectMessage,
  PortalMessage,
  SessionRequiredReason,
} from '@portal-embed/contract/frame';

import type { Delivery } from '../host-channel/portal-frame.ts';
import type { RedeemRequest, ViewerSession } from '../requests/viewer.ts';

/**
 * First script of every document, inlined by the service. Sends `boot` to the host frame, keeps the
 * port of its `connect`, and redeems the URL of an `open` while the page's scripts load. Imports types
 * only.
 */
const { embedOrigins, sessionRequired, accepts } = document.currentScript!.dataset;

// The viewer's scripts would delay the numbers that the service has drawn.
document.addEventListener('DOMContentLoaded', () => {
  const late = document.querySelector<HTMLTemplateElement>('#late-scripts');
  if (!late) return;
  const load = () => document.head.append(document.importNode(late.content, true));
  // A hidden page is not painted.
  if (document.hidden) load();
  else requestAnimationFrame(() => setTimeout(load));
});

interface OpenMessage {
  url: string;
  id: number;
  view?: string;
}

if (window.parent !== window) {
  document.documentElement.dataset['framed'] = '';
  const trusted = JSON.parse(embedOrigins!) as string[];
  const deliveries: Delivery[] = [];
  let deliver: (delivery: Delivery) => void = (delivery) => deliveries.push(delivery);
  let latestId: number | undefined;

  const connected = new Promise<{ port: MessagePort; connect: ConnectMessage }>((resolve) => {
    const receive = ({ source, origin, data, ports: [port] }: MessageEvent) => {
      if (source !== window.parent) return;
      // Pages without data list `*`.
      if (!trusted.includes(origin) && !trusted.includes('*')) return;
      if (data?.portalEmbed !== 1 || data.type !== 'connect' || !port) return;
      window.removeEventListener('message', receive);
      const connect = data as ConnectMessage;
      const { theme } = connect;
      document.documentElement.dataset['theme'] =
        (typeof theme === 'object' ? theme.mode : theme) ?? 'auto';
      port.addEventListener('message', ({ data: message }) => {
        if (message?.type !== 'open') deliver({ type: 'message', message });
        else if (accepts) void open(message as OpenMessage, origin);
      });
      port.start();
      resolve({ port, connect });
    };
    window.addEventListener('message', receive);
  });

  const post = async (message: PortalMessage) => {
    const { port } = await connected;
    port.postMessage(message);
  };

  /** Redeems a URL of this address. The latest `open` wins. */
  const open = async ({ url, id, view }: OpenMessage, embedOrigin: string) => {
    if (!URL.canParse(url) || new URL(url).origin !== location.origin) return;
    latestId = id;
    const token = new URL(url).searchParams.get('token') ?? '';
    const response = await fetch('/identity', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, embedOrigin } satisfies RedeemRequest),
    }).catch(() => null);
    const body: unknown = await response?.json().catch(() => null);
    if (id !== latestId) return;
    if (response?.ok && body)
      deliver({ type: 'session', id, session: body as ViewerSession, view });
    else if (response?.status === 403)
      void post({ type: 'failed', id, cause: 'blocked_by_portal' });
    else {
      const spent = response?.status === 410 ? (body as Problem | null) : null;
      const reason = (spent?.reason ?? 'unknown') as SessionRequiredReason;
      void post({ type: 'session-required', id, reason });
    }
  };

  window.portalFrame = {
    connected,
    listen(receive) {
      deliver = receive;
      deliveries.splice(0).forEach(receive);
    },
  };
  window.addEventListener('pagehide', ({ persisted }) => {
    // Firefox drops a page from its back/forward cache when a message arrives for it.
    if (!persisted) void post({ type: 'leaving' });
  });
  // A page of one version may be served by an instance of another, which lacks its scripts.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)
        void post({ type: 'session-required', reason: 'incomplete' });
    },
    true,
  );
  if (sessionRequired)
    void post({ type: 'session-required', reason: sessionRequired as SessionRequiredReason });
  // Contains no data, so it can go to any parent.
  const boot: BootMessage = { portalEmbed: 1, type: 'boot', accepts: accepts ? [accepts] : [] };
  window.parent.postMessage(boot, '*');
}
