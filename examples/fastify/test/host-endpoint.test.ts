import { gzipSync } from 'node:zlib';

import { send } from 'test-support';
import { sealSession, serve, testHostExample } from 'test-support/host-example';
import { expect, it, vi } from 'vitest';

async function start() {
  const { app } = await import('../src/app.ts');
  await app.ready();
  return serve(app.server);
}

const stage = testHostExample(start);

it('a compressed body is rejected by Fastify itself', async () => {
  const answer = await stage.mint({
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync('{"hideMenu":true}'),
  });
  expect(answer.status).toBe(400);
  expect(stage.portal.received).toEqual([]);
});

it('behind a trusted proxy, X-Forwarded-Host selects the tenant', async () => {
  vi.stubEnv('TRUSTED_PROXY', '127.0.0.1');
  vi.resetModules();
  await using app = await start();
  const answer = await send(`http://127.0.0.1:${app.port}/portal-embed/url`, {
    method: 'POST',
    headers: {
      cookie: await sealSession(),
      host: 'internal.localhost',
      origin: 'https://acme.localhost',
      'x-forwarded-host': 'acme.localhost',
      'x-forwarded-proto': 'https',
    },
    json: {},
  });
  expect(answer.status).toBe(200);
});
