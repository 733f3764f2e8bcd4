import type {
  BootMessage,
  ConnectMessage,
  PortalMessage,
  SessionRequiredReason,
} from '@portal-embed/contract/frame';

/**
 * First script of every document, inlined by the service. Sends `boot` to the host frame and keeps
 * the port of its `connect`. Imports types only.
 */
const { embedOrigins, sessionRequired } = document.currentScript!.dataset;

if (window.parent !== window) {
  const trusted = JSON.parse(embedOrigins!) as string[];
  const connected = new Promise<{ port: MessagePort; connect: ConnectMessage }>((resolve) => {
    const receive = ({ source, origin, data, ports: [port] }: MessageEvent) => {
      if (source !== window.parent) return;
      // Pages without data list `*`.
      if (!trusted.includes(origin) && !trusted.includes('*')) return;
      if (data?.portalEmbed !== 1 || data.type !== 'connect' || !port) return;
      window.removeEventListener('message', receive);
      const connect = data as ConnectMessage;
      document.documentElement.dataset['theme'] = connect.theme ?? 'auto';
      if (sessionRequired)
        port.postMessage({
          type: 'session-required',
          reason: sessionRequired as SessionRequiredReason,
        } satisfies PortalMessage);
      resolve({ port, connect });
    };
    window.addEventListener('message', receive);
  });
  window.portalFrame = { connected };
  // Contains no data, so it can go to any parent.
  window.parent.postMessage({ portalEmbed: 1, type: 'boot' } satisfies BootMessage, '*');
}
