import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Delivery } from '../host-channel/portal-frame.ts';
import { reportSession } from '../test/samples.ts';

const host = 'http://acme.localhost:3000';
const { parent: self } = window;
const url = (token: string) => `${location.origin}/identity?token=${token}`;
const ends: AbortController[] = [];
const answers: ((response: Response | null) => void)[] = [];
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.resetModules();
  answers.length = 0;
  fetched
    .mockReset()
    .mockImplementation(
      () =>
        new Promise((resolve, reject) =>
          answers.push((response) =>
            response ? resolve(response) : reject(new TypeError('refused')),
          ),
        ),
    );
  vi.stubGlobal('fetch', fetched);
  // The listeners of one test must not hear the events of the next.
  const lifetime = new AbortController();
  ends.push(lifetime);
  const listen = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener, capture) =>
    listen(type, listener as EventListener, { capture: !!capture, signal: lifetime.signal }),
  );
});
afterEach(() => {
  ends.splice(0).forEach((lifetime) => lifetime.abort());
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Object.defineProperty(window, 'parent', { value: self, configurable: true });
  delete window.portalFrame;
  delete document.documentElement.dataset['theme'];
  delete document.documentElement.dataset['framed'];
});

/** Runs the script in a framed page, and connects it. */
async function bootFramed(attributes: Record<string, string> = { accepts: 'open' }) {
  const parent = { postMessage: () => {} };
  Object.defineProperty(window, 'parent', { value: parent, configurable: true });
  const script = document.createElement('script');
  Object.assign(script.dataset, { embedOrigins: JSON.stringify([host]), ...attributes });
  Object.defineProperty(document, 'currentScript', { value: script, configurable: true });
  await import('./boot.ts');
  const { port1, port2 } = new MessageChannel();
  const received: unknown[] = [];
  port1.addEventListener('message', ({ data }) => received.push(data));
  port1.start();
  const data = { portalEmbed: 1, type: 'connect' };
  const connect = Object.assign(new Event('message'), {
    source: parent,
    origin: host,
    data,
    ports: [port2],
  });
  window.dispatchEvent(connect);
  ends.at(-1)!.signal.addEventListener('abort', () => port1.close());
  return {
    received,
    async open(token: string, id: number) {
      port1.postMessage({ type: 'open', url: url(token), id });
      await vi.waitFor(() => expect(answers).toHaveLength(id));
    },
    send: (message: unknown) => port1.postMessage(message),
  };
}

it('the page of a frame is marked as framed', async () => {
  await bootFramed();
  expect(document.documentElement.dataset['framed']).toBe('');
});

it('an open is redeemed with its token and the origin of the host', async () => {
  const frame = await bootFramed();
  const deliveries: Delivery[] = [];
  await frame.open('t', 1);
  expect(fetched.mock.calls[0]).toEqual([
    '/identity',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: 't', embedOrigin: host }),
    },
  ]);
  answers[0]!(Response.json(reportSession));
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  await vi.waitFor(() => expect(deliveries).toHaveLength(1));
  expect(deliveries).toEqual([{ type: 'session', id: 1, session: reportSession }]);
});

it('a session is delivered with the view of its open', async () => {
  const frame = await bootFramed();
  const deliveries: Delivery[] = [];
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  frame.send({ type: 'open', url: url('t'), id: 1, view: 'a-view' });
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]!(Response.json(reportSession));
  await vi.waitFor(() => expect(deliveries).toHaveLength(1));
  expect(deliveries).toMatchObject([{ id: 1, view: 'a-view' }]);
});

it('messages that arrive before the page’s scripts are delivered once, in their order', async () => {
  const frame = await bootFramed();
  frame.send({ type: 'first' });
  frame.send({ type: 'second' });
  // One port keeps the order, so the messages have arrived before this request.
  await frame.open('t', 1);
  const deliveries: Delivery[] = [];
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  expect(deliveries).toEqual([
    { type: 'message', message: { type: 'first' } },
    { type: 'message', message: { type: 'second' } },
  ]);
});

it('only the latest open is answered', async () => {
  const frame = await bootFramed();
  const deliveries: Delivery[] = [];
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  await frame.open('a', 1);
  await frame.open('b', 2);
  answers[1]!(Response.json(reportSession));
  answers[0]!(Response.json({}, { status: 410 }));
  await vi.waitFor(() => expect(deliveries).toHaveLength(1));
  expect(deliveries).toMatchObject([{ id: 2 }]);
  await frame.open('c', 3);
  answers[2]!(Response.json({}, { status: 403 }));
  await vi.waitFor(() => expect(frame.received).toHaveLength(1));
  expect(frame.received).toEqual([{ type: 'failed', id: 3, cause: 'blocked_by_portal' }]);
});

it.each([
  ['no answer', null, 'unknown'],
  ['an error', Response.json({ reason: 'used' }, { status: 502 }), 'unknown'],
  ['a session that is cut off', new Response('{"path":'), 'unknown'],
  ['a refused URL', Response.json({ reason: 'expired' }, { status: 410 }), 'expired'],
  ['a refusal that is cut off', new Response('{"reason":', { status: 410 }), 'unknown'],
])('an open with %s asks for another URL', async (_, response, reason) => {
  const frame = await bootFramed();
  await frame.open('t', 1);
  answers[0]!(response);
  await vi.waitFor(() => expect(frame.received).toHaveLength(1));
  expect(frame.received).toEqual([{ type: 'session-required', id: 1, reason }]);
});

it('a page that does not take open ignores it', async () => {
  const frame = await bootFramed({});
  const deliveries: Delivery[] = [];
  window.portalFrame!.listen((delivery) => deliveries.push(delivery));
  frame.send({ type: 'open', url: url('t'), id: 1 });
  frame.send({ type: 'other' });
  await vi.waitFor(() => expect(deliveries).toHaveLength(1));
  expect(deliveries).toEqual([{ type: 'message', message: { type: 'other' } }]);
  expect(fetched).not.toHaveBeenCalled();
});

it('a script or style sheet that fails to load asks for another document, other errors do not', async () => {
  const frame = await bootFramed();
  const failing = (name: string) => {
    const element = document.body.appendChild(document.createElement(name));
    element.dispatchEvent(new Event('error'));
    element.remove();
  };
  failing('img');
  window.dispatchEvent(new Event('error'));
  failing('link');
  await vi.waitFor(() => expect(frame.received).toHaveLength(1));
  failing('script');
  await vi.waitFor(() => expect(frame.received).toHaveLength(2));
  const message = { type: 'session-required', reason: 'incomplete' };
  expect(frame.received).toEqual([message, message]);
});
