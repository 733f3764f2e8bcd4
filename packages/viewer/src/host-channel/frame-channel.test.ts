import type { HostMessage } from '@portal-embed/contract/frame';
import { afterEach, expect, it } from 'vitest';

import { reportSession } from '../test/samples.ts';
import { openFrameChannel } from './frame-channel.ts';
import type { Connection, Delivery } from './portal-frame.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

/** Simulates the boot script. `deliver` passes a delivery on to the viewer. */
function bootFrame(connected: Promise<Connection>) {
  let deliver: (delivery: Delivery) => void = () => {};
  const frame = { connected, listen: (receive: typeof deliver) => void (deliver = receive) };
  return { frame, deliver: (delivery: Delivery) => deliver(delivery) };
}

function openPair() {
  const { port1: hostPort, port2: port } = new MessageChannel();
  ports.push(hostPort);
  const received: unknown[] = [];
  hostPort.addEventListener('message', ({ data }) => received.push(data));
  hostPort.start();
  return { hostPort, port, received };
}

it('the frame channel holds messages until the host connects and keeps their order', async () => {
  const { port, received } = openPair();
  let connect!: (connection: Connection) => void;
  const channel = openFrameChannel(bootFrame(new Promise((resolve) => (connect = resolve))).frame);
  channel.post({ type: 'ready', unappliedFilters: [] });
  channel.post({ type: 'resized', height: 10 });
  connect({ port, connect: {} });
  await expect
    .poll(() => received)
    .toEqual([
      { type: 'ready', unappliedFilters: [] },
      { type: 'resized', height: 10 },
    ]);
});

it('the frame channel delivers sessions and valid messages, and drops all others', () => {
  const { frame, deliver } = bootFrame(new Promise(() => {}));
  const received: unknown[] = [];
  openFrameChannel(frame).listen({
    session: (session, id) => received.push([session, id]),
    message: (message: HostMessage) => received.push(message),
  });
  const junk = [null, 'set-options', { type: 'set-options', theme: 'pink' }, { type: 'eval' }];
  for (const message of [...junk, { type: 'set-options', theme: 'dark' }])
    deliver({ type: 'message', message });
  deliver({ type: 'session', id: 7, session: reportSession });
  expect(received).toEqual([{ type: 'set-options', theme: 'dark' }, [reportSession, 7]]);
});

it('the frame channel ignores invalid options of a connect message', async () => {
  const { port } = openPair();
  const connect = { portalEmbed: 1, type: 'connect', autoHeight: true, view: 7 };
  const channel = openFrameChannel(bootFrame(Promise.resolve({ port, connect })).frame);
  expect(await channel.connected).toEqual({ portalEmbed: 1, type: 'connect' });
});

it('the frame channel passes on the options of a connect message', async () => {
  const { port } = openPair();
  const connect = { portalEmbed: 1, type: 'connect', theme: 'dark' };
  const channel = openFrameChannel(bootFrame(Promise.resolve({ port, connect })).frame);
  expect(await channel.connected).toEqual(connect);
});

it('the frame channel reports no failure of a page that the browser removes', async () => {
  const { port, received } = openPair();
  const channel = openFrameChannel(bootFrame(Promise.resolve({ port, connect: {} })).frame);
  const failed = { type: 'failed', cause: 'report_failed' } as const;
  dispatchEvent(new Event('pagehide'));
  channel.post(failed);
  channel.post({ type: 'resized', height: 10 });
  await expect.poll(() => received).toEqual([{ type: 'resized', height: 10 }]);
  // The browser may restore the page from its back/forward cache.
  dispatchEvent(new Event('pageshow'));
  channel.post(failed);
  await expect.poll(() => received.at(-1)).toEqual(failed);
});

it('outside a frame, the channel never connects and drops messages', async () => {
  const channel = openFrameChannel(undefined);
  channel.post({ type: 'resized', height: 10 });
  channel.listen({ session: () => {}, message: () => {} });
  const first = await Promise.race([channel.connected, Promise.resolve().then(() => 'pending')]);
  expect(first).toBe('pending');
});

it('the frame channel delivers a session with the view of its open', () => {
  const { frame, deliver } = bootFrame(new Promise(() => {}));
  const received: unknown[] = [];
  openFrameChannel(frame).listen({
    session: (...session) => received.push(session),
    message: () => {},
  });
  deliver({ type: 'session', id: 7, session: reportSession, view: 'a-view' });
  expect(received).toEqual([[reportSession, 7, 'a-view']]);
});
