import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startBlackHole } from 'test-support/black-hole';
import { emptyPage, jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import { startStopwatch } from 'test-support/stopwatch';
import { expect, it } from 'vitest';

import { runInProcess } from './terminal.ts';

const env = { PORTAL_API_KEY: 'key' };

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/url`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Writes without an end, as fast as the client reads. */
function flood(response: ServerResponse, part: string): void {
  const write = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', write);
  write();
}

const hostile: Record<string, RequestListener> = {
  'never answers': () => {},
  'sends headers and no body': (_, response) => response.writeHead(200).flushHeaders(),
  'sends a byte now and then': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  'sends a body without an end': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    flood(response, ' '.repeat(65_536));
  },
  'closes the connection': (request) => request.socket.destroy(),
  'sends no HTTP': (request) => request.socket.end('garbage\r\n\r\n'),
};

it.each(Object.keys(hostile))('a server that %s exits with 2 in time', async (name) => {
  await using server = await serve(hostile[name]!);
  const stop = startStopwatch();
  for (const kit of ['portal', 'host']) {
    const args = [kit, '--url', server.url, '--timeout', '0.3', '--max-seconds', '3'];
    const { code, stderr } = await runInProcess(args, env);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not answer'),
    });
  }
  expect(stop()).toBeLessThan(6_000);
});

it('an address that drops packets exits with 2 in time', async () => {
  await using hole = await startBlackHole();
  const args = ['portal', '--url', `http://127.0.0.1:${hole.port}`, '--timeout', '0.3'];
  expect(await runInProcess(args, env)).toMatchObject({ code: 2, stdout: '' });
});

it.each(['<script', '<!--', '<'])('a page of many %s is read in time', async (part) => {
  await using server = await serve((_, response) =>
    response.writeHead(500, { 'Content-Type': 'text/html' }).end(part.repeat(200_000)),
  );
  const stop = startStopwatch();
  const { code } = await runInProcess(['host', '--url', server.url, '--timeout', '5'], env);
  expect(code).toBe(1);
  expect(stop()).toBeLessThan(20_000);
});

it.each(['<html>', 'null', '{"data":[1]}'])(
  'a portal that always answers %s breaks rules',
  async (body) => {
    await using server = await serve((_, response) => response.end(body));
    const args = ['portal', '--url', server.url, '--write', '--timeout', '1'];
    const { code, stdout } = await runInProcess(args, env);
    expect(stdout).toMatch(/^FAILED {2}requests\.base/m);
    expect(code).toBe(1);
  },
);

it('a portal that hangs after the first answers ends within the limit of the run', async () => {
  let answered = 0;
  await using server = await serve((_, response) => {
    answered += 1;
    if (answered < 20)
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(emptyPage));
  });
  const stop = startStopwatch();
  const args = ['portal', '--url', server.url, '--timeout', '0.4', '--max-seconds', '2'];
  const { code, stdout } = await runInProcess(args, env);
  expect(stop()).toBeLessThan(6_000);
  expect(stdout).toContain('the limit of 2 seconds is reached');
  expect(stdout).toContain('The run is not complete');
  expect(code).toBe(1);
});

it('no more than the allowed requests are sent, and the summary says how many', async () => {
  await using portal = await startFakePortal(jsonAnswer(200, emptyPage));
  const args = ['portal', '--url', portal.url, '--max-requests', '9'];
  const { code, stdout } = await runInProcess(args, env);
  expect(portal.received).toHaveLength(9);
  expect(stdout).toContain('; 9 requests in ');
  expect(code).toBe(2);
});

it('redirects are not followed, so the key reaches no other server', async () => {
  await using other = await startFakePortal(jsonAnswer(200, emptyPage));
  await using portal = await startFakePortal(jsonAnswer(307, {}, { Location: other.url }));
  expect(await runInProcess(['portal', '--url', portal.url], env)).toMatchObject({ code: 2 });
  expect(other.received).toEqual([]);
});

it('a busy portal is asked again as Retry-After says', async () => {
  let isBusy = true;
  await using server = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (isBusy) response.writeHead(429, { 'Retry-After': '0' });
    isBusy = !isBusy;
    response.end(JSON.stringify(emptyPage));
  });
  const { stdout } = await runInProcess(['portal', '--url', server.url], env);
  expect(stdout).toMatch(/^ok {6}requests\.base/m);
});

it('an interruption ends the pause of a busy portal', async () => {
  let answered = 0;
  const controller = new AbortController();
  await using server = await serve((_, response) => {
    answered += 1;
    response.setHeader('Content-Type', 'application/json');
    if (answered > 6) {
      response.writeHead(429, { 'Retry-After': '20' });
      // The pause begins after this answer.
      setTimeout(() => controller.abort(), 50);
    }
    response.end(JSON.stringify(emptyPage));
  });
  const stop = startStopwatch();
  const args = ['portal', '--url', server.url];
  const { code, stdout } = await runInProcess(args, env, controller.signal);
  expect(stop()).toBeLessThan(3_000);
  expect(answered).toBe(7);
  expect(stdout).toContain('the run was interrupted');
  expect(code).toBe(2);
});
