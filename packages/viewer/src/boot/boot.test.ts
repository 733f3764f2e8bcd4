import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const host = 'http://acme.localhost:3000';
const connect = { portalEmbed: 1, type: 'connect', theme: 'dark' };
const parent = { postMessage: vi.fn<(message: unknown, target: string) => void>() };
const { parent: self } = window;
let listened: { type: string; listener: EventListener; capture: boolean }[] = [];

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
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (type: string, listener: unknown, options?: unknown) => {
      const one = { type, listener: listener as EventListener, capture: options === true };
      listened.push(one);
      listen(type, one.listener, one.capture);
    },
  );
});

afterEach(() => {
  for (const { type, listener, capture } of listened)
    window.removeEventListener(type, listener, capture);
  listened = [];
  vi.restoreAllMocks();
  parent.postMessage.mockClear();
  delete window.portalFrame;
  delete document.documentElement.dataset['theme'];
  delete document.documentElement.dataset['framed'];
});

describe('the boot script', () => {
  it.each([
    ['a visible page that is drawn runs its script after a paint', false],
    ['a hidden page that is drawn runs its script at once', true],
  ])('%s', async (_, isHidden) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
    const paints: FrameRequestCallback[] = [];
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((paint) => paints.push(paint));
    const findScript = () => document.head.querySelector('script[src="/assets/viewer.js"]');
    document.body.innerHTML =
      '<template id="late-scripts"><script type="module" src="/assets/viewer.js"></script></template>';
    await boot();
    expect(findScript()).toBeNull();
    document.dispatchEvent(new Event('DOMContentLoaded'));
    expect(findScript() !== null).toBe(isHidden);
    paints.forEach((paint) => paint(0));
    await vi.waitFor(() => expect(findScript()).toHaveProperty('type', 'module'));
    findScript()!.remove();
    document.body.innerHTML = '';
  });

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
    ['its type', { data: { portalEmbed: 1, type: 'hello' } }],
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

describe('an open', () => {
  const url = `${location.origin}/identity?token=the-token`;
  const session = { bearer: 'the-bearer' };
  const fetched = vi.fn<typeof fetch>();
  const answerWith = (status: number, body: unknown = session) =>
    fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));

  beforeEach(() => {
    fetched.mockReset();
    vi.stubGlobal('fetch', fetched);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** A connected page that accepts `open`, and what it delivers and answers. */
  async function connectPage(attributes: Record<string, string> = { accepts: 'open' }) {
    await boot(attributes);
    const port = send();
    const delivered: unknown[] = [];
    window.portalFrame!.listen((delivery) => delivered.push(delivery));
    const [, receive] = (port.addEventListener.mock.calls as unknown[][])[0] as [
      string,
      (event: { data: unknown }) => void,
    ];
    const answers = () => port.postMessage.mock.calls.map(([message]) => message);
    const open = (id: number, of = url) => receive({ data: { type: 'open', url: of, id } });
    return { port, delivered, answers, open, receive };
  }

  it('redeems its token for the origin of the host, and delivers the session', async () => {
    const { port, delivered, open, answers } = await connectPage();
    expect(port.start).toHaveBeenCalledOnce();
    answerWith(200);
    open(7);
    await vi.waitFor(() => expect(delivered).toEqual([{ type: 'session', id: 7, session }]));
    expect(fetched.mock.calls).toEqual([
      [
        '/identity',
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ token: 'the-token', embedOrigin: host }),
        },
      ],
    ]);
    expect(answers()).toEqual([]);
  });

  it('what arrives before the page listens is delivered later, in its order', async () => {
    await boot({ accepts: 'open' });
    const port = send();
    const [, receive] = (port.addEventListener.mock.calls as unknown[][])[0] as [
      string,
      (event: { data: unknown }) => void,
    ];
    for (const theme of ['dark', 'light']) receive({ data: { type: 'set-theme', theme } });
    const delivered: unknown[] = [];
    window.portalFrame!.listen((delivery) => delivered.push(delivery));
    receive({ data: null });
    expect(delivered).toEqual([
      { type: 'message', message: { type: 'set-theme', theme: 'dark' } },
      { type: 'message', message: { type: 'set-theme', theme: 'light' } },
      { type: 'message', message: null },
    ]);
  });

  it.each([
    ['of another address', 'https://other.example/identity?token=x'],
    ['that is no address', 'nowhere'],
  ])('of a URL %s is ignored', async (_, other) => {
    const { open, answers } = await connectPage();
    open(1, other);
    expect(fetched).not.toHaveBeenCalled();
    expect(answers()).toEqual([]);
  });

  it('a page that cannot show reports ignores an open', async () => {
    const { open, delivered } = await connectPage({});
    open(1);
    expect([fetched.mock.calls, delivered]).toEqual([[], []]);
  });

  it('without a token is one with an empty token', async () => {
    const { open } = await connectPage();
    answerWith(410, {});
    open(1, `${location.origin}/identity`);
    expect(JSON.parse(fetched.mock.calls[0]![1]!.body as string)).toMatchObject({ token: '' });
  });

  it('the latest of two opens wins, even if the earlier one is answered later', async () => {
    const { open, delivered, answers } = await connectPage();
    let answerFirst!: (response: Response) => void;
    fetched.mockReturnValueOnce(new Promise((resolve) => (answerFirst = resolve)));
    open(1);
    answerWith(200);
    open(2);
    await vi.waitFor(() => expect(delivered).toEqual([{ type: 'session', id: 2, session }]));
    answerFirst(new Response('{}', { status: 410 }));
    await new Promise((resolve) => setTimeout(resolve));
    expect([delivered.length, answers()]).toEqual([1, []]);
  });

  it.each([
    [403, {}, { type: 'failed', id: 3, cause: 'blocked_by_portal' }],
    [410, { reason: 'used' }, { type: 'session-required', id: 3, reason: 'used' }],
    [410, {}, { type: 'session-required', id: 3, reason: 'unknown' }],
    [500, { reason: 'used' }, { type: 'session-required', id: 3, reason: 'unknown' }],
  ])('that the portal answers with %i and %o is answered', async (status, body, answer) => {
    const { open, delivered, answers } = await connectPage();
    answerWith(status, body);
    open(3);
    await vi.waitFor(() => expect(answers()).toEqual([answer]));
    expect(delivered).toEqual([]);
  });

  it.each([
    ['is not answered', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['has an answer that is cut off', async () => new Response('{"bearer', { status: 200 })],
  ])('that %s asks for another URL', async (_, respond) => {
    const { open, answers } = await connectPage();
    fetched.mockImplementationOnce(respond);
    open(3);
    const answer = { type: 'session-required', id: 3, reason: 'unknown' };
    await vi.waitFor(() => expect(answers()).toEqual([answer]));
  });
});

it.each([
  ['script', [{ type: 'session-required', reason: 'incomplete' }]],
  ['link', [{ type: 'session-required', reason: 'incomplete' }]],
  ['img', []],
])('a missing file of a %s asks the host for another document: %j', async (tag, answers) => {
  await boot();
  const { postMessage } = send();
  const element = document.createElement(tag);
  document.head.append(element);
  element.dispatchEvent(new Event('error'));
  element.remove();
  window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: false }));
  await vi.waitFor(() => expect(postMessage.mock.calls.at(-1)).toEqual([{ type: 'leaving' }]));
  expect(postMessage.mock.calls.slice(0, -1).map(([message]) => message)).toEqual(answers);
});

it('a page in a frame is marked, so that its styles know', async () => {
  await boot();
  expect(document.documentElement).toHaveAttribute('data-framed', '');
});
