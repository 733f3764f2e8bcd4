import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const host = 'http://acme.localhost:3000';
const connect = { portalEmbed: 1, type: 'connect', theme: 'dark' };
const parent = { postMessage: vi.fn<(message: unknown, target: string) => void>() };
const { parent: self } = window;
let listened: EventListener[] = [];

/** Runs the script inline with data attributes, as the portal's pages do. */
async function boot(attributes: Record<string, string> = {}) {
  const script = document.createElement('script');
  Object.assign(script.dataset, { embedOrigins: JSON.stringify([host]), ...attributes });
  Object.defineProperty(document, 'currentScript', { value: script, configurable: true });
  await import('./boot.ts');
}

const setParent = (value: unknown) =>
  Object.defineProperty(window, 'parent', { value, configurable: true });

/** jsdom sets neither ports nor sources, so build the event by hand. */
function send(parts: Partial<Record<'source' | 'origin' | 'data' | 'ports', unknown>> = {}) {
  const port = {
    postMessage: vi.fn<(message: unknown) => void>(),
    addEventListener: vi.fn<() => void>(),
    start: vi.fn<() => void>(),
  };
  const event = new Event('message');
  Object.assign(event, { source: parent, origin: host, data: connect, ports: [port], ...parts });
  window.dispatchEvent(event);
  return port;
}

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, Promise.resolve('pending')])) === 'pending';

beforeEach(() => {
  vi.resetModules();
  setParent(parent);
  const listen = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: unknown) => {
    listened.push(listener as EventListener);
    listen(type, listener as EventListener);
  });
});

afterEach(() => {
  for (const listener of listened) window.removeEventListener('message', listener);
  listened = [];
  vi.restoreAllMocks();
  parent.postMessage.mockClear();
  delete window.portalFrame;
  delete document.documentElement.dataset['theme'];
  delete document.documentElement.dataset['framed'];
});

describe('the boot script', () => {
  it('sends the parent a single boot message', async () => {
    await boot();
    expect(parent.postMessage.mock.calls).toEqual([
      [{ portalEmbed: 1, type: 'boot', accepts: [] }, '*'],
    ]);
  });

  it('says in a page that can show reports that it accepts open', async () => {
    await boot({ accepts: 'open' });
    expect(parent.postMessage.mock.calls[0]![0]).toMatchObject({ accepts: ['open'] });
  });

  it('does nothing in a page outside a frame', async () => {
    setParent(self);
    await boot({ sessionRequired: 'used' });
    expect(window.portalFrame).toBeUndefined();
    expect(listened).toEqual([]);
  });

  it('keeps the port and message of the first connect, and applies its theme', async () => {
    await boot();
    const port = send();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    send({ data: { ...connect, theme: 'light' } });
    expect(await window.portalFrame?.connected).toEqual({ port, connect });
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(port.postMessage).not.toHaveBeenCalled();
  });

  it.each([
    ['another window', { source: {} }],
    ['an unlisted origin', { origin: 'http://evil.localhost:3000' }],
    ['a longer origin that starts with a listed one', { origin: `${host}0` }],
    ['a listed host with another scheme', { origin: 'https://acme.localhost:3000' }],
    ['the opaque origin', { origin: 'null' }],
  ])('ignores a connect message from %s', async (_name, parts) => {
    await boot({ sessionRequired: 'used' });
    const port = send(parts);
    expect(await isPending(window.portalFrame!.connected)).toBe(true);
    const trusted = send();
    await vi.waitFor(() => expect(trusted.postMessage).toHaveBeenCalledOnce());
    expect(port.postMessage).not.toHaveBeenCalled();
  });

  it.each([
    ['portalEmbed', { data: { type: 'connect' } }],
    ['data', { data: null }],
    ['a port', { ports: [] }],
  ])('keeps waiting after a message without %s', async (_name, parts) => {
    await boot();
    send(parts);
    expect(await isPending(window.portalFrame!.connected)).toBe(true);
    send();
    expect(await isPending(window.portalFrame!.connected)).toBe(false);
  });

  it('a connect without a theme has the theme auto', async () => {
    await boot();
    send({ data: { portalEmbed: 1, type: 'connect' } });
    expect(document.documentElement.dataset['theme']).toBe('auto');
  });

  it('sends the session-required message of its page to the host', async () => {
    await boot({ sessionRequired: 'used' });
    const message = { type: 'session-required', reason: 'used' };
    const { postMessage } = send();
    await vi.waitFor(() => expect(postMessage.mock.calls).toEqual([[message]]));
  });

  it('sends session-required to any host if embedOrigins is *', async () => {
    await boot({ sessionRequired: 'unknown', embedOrigins: '["*"]' });
    const { postMessage } = send({ origin: 'https://any.example' });
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalledOnce());
  });

  it('sends leaving only if the document does not enter the back/forward cache', async () => {
    await boot();
    const { postMessage } = send();
    const hide = (persisted: boolean) =>
      window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted }));
    hide(true);
    hide(false);
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalled());
    expect(postMessage.mock.calls).toEqual([[{ type: 'leaving' }]]);
  });
});
