import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ViewerSession } from '#viewer/requests';

import { setOrigins } from '../../src/organizations/service.ts';
import { detailWithoutErrorPage } from '../support/http.ts';
import { noticeOf } from '../support/notices.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const tokenOf = (url: string) => new URL(url).searchParams.get('token')!;
const mintToken = async (reportId = portal.acme.reportId) => {
  const { acme } = portal;
  return tokenOf(await mint(portal, acme, { userEmail: acme.emails.west, reportId }));
};

/** Redeems a token as the portal's page does. `headers` and `json` replace parts of the request. */
function redeem(
  token: string,
  {
    headers = {},
    json = {},
    address = portal.acme.address,
  }: {
    headers?: Record<string, string | undefined>;
    json?: object;
    address?: string;
  } = {},
) {
  const sent = { origin: address, 'sec-fetch-site': 'same-origin', ...headers };
  return send(`${address}/identity`, {
    method: 'POST',
    headers: Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    json: { token, embedOrigin: portal.acme.embedOrigin, ...json },
  });
}

describe('GET /embed', () => {
  it('is the viewer without data, which only the embed origins may frame', async () => {
    const { acme } = portal;
    const page = await open(`${acme.address}/embed`);
    expect(page.status).toBe(200);
    expect(page.body).toContain('data-accepts="open"');
    expect(page.body).toContain('<script type="module" async');
    expect(page.body).toContain('<div id="viewer"></div>');
    expect(page.body).toContain('<h1>Open this from your application</h1>');
    expect(page.body).not.toContain('viewer-session');
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['cross-origin-resource-policy']).toBe('cross-origin');
    const policy = String(page.headers['content-security-policy']).split('; ');
    expect(policy).toContain(`frame-ancestors ${acme.embedOrigin}`);
    const style = /<style>(.*?)<\/style>/s.exec(page.body)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}'`);
  });

  it('answers 304 until the embed origins or the look change', async () => {
    const { globex, db } = portal;
    const ask = async (etag?: string) => {
      const { status, headers } = await open(
        `${globex.address}/embed`,
        etag ? { 'if-none-match': etag } : {},
      );
      return { status, etag: String(headers['etag']) };
    };
    const first = await ask();
    expect(first.status).toBe(200);
    expect((await ask(first.etag)).status).toBe(304);
    await setOrigins(globex.ctx, { embedOrigins: ['http://other.localhost:3000'] });
    const second = await ask(first.etag);
    expect(second.status).toBe(200);
    expect((await ask(second.etag)).status).toBe(304);
    await sql`UPDATE organizations SET accent_color = '#123456' WHERE id = ${globex.id}`.execute(
      db,
    );
    const third = await ask(second.etag);
    expect(third.status).toBe(200);
    await sql`UPDATE organizations SET name = 'Globex & Sons' WHERE id = ${globex.id}`.execute(db);
    expect((await ask(third.etag)).status).toBe(200);
  });

  it('has the name of the organization, and tells a reader where to open a report', async () => {
    const { body } = await open(`${portal.acme.address}/embed`);
    expect(body).toContain('<title>acme</title>');
    expect(body).toContain('<p class="notice-organization">acme</p>');
    expect(body).toContain(`<p>${noticeOf('shell').text}</p>`);
    expect(body).not.toContain('data-session-required');
  });

  it('is in the language of the reader, and a browser keeps one for each', async () => {
    const { address } = portal.acme;
    const [english, german] = await Promise.all(
      ['en', 'de'].map((language) =>
        open(`${address}/embed`, { 'accept-language': `${language}-XX,fr;q=0.1` }),
      ),
    );
    expect(german!.body).toContain('<html lang="de" dir="ltr">');
    expect(german!.body).toContain(`<p>${noticeOf('shell', 'de').text}</p>`);
    expect(german!.headers['vary']).toContain('Accept-Language');
    expect(german!.headers['etag']).not.toBe(english!.headers['etag']);
  });

  it('tells a reader whose browser runs no scripts that they are required', async () => {
    const { body } = await open(`${portal.acme.address}/embed`);
    expect(body).toMatch(/<noscript><div class="notice">\n<h1>JavaScript is required<\/h1>/);
  });

  it('answers 404 at an address without an organization', async () => {
    const { port } = new URL(portal.publicUrl);
    for (const address of [portal.publicUrl, `http://unknown.portal.localhost:${port}`]) {
      const page = await open(`${address}/embed`);
      expect(page.status).toBe(404);
      expect(page.body).not.toContain('data-accepts');
    }
  });

  it('refuses a network that has tried several unknown addresses', async () => {
    const limited = await startTestPortal({ refusalLimit: 3 });
    const unknown = `http://unknown.portal.localhost:${new URL(limited.publicUrl).port}`;
    const ask = async (address: string) => (await open(`${address}/embed`)).status;
    for (let time = 0; time < 3; time++) expect(await ask(unknown)).toBe(404);
    expect(await ask(unknown)).toBe(429);
    await limited.close();
  });

  it('at the service’s own address is not limited', async () => {
    const limited = await startTestPortal({ refusalLimit: 1 });
    for (let time = 0; time < 3; time++)
      expect((await open(`${limited.publicUrl}/embed`)).status).toBe(404);
    await limited.close();
  });
});

