import { sql } from 'kysely';
import { send as sendRequest, type Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { createToken } from '../../src/secrets.ts';
import { signInAs } from '../support/admin.ts';
import { disconnectReader } from '../support/disconnect.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendBytes } from '../support/raw.ts';
import { grantAgain, mint, open, readSession, startSession, view } from '../support/viewer.ts';

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
  const findLogLines = (requestId: unknown) =>
    portal.log.filter((line) => line.includes(JSON.stringify(requestId)));

  it('is in every response, and in the log line of the request', async () => {
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
      expect(findLogLines(requestId)).toHaveLength(1);
    }
  });

  it('of a probe is logged only at level debug', async () => {
    for (const path of ['/livez', '/readyz']) {
      const lines = findLogLines((await send('GET', path)).headers['x-request-id']);
      expect(lines.map((line) => JSON.parse(line).level)).toEqual([20]);
    }
  });

  it('is the client’s own if it is one word, and a new one otherwise', async () => {
    const getRequestId = async (id: string) =>
      (await send('GET', '/api/user', { 'x-request-id': id })).headers['x-request-id'];
    expect(await getRequestId('checkout-42.a_b')).toBe('checkout-42.a_b');
    for (const id of ['two words', 'a"b', '<x>', 'x'.repeat(129), ''])
      expect(await getRequestId(id)).toMatch(/^[\w-]{36}$/);
  });

  it('is the same in the log line, whatever the length of the client’s own', async () => {
    portal.log.length = 0;
    for (const id of ['x'.repeat(42), 'x'.repeat(43), `a.${'x'.repeat(43)}`, 'a.b-c'.repeat(25)]) {
      const answer = await send('GET', '/api/user', { 'x-request-id': id });
      expect(findLogLines(answer.headers['x-request-id'])).toHaveLength(1);
    }
  });
});

