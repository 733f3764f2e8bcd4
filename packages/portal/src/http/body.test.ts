import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it, onTestFinished } from 'vitest';

import { jsonReader } from './body.ts';

/** A service that reads a body and counts the reads and the credential checks. */
async function listen() {
  const counts = { begun: 0, confirmed: 0 };
  const read = jsonReader(1_000);
  const app = express();
  app.post('/', async (req, res) => {
    const reading = read(req, async () => (counts.confirmed += 1));
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

it('credentials are not re-checked after a body that arrives with its headers', async () => {
  const { counts, post } = await listen();
  const [answer] = (await once(post().end('{}'), 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
  expect(counts).toEqual({ begun: 1, confirmed: 0 });
});

it('credentials are re-checked once after a slow body', async () => {
  const { counts, post } = await listen();
  const outgoing = post();
  outgoing.write('{');
  await expect.poll(() => counts.begun).toBe(1);
  await new Promise(setImmediate);
  const [answer] = (await once(outgoing.end('}'), 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
  expect(counts).toEqual({ begun: 1, confirmed: 1 });
});
