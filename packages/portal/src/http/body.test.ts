import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it, onTestFinished } from 'vitest';

import { jsonReader } from './body.ts';

/** A service that reads a body, and how often it has begun to and asked again who sent it. */
async function listen() {
  const counts = { begun: 0, confirmed: 0 };
  const read = jsonReader(1_000);
  const app = express();
  app.post('/', async (req, res) => {
    const reading = read(req, res, async () => (counts.confirmed += 1));
    counts.begun += 1;
    await reading;
    res.json(req.body);
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = () =>
    request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 2 },
    });
  return { counts, post };
}

it('a body that comes with its head has nobody asked again', async () => {
  const { counts, post } = await listen();
  const [answer] = (await once(post().end('{}'), 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
  expect(counts).toEqual({ begun: 1, confirmed: 0 });
});

it('a body that comes late has who sent it asked again, once', async () => {
  const { counts, post } = await listen();
  const outgoing = post();
  outgoing.write('{');
  await expect.poll(() => counts.begun).toBe(1);
  await new Promise(setImmediate);
  const [answer] = (await once(outgoing.end('}'), 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
  expect(counts).toEqual({ begun: 1, confirmed: 1 });
});