it('the log has no status for a request without a response', async () => {
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

it('the log has no status for a request whose sender stops in the middle of its body', async () => {
  const head = [
    'POST /api/user HTTP/1.1',
    `Host: ${new URL(portal.publicUrl).host}`,
    `X-API-Key: ${portal.acme.apiKey}`,
    'X-Request-Id: half-1',
    'Content-Type: application/json',
    'Content-Length: 9',
    '',
    '{',
  ].join('\r\n');
  await sendBytes(portal.publicUrl, head);
  const line = await vi.waitUntil(() => portal.log.find((each) => each.includes('"half-1"')), {
    timeout: 60_000,
  });
  expect(JSON.parse(line)).toMatchObject({ res: { status: null }, msg: 'request aborted' });
  expect(JSON.parse(line)).not.toHaveProperty('code');
});

describe('the log line of a request', () => {
  const lineOf = (answer: Answer) => {
    const requestId = answer.headers['x-request-id'] as string;
    return JSON.parse(portal.log.find((line) => line.includes(requestId))!);
  };

  it('has the code, route, organization and key of a refusal', async () => {
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

  it('of a page that explains nothing has no code', async () => {
    const answer = await open(portal.publicUrl, { accept: 'text/html' });
    expect(answer.status).toBe(200);
    expect(lineOf(answer)).not.toHaveProperty('code');
  });

  it('has the organization of an opened URL', async () => {
    const { acme } = portal;
    const opened = await open(await mint(portal, acme, { userEmail: acme.emails.west }));
    expect(lineOf(opened)).toMatchObject({ res: { status: 200 }, organizationId: acme.id });
  });

  it('has the reason and the organization of a used URL', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await open(url);
    const line = lineOf(await open(url));
    expect(line).toMatchObject({ code: 'identity_url_spent', reason: 'used', route: '/identity' });
    expect(line).toMatchObject({ organizationId: acme.id });
    expect(line).not.toHaveProperty('hint');
  });

  it('has a hint at PORTAL_TRUST_PROXY for an unregistered address', async () => {
    const { acme, publicUrl } = portal;
    const path = new URL(await mint(portal, acme, { userEmail: acme.emails.west }));
    const foreign = `http://proxied.localhost:${new URL(publicUrl).port}`;
    const opened = await open(`${foreign}/identity${path.search}`);
    const reloaded = await open(`${foreign}/organizations/${acme.id}`);
    const shell = await open(`${foreign}/embed`);
    for (const answer of [opened, reloaded, shell])
      expect(lineOf(answer).hint).toMatch(
        new RegExp(
          `^No organization has the address ${foreign}\\. .*set-addresses.*Host \\$http_host;.*PORTAL_TRUST_PROXY`,
        ),
      );
  });

  it('has no hint for the public URL or a registered address', async () => {
    const { acme, publicUrl } = portal;
    for (const origin of [publicUrl, acme.address])
      for (const path of ['/identity?token=x', `/organizations/${acme.id}`])
        expect(lineOf(await open(origin + path))).not.toHaveProperty('hint');
  });

  it('has a hint for a link that a proxy opens at the public URL', async () => {
    const { acme, publicUrl } = portal;
    const { search } = new URL(await mint(portal, acme, { userEmail: acme.emails.west }));
    expect(lineOf(await open(`${publicUrl}/identity${search}`)).hint).toContain('proxy_set_header');
  });

  it('the log line of a refused request has the client’s address only if the setting is on', async () => {
    const lastOf = (log: string[]) => JSON.parse(log.at(-1)!);
    await portal.api('DELETE', '/api/user/nobody@acme.example');
    expect(lastOf(portal.log)).not.toHaveProperty('client');

    const others = [
      [false, '127.0.0.1'],
      [true, '203.0.113.7'],
    ] as const;
    for (const [trustProxy, client] of others) {
      const other = await startTestPortal({ trustProxy, logClientAddress: true });
      onTestFinished(() => other.close());
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      await other.api('DELETE', '/api/user/nobody@acme.example', { headers });
      expect(lastOf(other.log)).toMatchObject({ code: 'user_not_found', client });
      await other.api('GET', '/api/user', { headers });
      expect(lastOf(other.log)).toMatchObject({ res: { status: 200 } });
      expect(lastOf(other.log)).not.toHaveProperty('client');
      await other.api('GET', '/api/user', { key: null, headers: { 'x-forwarded-for': 'unknown' } });
      expect(lastOf(other.log)).toMatchObject(
        trustProxy ? { code: 'invalid_api_key' } : { client: '127.0.0.1' },
      );
    }
  });

  it('has the organization of a request of its administrator', async () => {
    const { acme } = portal;
    const browser = await signInAs(portal, acme, 1, 'ada@acme.example');
    const answer = await browser.send('GET', `/organizations/${acme.id}/users`);
    expect(lineOf(answer)).toMatchObject({ res: { status: 200 }, organizationId: acme.id });
  });

  it('has the organization of a viewer request', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const line = lineOf(await view(acme.address, bearer, acme.groupReportId));
    expect(line).toMatchObject({ code: 'report_not_accessible', organizationId: acme.id });
    expect(line).not.toHaveProperty('apiKeyId');
  });
});

describe('an internal failure', () => {
  const failuresOf = (answer: Answer) => {
    const requestId = answer.headers['x-request-id'] as string;
    const lines = portal.log.filter((line) => line.includes(requestId));
    return lines.map((line) => JSON.parse(line)).filter(({ err }) => err);
  };

  it('of a request is logged with its error, which the response does not reveal', async () => {
    await sql`ALTER TABLE users RENAME TO users_away`.execute(portal.db);
    const answer = await send('GET', '/api/user');
    await sql`ALTER TABLE users_away RENAME TO users`.execute(portal.db);
    expect([answer.status, answer.json().code]).toEqual([500, 'internal_error']);
    expect(answer.json().detail).toMatch(/^Something went wrong on our side\. .*requestId/);
    expect(answer.body).not.toContain('users');
    expect(failuresOf(answer)).toMatchObject([
      {
        level: 50,
        msg: 'request failed',
        req: { method: 'GET', path: '/api/user' },
        err: { message: expect.stringContaining('users') },
      },
    ]);
  });

  it('of a report is logged, and its page has no data', async () => {
    const { acme, db, tiles } = portal;
    const single = { userEmail: acme.emails.west, reportId: acme.reportId };
    const failing = vi.spyOn(tiles, 'compute').mockRejectedValue(new Error('no engine'));
    const page = await open(await mint(portal, acme, single));
    const { bearer, view: first } = readSession(page);
    const viewed = await view(acme.address, bearer, acme.reportId);
    failing.mockRestore();
    expect([first, viewed.json().code]).toEqual([null, 'report_failed']);
    for (const answer of [page, viewed])
      expect(failuresOf(answer)).toMatchObject([
        { level: 50, msg: 'report failed', err: { message: 'no engine' } },
      ]);

    const url = await mint(portal, acme, single);
    await grantAgain(portal, acme, acme.emails.west);
    await sql`ALTER TABLE audit_entries RENAME TO audit_entries_away`.execute(db);
    const bare = await open(url);
    await sql`ALTER TABLE audit_entries_away RENAME TO audit_entries`.execute(db);
    expect([bare.status, readSession(bare).view]).toEqual([200, null]);
    expect(failuresOf(bare)).toMatchObject([{ level: 50, msg: 'report failed' }]);
  });

  it('is not logged for a report whose reader has disconnected', async () => {
    portal.log.length = 0;
    await disconnectReader(portal);
    await expect.poll(() => portal.log.join('')).toContain('request aborted');
    expect(portal.log.join('')).not.toContain('report failed');
  });
});

it('a very long path is truncated before it is redacted', async () => {
  const answer = await send('GET', `/${'%41'.repeat(5_000)}`);
  const line = portal.log.find((each) => each.includes(answer.headers['x-request-id'] as string))!;
  expect(JSON.parse(line).req.path.length).toBeLessThanOrEqual(500);
});

it('the log has no secret of a path, in any encoding', async () => {
  const secret = createToken();
  const escaped = (pattern: RegExp) =>
    secret.replace(pattern, (each) => `%${each.charCodeAt(0).toString(16)}`);
  const letters = escaped(/[A-Za-z0-9]/g);
  const upper = letters.replace(/%../g, (each) => each.toUpperCase());
  const paths = [secret, escaped(/[-_]/g), letters, upper, 'x/'.repeat(240) + secret];
  for (const path of paths) {
    const answer = await send('GET', `/nowhere/${path}`);
    const requestId = answer.headers['x-request-id'] as string;
    const lines = portal.log.filter((line) => line.includes(requestId));
    expect(lines).toEqual([expect.stringContaining('[redacted]')]);
    expect(lines[0]).not.toContain(secret.slice(0, 15));
  }
});

it('the first 500 characters of a path are logged, even if each is an escape', async () => {
  const word = `${'A'.repeat(42)}/`;
  const answer = await send('GET', `/${`${'%41'.repeat(42)}/`.repeat(40)}`);
  const line = portal.log.find((each) => each.includes(answer.headers['x-request-id'] as string))!;
  expect(JSON.parse(line).req.path).toBe(`/${word.repeat(40)}`.slice(0, 500));
});
