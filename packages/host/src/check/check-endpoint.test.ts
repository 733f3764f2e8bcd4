import { createProblem } from '@portal-embed/contract';
import type { HostErrorCode } from '@portal-embed/contract';
import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { checkEndpoint } from './check-endpoint.ts';

const html = { 'Content-Type': 'text/html; charset=utf-8' };
const page = (status: number, headers: Record<string, string> = {}): FakeAnswer =>
  jsonAnswer(status, undefined, { ...html, ...headers });
const own = (code: HostErrorCode): FakeAnswer => {
  const problem = createProblem(code, 'A detail.', 'request-1');
  return jsonAnswer(problem.status, problem, { 'Content-Type': 'application/problem+json' });
};

let host: FakePortal;
beforeEach(async () => {
  host = await startFakePortal(own('not_signed_in'));
});
afterEach(() => host[Symbol.asyncDispose]());

const check = (path = '/portal-embed/url', hostOrigin = host.url) =>
  checkEndpoint(new URL(path, host.url), hostOrigin);

/** Answers a path of the host, and all others with the host endpoint. */
const answerAt = (path: string, answer: FakeAnswer, others: FakeAnswer) =>
  host.answer((request, response) => (request.url === path ? answer : others)(request, response));

describe('checkEndpoint', () => {
  it.each<HostErrorCode>(['not_signed_in', 'invalid_request', 'rate_limited'])(
    'passes an endpoint that answers %s',
    async (code) => {
      host.answer(own(code));
      expect(await check()).toMatchObject({ check: 'endpoint', ok: true, warning: false });
    },
  );

  it('sends one POST with the headers of a browser and the size of many filters', async () => {
    await check();
    expect(host.received).toHaveLength(1);
    const [{ method, headers, body }] = host.received as [FakePortal['received'][number]];
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      origin: host.url,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    });
    expect(headers).not.toHaveProperty('cookie');
    expect(Number(headers['content-length'])).toBeGreaterThan(16_384);
    // The endpoint refuses a body that names a user before it mints.
    expect(Object.keys(body as object)).toEqual(['userEmail']);
  });

  it.each<[string, number, Record<string, string>, string[]]>([
    ['an unmounted endpoint', 404, {}, ['answers 404 with text/html', 'not mounted', '--endpoint']],
    ["Clerk's middleware", 404, { 'x-clerk-auth-reason': 'x' }, ["Clerk's middleware", 'Exclude']],
    [
      'CSRF protection',
      403,
      {},
      [
        'answers 403',
        'CSRF protection',
        'not mounted at this path',
        '--endpoint',
        'Behind other middleware',
      ],
    ],
    ['a route without POST', 405, {}, ['answers 405', 'does not accept POST']],
    ['a limit of bodies', 413, {}, ['answers 413', 'Raise its limit to 256 kB']],
    ['a limit of requests', 429, {}, ['answers 429', 'A rate limit in front']],
    ['a body parser', 400, {}, ['answers 400', 'A middleware in front']],
    ['a proxy without its application', 502, {}, ['answers 502', 'Read its log']],
    ['a page for every path', 200, {}, ['answers 200 with text/html', 'Another route or a page']],
  ])('reports %s', async (_, status, headers, parts) => {
    host.answer(page(status, headers));
    const finding = await check();
    expect(finding).toMatchObject({ check: 'endpoint', ok: false });
    for (const part of parts) expect(finding.message).toContain(part);
  });

  it('does not accept a problem of another program as one of the endpoint', async () => {
    host.answer(jsonAnswer(404, { type: 'about:blank', code: 'not_signed_in' }));
    expect(await check()).toMatchObject({ ok: false });
    host.answer(jsonAnswer(404, null));
    expect(await check()).toMatchObject({ ok: false });
  });

  it('warns about a sign-in middleware that answers 401', async () => {
    host.answer(page(401));
    const finding = await check();
    expect(finding).toMatchObject({ ok: true, warning: true });
    expect(finding.message).toMatch(
      /^Could not be checked: .* answers 401 .* Exclude the endpoint/,
    );
  });

  it.each([301, 302, 303, 307, 308])(
    'reports where a redirect of status %i leads, without its query',
    async (status) => {
      answerAt('/portal-embed/url', page(status, { Location: '/login?secret=1' }), page(200));
      const finding = await check();
      expect(finding).toMatchObject({ ok: false });
      expect(finding.message).toContain(`/portal-embed/url redirects to ${host.url}/login: `);
      expect(finding.message).toContain('Behind other middleware');
      expect(finding.message).not.toContain('secret');
    },
  );

  it('reports a redirect to an identity provider and does not follow it', async () => {
    await using provider = await startFakePortal(page(200));
    host.answer(page(307, { Location: `${provider.url}/authorize?state=1` }));
    const { ok, message } = await check();
    expect(ok).toBe(false);
    expect(message).toContain(`redirects to ${provider.url}/authorize: `);
    expect(provider.received).toEqual([]);
  });

  it('suggests --origin with the new origin if it redirects the same path there', async () => {
    host.answer(page(301, { Location: 'https://www.acme.example/portal-embed/url' }));
    const { ok, message } = await check();
    expect(ok).toBe(false);
    expect(message).toContain('pass --origin https://www.acme.example');
  });

  it('passes an endpoint behind a redirect for a trailing slash', async () => {
    answerAt(
      '/portal-embed/url',
      page(308, { Location: '/portal-embed/url/' }),
      own('not_signed_in'),
    );
    expect(await check()).toMatchObject({ ok: true, warning: false });
    expect(host.received.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  it('stops in a loop of redirects', async () => {
    host.answer(page(307, { Location: '/portal-embed/url' }));
    expect(await check()).toMatchObject({ ok: false });
    expect(host.received.length).toBeLessThan(10);
  });

  it('reports a redirect with an address that is not valid', async () => {
    host.answer(page(302, { Location: 'http://[' }));
    expect(await check()).toMatchObject({ ok: false });
  });

  it.each<[HostErrorCode, string]>([
    ['unknown_tenant', 'Add it to tenants'],
    ['cross_site', 'to allowedOrigins of the tenant'],
    ['portal_unavailable', 'The log of the application names the callback that failed'],
  ])('reports an endpoint that answers %s', async (code, advice) => {
    host.answer(own(code));
    const { ok, message } = await check();
    expect(ok).toBe(false);
    expect(message).toContain(advice);
  });

  it('escapes control characters of answers', async () => {
    const problem = createProblem('portal_unavailable', 'Away.\u001b[2J\n  ok', 'request-1');
    host.answer(jsonAnswer(503, problem, { 'Content-Type': 'application/problem+json' }));
    expect((await check()).message).toContain('Away.%1B[2J%0A  ok');
    host.answer(jsonAnswer(200, undefined, { 'Content-Type': 'text/\u009b2J' }));
    const { message } = await check();
    expect(message).toContain('text/%C2%9B2J');
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  it('sends an endpoint on another origin the headers of a cross-site request', async () => {
    await check('/portal-embed/url', 'https://www.acme.example');
    expect(host.received[0]!.headers).toMatchObject({
      origin: 'https://www.acme.example',
      'sec-fetch-site': 'cross-site',
    });
  });

  it('warns if the application is not running', async () => {
    const finding = await checkEndpoint(new URL('http://127.0.0.1:1/url'), 'http://127.0.0.1:1');
    expect(finding).toMatchObject({ ok: true, warning: true });
    expect(finding.message).toContain('Start your application and run this again.');
  });
});
