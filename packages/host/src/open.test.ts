import { jsonAnswer, problemAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import type { Options } from '../test/entry.ts';
import { organizationId, portalUrl } from '../test/host-app.ts';
import type { SendInput } from '../test/running-app.ts';
import { portal, setStage, start } from '../test/stage.ts';
import { answerOpenRefusal } from './open-answer.ts';
import { Refusal } from './refusal.ts';

setStage();

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
const link = `/portal-embed/open?reportId=${reportId}`;

const startOpening = async (options: Partial<Options> = {}) => {
  const { send } = await start({ allowOpen: true, ...options });
  return ({ path = link, ...input }: Partial<SendInput> = {}) =>
    send({ path, ...input, headers: { 'Sec-Fetch-Dest': 'document', ...input.headers } });
};
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof startOpening>>>>;

function expectPage({ status, headers, text }: Answer, expected: number) {
  expect(status).toBe(expected);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers).not.toHaveProperty('location');
  expect(text).toContain('<html lang="en">');
  expect(text).toMatch(/<main>\n<h1>[^<]+<\/h1>\n<p>[^<]+<\/p>/);
}

describe('GET {mount}/open', () => {
  it('sends the tab of a signed-in user on to a fresh URL of the report', async () => {
    const open = await startOpening();
    const answer = await open();
    expect(answer).toMatchObject({
      status: 303,
      text: '',
      headers: {
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      },
    });
    expect(answer.headers['location']).toMatch(`${portalUrl}/identity?token=`);
    expect((await open()).headers['location']).not.toBe(answer.headers['location']);
    expect(portal.received[0]).toMatchObject({
      url: '/api/identity/url',
      body: { userEmail: 'west@acme.example', baseUrl: portalUrl, organizationId, reportId },
    });
  });

  it('opens the whole portal without a report', async () => {
    const open = await startOpening();
    expect((await open({ path: '/portal-embed/open' })).status).toBe(303);
    expect(portal.received[0]!.body).toEqual({
      userEmail: 'west@acme.example',
      baseUrl: portalUrl,
    });
  });

  it('is off without allowOpen', async () => {
    const { send } = await start();
    expect((await send({ path: link })).status).toBe(404);
    expect(portal.received).toHaveLength(0);
  });

  it('answers other methods with 405', async () => {
    const open = await startOpening();
    for (const method of ['POST', 'PUT', 'OPTIONS']) {
      const answer = await open({ method });
      expectPage(answer, 405);
      expect(answer.headers['allow']).toBe('GET');
    }
    expect(portal.received).toHaveLength(0);
  });
});

