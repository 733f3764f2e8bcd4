// @vitest-environment node
import type { HostMessage } from '@portal-embed/contract/frame';
import { afterEach, expect, it } from 'vitest';

import { openFrameChannel } from './frame-channel.ts';
import type { Connection } from './portal-frame.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

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
  const channel = openFrameChannel(new Promise((resolve) => (connect = resolve)));
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

it('the frame channel delivers valid messages and drops all others', async () => {
  const { hostPort, port } = openPair();
  const received: HostMessage[] = [];
  openFrameChannel(Promise.resolve({ port, connect: {} })).listen((message) =>
    received.push(message),
  );
  const junk = [null, 'set-theme', { type: 'set-theme', theme: 'pink' }, { type: 'eval' }];
  for (const message of [...junk, { type: 'set-theme', theme: 'dark' }])
    hostPort.postMessage(message, []);
  await expect.poll(() => received).toEqual([{ type: 'set-theme', theme: 'dark' }]);
});

it('the frame channel ignores invalid options of a connect message', async () => {
  const { port } = openPair();
  const connect = { portalEmbed: 1, type: 'connect', autoHeight: true, state: { path: 7 } };
  const channel = openFrameChannel(Promise.resolve({ port, connect }));
  expect(await channel.connected).toEqual({ portalEmbed: 1, type: 'connect' });
});

it('outside a frame, the channel never connects and drops messages', async () => {
  const channel = openFrameChannel();
  channel.post({ type: 'resized', height: 10 });
  channel.listen(() => {});
  const first = await Promise.race([channel.connected, Promise.resolve().then(() => 'pending')]);
  expect(first).toBe('pending');
});
