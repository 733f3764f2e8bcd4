import { send as sendRequest, type Answer } from 'testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createApiKey } from '../src/api-keys/service.ts';
import { newToken } from '../src/secrets.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { sendBytes } from './support/raw.ts';
import { mint, open } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(portal.publicUrl, {
    method,
    path,
    headers: { 'x-api-key': portal.acme.apiKey, ...headers },
  });

describe('X-Request-Id', () => {
  const logged = (requestId: unknown) =>
    portal.log.filter((line) => line.includes(JSON.stringify(requestId)));

  it('is in every answer, and in the log line of the request', async () => {
    const url = await mint(portal, portal.acme, { userEmail: portal.acme.emails.west });
    const answers = [
      await send('GET', '/api/user'),
      await send('GET', '/api/user?x=1'),
      await send('GET', '/nowhere'),
      await send('PATCH', '/api/user'),
      await send('DELETE', '/api/user/%zz'),
      await portal.api('GET', '/api/user', { key: null }),
      await send('GET', '/docs'),
      await send('GET', '/assets/none'),
      await open(url),
      await open(url),
    ];
    for (const answer of answers) {
      const requestId = answer.headers['x-request-id'];
      expect(requestId).toMatch(/^[\w-]{36}$/);
      expect(logged(requestId)).toHaveLength(1);
    }
  });

  it('of a probe is logged too, but only for whoever debugs', async () => {
    for (const path of ['/livez', '/readyz']) {
      const lines = logged((await send('GET', path)).headers['x-request-id']);
      expect(lines.map((line) => JSON.parse(line).level)).toEqual([20]);
    }
  });

  it('is the caller’s own where that is one word, and a new one else', async () => {
    const ask = async (id: string) =>
      (await send('GET', '/api/user', { 'x-request-id': id })).headers['x-request-id'];
    expect(await ask('checkout-42.a_b')).toBe('checkout-42.a_b');
    for (const id of ['two words', 'a"b', '<x>', 'x'.repeat(129), ''])
      expect(await ask(id)).toMatch(/^[\w-]{36}$/);
  });

  it('is the one in the log line, however long the caller’s own is', async () => {
    portal.log.length = 0;
    for (const id of ['x'.repeat(42), 'x'.repeat(43), `a.${'x'.repeat(43)}`, 'a.b-c'.repeat(25)]) {
      const answer = await send('GET', '/api/user', { 'x-request-id': id });
      expect(logged(answer.headers['x-request-id'])).toHaveLength(1);
    }
  });
});

it('the log has no status of a request that nobody answered', async () => {
  const head = [
    'POST /api/identity/url HTTP/1.1',
    `Host: ${new URL(portal.publicUrl).host}`,
    `X-API-Key: ${portal.acme.apiKey}`,
    'X-Request-Id: broken-1',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    '',
    'no chunk',
    '',
  ].join('\r\n');
  await sendBytes(portal.publicUrl, head);
  const line = await vi.waitUntil(() => portal.log.find((each) => each.includes('"broken-1"')), {
    timeout: 60_000,
  });
  expect(JSON.parse(line)).toMatchObject({ res: { status: null }, msg: 'request aborted' });
});

describe('the log line of a refusal', () => {
  const lineOf = (answer: Answer) => {
    const requestId = answer.headers['x-request-id'] as string;
    return JSON.parse(portal.log.find((line) => line.includes(requestId))!);
  };

  it('the log line of a refusal has code, route, organization and key', async () => {
    const { acme } = portal;
    const { id, key } = await createApiKey(acme.ctx, {
      name: 'reads',
      permissions: ['users:read'],
    });
    const answer = await portal.api('DELETE', `/api/user/${acme.emails.west}`, { key });
    expect(lineOf(answer)).toMatchObject({
      res: { status: 403 },
      code: 'missing_permission',
      route: '/api/user/:userEmail',
      organizationId: acme.id,
      apiKeyId: id,
    });
  });

  it('the log line of a refused link has the reason and the organization', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await open(url);
    const line = lineOf(await open(url));
    expect(line).toMatchObject({ code: 'identity_url_spent', reason: 'used', route: '/identity' });
    expect(line).toMatchObject({ organizationId: acme.id });
    expect(line).not.toHaveProperty('hint');
  });

  it('the log line of an unregistered address has a hint at PORTAL_TRUST_PROXY', async () => {
    const { acme, publicUrl } = portal;
    const path = new URL(await mint(portal, acme, { userEmail: acme.emails.west }));
    const foreign = `http://proxied.localhost:${new URL(publicUrl).port}`;
    const opened = await open(`${foreign}/identity${path.search}`);
    const reloaded = await open(`${foreign}/organizations/${acme.id}`);
    for (const answer of [opened, reloaded])
      expect(lineOf(answer).hint).toMatch(/proxied\.localhost.* PORTAL_TRUST_PROXY/);
  });
});

it('a very long path is cut before it is redacted', async () => {
  const answer = await send('GET', `/${'%41'.repeat(5_000)}`);
  const line = portal.log.find((each) => each.includes(answer.headers['x-request-id'] as string))!;
  expect(JSON.parse(line).req.path.length).toBeLessThanOrEqual(500);
});

it('the log has no secret of a path, however it is written there', async () => {
  const secret = newToken();
  const escaped = (pattern: RegExp) =>
    secret.replace(pattern, (each) => `%${each.charCodeAt(0).toString(16)}`);
  const paths = [secret, escaped(/[-_]/g), escaped(/[A-Za-z0-9]/g), 'x/'.repeat(240) + secret];
  for (const path of paths) {
    const answer = await send('GET', `/nowhere/${path}`);
    const requestId = answer.headers['x-request-id'] as string;
    const lines = portal.log.filter((line) => line.includes(requestId));
    expect(lines).toEqual([expect.stringContaining('[redacted]')]);
    expect(lines[0]).not.toContain(secret.slice(0, 15));
  }
});
