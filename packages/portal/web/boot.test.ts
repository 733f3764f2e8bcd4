import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const host = 'http://acme.localhost:3000';
const connect = { portalEmbed: 1, type: 'connect', theme: 'dark' };
const parent = { postMessage: vi.fn<(message: unknown, target: string) => void>() };
const { parent: self } = window;
let listened: EventListener[] = [];

/** Runs the script as the service's documents do: inline, with its data in attributes. */
async function boot(attributes: Record<string, string> = {}) {
  const script = document.createElement('script');
  Object.assign(script.dataset, { embedOrigins: JSON.stringify([host]), ...attributes });
  Object.defineProperty(document, 'currentScript', { value: script, configurable: true });
  await import('./boot.ts');
}

const setParent = (value: unknown) =>
  Object.defineProperty(window, 'parent', { value, configurable: true });

/** jsdom hands over neither ports nor sources, so the event is made by hand. */
function send(parts: Partial<Record<'source' | 'origin' | 'data' | 'ports', unknown>> = {}) {
  const port = { postMessage: vi.fn<(message: unknown) => void>() };
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
});

describe('the boot script', () => {
  it('tells the parent that a page of the portal is here, and nothing else', async () => {
    await boot();
    expect(parent.postMessage.mock.calls).toEqual([[{ portalEmbed: 1, type: 'boot' }, '*']]);
  });

  it('does nothing in a page that is not framed', async () => {
    setParent(self);
    await boot({ sessionRequired: 'used' });
    expect(window.portalFrame).toBeUndefined();
    expect(listened).toEqual([]);
  });

  it('keeps the port and the message of the first connect, and takes on its theme', async () => {
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
    ['an origin that is not on the list', { origin: 'http://evil.localhost:3000' }],
    ['an origin that only begins like one on the list', { origin: `${host}0` }],
    ['the same host over another scheme', { origin: 'https://acme.localhost:3000' }],
    ['the opaque origin', { origin: 'null' }],
  ])('takes no connect from %s', async (_name, parts) => {
    await boot({ sessionRequired: 'used' });
    const port = send(parts);
    expect(port.postMessage).not.toHaveBeenCalled();
    expect(await isPending(window.portalFrame!.connected)).toBe(true);
    expect(send().postMessage).toHaveBeenCalledOnce();
  });

  it.each([
    ['other data', { data: { type: 'connect' } }],
    ['no data', { data: null }],
    ['no port', { ports: [] }],
  ])('waits on after a message with %s', async (_name, parts) => {
    await boot();
    send(parts);
    expect(await isPending(window.portalFrame!.connected)).toBe(true);
    send();
    expect(await isPending(window.portalFrame!.connected)).toBe(false);
  });

  it('says over the port what its page says', async () => {
    await boot({ sessionRequired: 'used' });
    const message = { type: 'session-required', reason: 'used' };
    expect(send().postMessage.mock.calls).toEqual([[message]]);
  });

  it('tells any host what a page says that holds nothing', async () => {
    await boot({ sessionRequired: 'unknown', embedOrigins: '["*"]' });
    expect(send({ origin: 'https://any.example' }).postMessage).toHaveBeenCalledOnce();
  });
});
