import { sql } from 'kysely';
import { send, type Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ViewerSession } from '#viewer/requests';

import { notices } from '../../src/pages/notices.ts';
import { createToken } from '../../src/secrets.ts';
import { detailWithoutErrorPage, expectProblem } from '../support/http.ts';
import { noticeOf } from '../support/notices.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
const lineOf = (answer: Answer) => {
  const requestId = String(answer.headers['x-request-id']);
  return JSON.parse(portal.log.findLast((line) => line.includes(requestId))!);
};
const reasonIn = (answer: Answer) => /data-session-required="([\w-]+)"/.exec(answer.body)?.[1];
const textOf = (...of: Parameters<typeof noticeOf>) => {
  const { title, text } = noticeOf(...of);
  return `<h1>${title}</h1>\n<p>${text}</p>`;
};

/** Redeems a token as the portal's page does. */
const redeem = (token: unknown, { json = {}, headers = {} } = {}) =>
  send(`${portal.acme.address}/identity`, {
    method: 'POST',
    headers: { origin: portal.acme.address, 'sec-fetch-site': 'same-origin', ...headers },
    json: { token, embedOrigin: portal.acme.embedOrigin, ...json },
  });
const mintToken = async (body: { reportId?: string } = {}) => {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west, ...body });
  return new URL(url).searchParams.get('token')!;
};

describe('POST /identity', () => {
  it('refuses a body of more than 4,000 bytes', async () => {
    const empty = JSON.stringify({ token: '', embedOrigin: portal.acme.embedOrigin }).length;
    expect((await redeem('x'.repeat(4_000 - empty))).status).toBe(410);
    expect((await redeem('x'.repeat(4_001 - empty))).status).toBe(413);
  });

  it('says why an unknown token is refused and what to do, and logs the reason', async () => {
    const unknown = await redeem(createToken());
    expect(detailWithoutErrorPage(unknown)).toContain(noticeOf('unknown').text);
    expect(lineOf(unknown)).toMatchObject({ reason: 'unknown' });
    expect(lineOf(unknown)).not.toHaveProperty('organizationId');
  });

  it('says that a used token is used, even to an origin that is not registered', async () => {
    const token = await mintToken();
    await redeem(token);
    const answer = await redeem(token, { json: { embedOrigin: 'https://evil.example' } });
    expect(lineOf(answer)).toMatchObject({ code: 'identity_url_spent', reason: 'used' });
  });

  it('says that a used token is used, even after it has expired', async () => {
    const token = await mintToken();
    await redeem(token);
    await sql`UPDATE identity_urls SET expires_at = now()`.execute(portal.db);
    expect((await redeem(token)).json().reason).toBe('used');
  });

  it('answers the session of the whole portal without data', async () => {
    const session: ViewerSession = (await redeem(await mintToken())).json();
    expect(session).toMatchObject({ reportId: null, view: null });
  });
});

it('a request that does not open a page says how to open the link', async () => {
  const url = `${portal.acme.address}/identity?token=${await mintToken()}`;
  const answer = await send(url, { headers: { 'sec-fetch-mode': 'cors' } });
  expect(answer.json()).toMatchObject({
    code: 'navigation_required',
    detail:
      'This address opens the portal once, in a browser. It was not spent; open it in a browser.',
  });
});