describe('POST /identity', () => {
  it('redeems a token once and answers the session with the first data', async () => {
    const { acme } = portal;
    const token = await mintToken();
    const answer = await redeem(token);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const session: ViewerSession = answer.json();
    expect(session).toMatchObject({
      path: `/organizations/${acme.id}/reports/${acme.reportId}`,
      user: { email: acme.emails.west },
      reportId: acme.reportId,
      view: { report: { id: acme.reportId } },
    });
    expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(200);
    const second = await redeem(token);
    expect(second.status).toBe(410);
    expect(second.json()).toMatchObject({ code: 'identity_url_spent', reason: 'used' });
    const opened = await open(`${acme.address}/identity?token=${token}`);
    expect(opened.status).toBe(410);
  });

  it.each([
    [
      'expired',
      async () => {
        const token = await mintToken();
        await portal.db
          .updateTable('identity_urls')
          .set({ expires_at: new Date(0) })
          .execute();
        return token;
      },
    ],
    ['unknown', async () => 'a'.repeat(43)],
  ])('answers 410 with the reason %s', async (reason, createToken) => {
    const answer = await redeem(await createToken());
    expect(answer.status).toBe(410);
    expect(answer.json()).toMatchObject({ code: 'identity_url_spent', reason });
  });

  it('only one of several simultaneous requests for a token succeeds', async () => {
    const token = await mintToken();
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => redeem(token)),
      ...Array.from({ length: 10 }, () => open(`${portal.acme.address}/identity?token=${token}`)),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 410)]);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin', { origin: undefined }],
    [
      'no origin, to a host name that is not valid',
      { origin: undefined, host: 'under_score.localhost' },
    ],
  ])('refuses a request from %s and spends nothing', async (_, headers) => {
    const token = await mintToken();
    const answer = await redeem(token, { headers });
    expect([answer.status, answer.json().code]).toEqual([403, 'cross_site']);
    expect((await redeem(token)).status).toBe(200);
  });

  it('accepts a browser without fetch metadata', async () => {
    const token = await mintToken();
    expect((await redeem(token, { headers: { 'sec-fetch-site': undefined } })).status).toBe(200);
  });

  it('refuses an embed origin that is not registered, or no longer, and spends nothing', async () => {
    const { acme } = portal;
    const token = await mintToken();
    for (const embedOrigin of ['https://evil.example', 'null', '', portal.globex.embedOrigin]) {
      const answer = await redeem(token, { json: { embedOrigin } });
      expect([embedOrigin, answer.status, answer.json().code]).toEqual([
        embedOrigin,
        403,
        'embed_origin_refused',
      ]);
    }
    await setOrigins(acme.ctx, { embedOrigins: ['http://later.localhost:3000'] });
    expect((await redeem(token)).status).toBe(403);
    await setOrigins(acme.ctx, { embedOrigins: [acme.embedOrigin] });
    expect((await redeem(token)).status).toBe(200);
  });

  it('opens a session that ends when its embed origin is withdrawn', async () => {
    const { acme } = portal;
    const { bearer } = (await redeem(await mintToken())).json();
    const { bearer: navigated } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const viewWith = async (token: string) =>
      (await view(acme.address, token, acme.reportId)).status;
    expect(await viewWith(bearer)).toBe(200);
    await setOrigins(acme.ctx, { embedOrigins: ['http://later.localhost:3000'] });
    // The origin that frames a page is unknown if the page was opened by navigation.
    expect([await viewWith(bearer), await viewWith(navigated)]).toEqual([401, 200]);
    await setOrigins(acme.ctx, { embedOrigins: [acme.embedOrigin] });
    expect(await viewWith(bearer)).toBe(200);
  });

  it('refuses a token at another address and spends nothing', async () => {
    const { acme, globex } = portal;
    const token = await mintToken();
    for (const address of [globex.address, portal.publicUrl])
      expect((await redeem(token, { address })).status).toBe(410);
    expect((await redeem(token, { address: acme.address })).status).toBe(200);
  });

  it.each([
    ['a token that is no string', { token: 7 }],
    ['an embed origin that no database can hold', { embedOrigin: '\0' }],
    ['half a surrogate pair in the embed origin', { embedOrigin: '\ud800' }],
    ['a field that does not exist', { userEmail: 'east@acme.example' }],
  ])('refuses a body with %s', async (_, json) => {
    const token = await mintToken();
    const answer = await redeem(token, { json });
    expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
    expect((await redeem(token)).status).toBe(200);
  });

  it('refuses a form, which other sites could send', async () => {
    const { acme } = portal;
    const answer = await send(`${acme.address}/identity`, {
      method: 'POST',
      headers: { origin: acme.address, 'content-type': 'text/plain' },
      body: JSON.stringify({ token: 'x', embedOrigin: acme.embedOrigin }),
    });
    expect(answer.status).toBe(415);
  });

  it('/identity answers an unsupported method with the supported ones', async () => {
    const answer = await send(`${portal.acme.address}/identity`, { method: 'PUT' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('logs neither the token nor the bearer', async () => {
    const token = await mintToken();
    const { bearer } = (await redeem(token)).json();
    await redeem(token);
    const text = portal.log.join('');
    for (const secret of [token, bearer]) expect(text).not.toContain(secret);
  });
});

describe('a refusal of POST /identity', () => {
  /** The body of a refusal, without the address of the page about it at the end of `detail`. */
  const refusalOf = async (...of: Parameters<typeof redeem>) => {
    const answer = await redeem(...of);
    return { ...answer.json(), detail: detailWithoutErrorPage(answer) };
  };
  const logged = (requestId: string) =>
    JSON.parse(portal.log.find((line) => line.includes(requestId))!);

  it('says what happened to a used or expired URL, and what to do', async () => {
    const token = await mintToken();
    await redeem(token);
    const used = await refusalOf(token);
    expect(used).toMatchObject({
      detail:
        'This link has been used already. A link opens the portal only once. Go back to your application and open the report there again.',
      advice:
        'A link opens the portal only once. Go back to your application and open the report there again.',
    });
    expect(logged(used.requestId)).toMatchObject({
      reason: 'used',
      organizationId: portal.acme.id,
    });
    const late = await mintToken();
    await sql`UPDATE identity_urls SET expires_at = now() WHERE used_at IS NULL`.execute(portal.db);
    const expired = await refusalOf(late);
    expect(expired.detail).toMatch(/^This link has expired\. A link works for five minutes\./);
    expect(logged(expired.requestId)).toMatchObject({ reason: 'expired' });
  });

  it('names the embed origin, the fields of the body and the limit of its size', async () => {
    const token = await mintToken();
    const embedOrigin = 'https://evil.example';
    expect((await refusalOf(token, { json: { embedOrigin } })).detail).toBe(
      'https://evil.example is not an embed origin of this organization. Register it with `portal organizations set-embed-origins`.',
    );
    expect(await refusalOf(token, { json: { token: 7 } })).toMatchObject({
      detail: 'The body is not a valid request for a session. Correct the fields in errors.',
      errors: [{ path: 'token' }],
    });
    expect((await refusalOf(token, { headers: { origin: embedOrigin } })).detail).toBe(
      "This request is for the portal's own page. It was refused, and the link was not spent.",
    );
    const sizeOf = (json: object) => JSON.stringify({ token, embedOrigin: '', ...json }).length;
    const padded = (size: number) => ({ embedOrigin: 'x'.repeat(size - sizeOf({})) });
    expect((await refusalOf(token, { json: padded(4_000) })).code).toBe('embed_origin_refused');
    expect((await refusalOf(token, { json: padded(4_001) })).code).toBe('body_too_large');
  });
});
