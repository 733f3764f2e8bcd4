// #region start
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { refuse, slow, startFakePortal } from '@portal-embed/testing';
import { expect, it } from 'vitest';

import { createApp } from './app.ts';

const reportId = '0b2c1f0e-6a51-4a43-9d2c-8f0f4d1c2b3a';

/** Starts the application with a fake portal. */
async function start() {
  const portal = await startFakePortal({
    users: ['west@acme.example'],
    reports: [{ id: reportId, name: 'Sales' }],
  });
  const server = createApp({ localhost: portal.tenant }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    portal,
    mint: (user: string, body: object) =>
      fetch(`http://localhost:${port}/portal-embed/url`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-test-user': user },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      await portal.close();
    },
  };
}
// #endregion

// #region minted
it('a reader gets a URL with the locked filter', async () => {
  await using stage = await start();
  const answer = await stage.mint('west@acme.example', { reportId });
  expect(answer.status).toBe(200);
  expect(stage.portal.minted).toMatchObject([
    {
      userEmail: 'west@acme.example',
      reportId,
      customFilters: [{ key: 'Superstore/Region', value: 'West' }],
    },
  ]);
});
// #endregion

// #region opened
/** Opens a URL as a browser does; returns the status. */
async function open(url: string): Promise<number> {
  const { port, pathname, search } = new URL(url);
  const request = http.get({ host: '127.0.0.1', port, path: pathname + search });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

it('a URL opens once', async () => {
  await using stage = await start();
  const { embedUrl } = (await (await stage.mint('west@acme.example', {})).json()) as {
    embedUrl: string;
  };
  expect([await open(embedUrl), await open(embedUrl)]).toEqual([200, 410]);
});
// #endregion

// #region provisioned
it('an unknown user is created at the first request', async () => {
  await using stage = await start();
  expect((await stage.mint('new@acme.example', {})).status).toBe(200);
  expect(stage.portal.users.map(({ email }) => email)).toContain('new@acme.example');
});
// #endregion

// #region refused
it.each([
  ['report_not_accessible', 403],
  ['user_expired', 403],
  ['invalid_api_key', 502],
  ['rate_limited', 429],
] as const)('the answer to %s has the status %i', async (code, status) => {
  await using stage = await start();
  stage.portal.answer(refuse(code), { endpoint: 'mintIdentityUrl' });
  expect((await stage.mint('west@acme.example', {})).status).toBe(status);
});

it('the endpoint waits for a slow portal', async () => {
  await using stage = await start();
  stage.portal.answer(slow(200), { times: 1 });
  expect((await stage.mint('west@acme.example', {})).status).toBe(200);
});
// #endregion