describe('what opens a report', () => {
  it.each([
    ['a link of the own application', { 'Sec-Fetch-Site': 'same-origin' }],
    ['a link in a mail', { 'Sec-Fetch-Site': 'none' }],
    ['a link of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }],
  ])('%s does', async (_, headers) => {
    const open = await startOpening();
    expect((await open({ headers })).status).toBe(303);
  });

  it('a browser without Sec-Fetch-Dest, as on plain http, does', async () => {
    const { send } = await start({ allowOpen: true });
    expect((await send({ path: link })).status).toBe(303);
  });

  it.each([
    ['a frame', { headers: { 'Sec-Fetch-Dest': 'iframe' } }],
    ['a script', { headers: { 'Sec-Fetch-Dest': 'empty' } }],
    ['an image', { headers: { 'Sec-Fetch-Dest': 'image' } }],
    ['a prefetch', { headers: { 'Sec-Purpose': 'prefetch' } }],
    ['a prerender', { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
    ['a prefetch of an older browser', { headers: { Purpose: 'prefetch' } }],
    ['a HEAD request', { method: 'HEAD' }],
  ])('%s does not, and costs no look-up', async (_, input) => {
    const codes: string[] = [];
    const onRefuse = ({ code }: { code: string }) => codes.push(code);
    const unexpected = (): never => {
      throw new Error('not expected');
    };
    const open = await startOpening({ user: unexpected, onRefuse });
    const { method, headers } = { method: 'GET', headers: {}, ...input };
    const answer = await open({ method, headers });
    expect(answer.status).toBe(503);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(codes).toEqual(['navigation_required']);
    expect(portal.received).toHaveLength(0);
  });
});

describe('the query', () => {
  it('is read for the report alone', async () => {
    const seen: unknown[] = [];
    const open = await startOpening({ authorize: ({ request }) => !!seen.push(request) });
    const more = 'userEmail=a@b.example&embed=true&customFilters=[]&hideMenu=true&utm_source=mail';
    expect((await open({ path: `${link}&${more}&?reportId=x` })).status).toBe(303);
    expect(seen).toEqual([{ reportId }]);
    expect(portal.received[0]!.body).toEqual({
      userEmail: 'west@acme.example',
      baseUrl: portalUrl,
      organizationId,
      reportId,
    });
  });

  it.each(['reportId=', 'reportId=sales', `reportId=${reportId}&reportId=${reportId}`])(
    'with %s is refused',
    async (query) => {
      const open = await startOpening();
      expectPage(await open({ path: `/portal-embed/open?${query}` }), 400);
      expect(portal.received).toHaveLength(0);
    },
  );
});

describe('the policy', () => {
  it('limits, sets and locks as for the host endpoint', async () => {
    const lockedFilters = [{ key: 'Orders/Region', value: 'West' }];
    const open = await startOpening({
      authorize: () => ({ allow: { reports: [reportId] }, set: { hideMenu: true }, lockedFilters }),
    });
    expect((await open()).status).toBe(303);
    expect(portal.received[0]!.body).toMatchObject({
      hideMenu: true,
      customFilters: lockedFilters,
    });
    expectPage(await open({ path: link.replace(/1$/, '2') }), 403);
    expectPage(await open({ path: '/portal-embed/open' }), 403);
    expect(portal.received).toHaveLength(1);
  });

  it('has a limit for each user, and links that another site opens leave the mints alone', async () => {
    const app = await start({ allowOpen: true, limits: { mintsPerUserPerMinute: 1 } });
    expect((await app.send({ path: link })).status).toBe(303);
    const answer = await app.send({ path: link });
    expectPage(answer, 429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await app.mint()).status).toBe(200);
    expect((await app.mint()).status).toBe(429);
  });
});

describe('a refusal is a page', () => {
  const title = ({ text }: Answer) => /<h1>(.*)<\/h1>/.exec(text)![1];

  it.each([
    ['not signed in', { user: () => null }, 401, 'Sign in to open this report'],
    ['not authorized', { authorize: () => false }, 403, 'You cannot open this report'],
    ['of a failed callback', { user: () => Promise.reject(new Error('pk_x')) }, 503, 'The report'],
  ] satisfies [string, Partial<Options>, number, string][])(
    'for a user: %s',
    async (_, options, status, heading) => {
      const answer = await (await startOpening(options))();
      expectPage(answer, status);
      expect(title(answer)).toContain(heading);
      expect(answer.text).not.toContain('pk_x');
      expect(portal.received).toHaveLength(0);
    },
  );

  it.each([
    [404, 'user_not_found', 403, 'You have no access to the reports'],
    [403, 'report_not_accessible', 403, 'You cannot open this report'],
    [401, 'invalid_api_key', 502, 'The report is not available'],
    [400, 'invalid_request', 400, 'This link is not valid'],
  ])('for an answer %i %s of the portal', async (given, code, status, heading) => {
    portal.answer(problemAnswer(given, code));
    const answer = await (await startOpening())();
    expectPage(answer, status);
    expect(title(answer)).toBe(heading);
    expect(answer.text).not.toContain('about');
  });

  it('for a host name without a tenant', async () => {
    const open = await startOpening();
    expectPage(await open({ host: 'evil.localhost' }), 404);
    expect(portal.received).toHaveLength(0);
  });

  it("for a URL outside of the tenant's portal", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    portal.answer(jsonAnswer(200, { embedUrl: 'https://evil.example/?token=t', expiresAt }));
    const answer = await (await startOpening())();
    expectPage(answer, 503);
    expect(answer.text).not.toContain('evil');
  });

  it('that names the request in the log and repeats nothing else of it', async () => {
    const open = await startOpening();
    const script = '<script>alert(1)</script>';
    const path = `/portal-embed/open?reportId=${encodeURIComponent(script)}&${encodeURIComponent(script)}`;
    const answer = await open({ path, headers: { 'X-Request-Id': 'edge-42', 'X-User': script } });
    expectPage(answer, 400);
    expect(answer.text).toContain('Reference: edge-42');
    for (const text of [script, encodeURIComponent(script), 'alert'])
      expect(answer.text).not.toContain(text);
    expect(answerOpenRefusal(new Refusal('forbidden'), '<b>').body).toContain('&#60;b&#62;');
    const forged = await open({ path, headers: { 'X-Request-Id': script } });
    expect(forged.text).not.toContain('alert');
  });
});