it.each(['/embed', '/organizations/a', '/organizations/a/reports/b'])(
  'the page %s can only be read',
  async (path) => {
    const answer = await send(portal.acme.address + path, { method: 'POST' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  },
);

it('a logo of an organization whose ID is not valid does not exist', async () => {
  const answer = await send(`${portal.acme.address}/logos/x/${'a'.repeat(64)}.png`);
  expectProblem(answer, 'not_found');
});

it('the shell has the name of its organization as its title, and is logged as an answer', async () => {
  const page = await open(`${portal.acme.address}/embed`);
  expect(page.body).toContain('<title>acme</title>');
  expect(lineOf(page)).toMatchObject({ res: { status: 200 } });
  expect(lineOf(page)).not.toHaveProperty('code');
});

it('the shell at an address without an organization says what to do, and logs a hint', async () => {
  const port = new URL(portal.publicUrl).port;
  const page = await open(`http://proxied.localhost:${port}/embed`);
  expect(page.body).toContain(textOf('address'));
  expect(page.headers['content-security-policy']).toContain('frame-ancestors *');
  expect(lineOf(page)).toMatchObject({ code: 'not_found', route: '/embed' });
  expect(lineOf(page).hint).toMatch(/proxied\.localhost.* PORTAL_TRUST_PROXY/);
});

it('the page of a report that was withdrawn after the mint has no data and a general title', async () => {
  const { acme, db } = portal;
  const { reportId } = acme;
  const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId });
  await sql`CREATE TABLE kept AS SELECT * FROM report_users`.execute(db);
  await sql`DELETE FROM report_users WHERE report_id = ${reportId}`.execute(db);
  const page = await open(url);
  await sql`DELETE FROM report_users; INSERT INTO report_users SELECT * FROM kept; DROP TABLE kept`.execute(
    db,
  );
  expect(page.status).toBe(200);
  expect(page.body).toContain('<title>Reports</title>');
  expect(readSession(page)).toMatchObject({ reportId, reports: [], view: null });
});

describe('a page without a report', () => {
  it('at the root answers 200 and asks the host for a URL', async () => {
    const page = await send(portal.publicUrl, { headers: { accept } });
    expect([page.status, reasonIn(page)]).toEqual([200, 'unknown']);
    expect(page.body).toContain(textOf('root'));
    expect(page.body).toContain(`href="${portal.adminUrl}/admin">For administrators</a>`);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining('frame-ancestors *'),
    });
    expect(page.body).not.toContain('<style>');
    expect(lineOf(page)).not.toHaveProperty('code');
  });

  it('at an unknown address answers 404 and asks the host for a URL', async () => {
    const page = await send(`${portal.publicUrl}/nowhere`, { headers: { accept } });
    expect([page.status, reasonIn(page)]).toEqual([404, 'unknown']);
    expect(page.body).toContain(textOf('address'));
    expect(lineOf(page)).toMatchObject({ code: 'not_found' });
  });

  it('after a failure of the portal asks the host for a URL', async () => {
    const { acme, db } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await sql`ALTER TABLE identity_urls RENAME TO identity_urls_away`.execute(db);
    const [page, answer] = [await open(url), await redeem(createToken())];
    await sql`ALTER TABLE identity_urls_away RENAME TO identity_urls`.execute(db);
    expect([page.status, reasonIn(page)]).toEqual([500, 'unknown']);
    expect(page.body).toContain(textOf('failed'));
    expect(lineOf(page)).toMatchObject({ code: 'internal_error' });
    expect([answer.status, answer.json().code]).toEqual([500, 'internal_error']);
  });
});

describe('the notices', () => {
  const names = [...Object.keys(notices), 'shell'] as Parameters<typeof noticeOf>[0][];

  it.each(names)(
    'the notice %s has a title without a full stop, and ends with what to do',
    (name) => {
      const { title, text } = noticeOf(name);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(text).toMatch(
        /(^|\. |, then |, or )([Gg]o (back )?to (your|that) application and )?open (the|a) report there( again)?\.$|, then open the report again in your application\.$/,
      );
    },
  );
});

describe('the language of a page without a report', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'ltr'],
    ['fr, pt-BR;q=0.5, en;q=0.1', 'pt', 'ltr'],
    ['en;q=0.5, es', 'es', 'ltr'],
    ['ar-XB', 'ar-XB', 'rtl'],
    ['ar', 'en', 'ltr'],
    ['fr', 'en', 'ltr'],
    ['*', 'en', 'ltr'],
    ['', 'en', 'ltr'],
  ])('for Accept-Language %j is %s', async (accepted, language, direction) => {
    const page = await send(`${portal.acme.address}/identity?token=x`, {
      headers: { accept, 'accept-language': accepted },
    });
    expect(page.body).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(page.body).toContain(textOf('unknown', language));
  });
});
