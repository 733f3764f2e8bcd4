import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const refusal = (body: string) => /data-session-required="([\w-]+)"/.exec(body)?.[1];

const post = (json: object) => portal.api('POST', '/api/identity/url', { json });

describe('POST /api/identity/url', () => {
  it('answers 200 with a URL at the requested address that expires in five minutes', async () => {
    const { acme } = portal;
    const before = Date.now();
    const answer = await post({
      userEmail: acme.emails.west,
      baseUrl: acme.address,
      organizationId: acme.id,
      reportId: acme.reportId,
    });
    const after = Date.now();
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { embedUrl, expiresAt, frameChannel } = answer.json();
    expect(frameChannel).toBe(true);
    expect(embedUrl).toContain(`&returnUrl=%2Forganizations%2F${acme.id}%2Freports%2F`);
    const url = new URL(embedUrl);
    expect(url.origin).toBe(acme.address);
    expect(url.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get('returnUrl')).toBe(
      `/organizations/${acme.id}/reports/${acme.reportId}`,
    );
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 300_000);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(after + 300_000);
  });

  it('finds the user in any letter case, and uses the public URL without baseUrl', async () => {
    const answer = await post({ userEmail: portal.acme.emails.west.toUpperCase() });
    expect(answer.status).toBe(200);
    expect(new URL(answer.json().embedUrl).origin).toBe(portal.publicUrl);
  });

  it('answers 404 for an unknown user and for a user of another organization', async () => {
    for (const userEmail of ['nobody@acme.example', portal.globex.emails.west]) {
      const answer = await post({ userEmail });
      expect([answer.status, answer.json().code]).toEqual([404, 'user_not_found']);
    }
  });

  it('answers 403 for an expired user', async () => {
    const { acme, db } = portal;
    await sql`UPDATE users SET expiration_date = now() WHERE email = ${acme.emails.outsider}`.execute(
      db,
    );
    const answer = await post({ userEmail: acme.emails.outsider });
    expect([answer.status, answer.json().code]).toEqual([403, 'user_expired']);
    await sql`UPDATE users SET expiration_date = NULL WHERE email = ${acme.emails.outsider}`.execute(
      db,
    );
  });

  it('answers 403 for a report that is inaccessible, missing or of another organization', async () => {
    const { acme, globex } = portal;
    const missing = '00000000-0000-4000-8000-000000000000';
    const asks: [string, string][] = [
      [acme.emails.outsider, acme.reportId],
      [acme.emails.west, acme.groupReportId],
      [acme.emails.west, missing],
      [acme.emails.west, globex.reportId],
    ];
    for (const [userEmail, reportId] of asks) {
      const answer = await post({ userEmail, reportId, organizationId: acme.id });
      expect([answer.status, answer.json().code]).toEqual([403, 'report_not_accessible']);
    }
  });

  it('answers 403 for the ID of another organization', async () => {
    const { acme, globex } = portal;
    const answer = await post({
      userEmail: acme.emails.west,
      organizationId: globex.id,
      reportId: globex.reportId,
    });
    expect([answer.status, answer.json().code]).toEqual([403, 'organization_mismatch']);
  });

  it('answers 400 for a base URL that is not the organization’s', async () => {
    const { acme, globex } = portal;
    for (const baseUrl of [
      globex.address,
      'https://evil.example',
      `${acme.address}/path`,
      `${acme.address}?x=1`,
      'javascript:alert(1)',
      '//acme.portal.localhost',
    ]) {
      const answer = await post({ userEmail: acme.emails.west, baseUrl });
      expect([baseUrl, answer.status, answer.json().errors[0].path]).toEqual([
        baseUrl,
        400,
        'baseUrl',
      ]);
    }
  });

  it('opens the address of the organization, or the public URL, for any spelling of baseUrl', async () => {
    for (const address of [portal.acme.address, portal.publicUrl]) {
      const baseUrl = `${address.toUpperCase()}/`;
      const answer = await post({ userEmail: portal.acme.emails.west, baseUrl });
      expect(answer.status).toBe(200);
      expect(answer.json().embedUrl.startsWith(`${address}/identity?token=`)).toBe(true);
    }
  });

  it('answers 400 if only one of organizationId and reportId is given', async () => {
    const { acme } = portal;
    const userEmail = acme.emails.west;
    expect((await post({ userEmail, reportId: acme.reportId })).status).toBe(400);
    expect((await post({ userEmail, organizationId: acme.id })).status).toBe(400);
  });

  it('answers 400 to more than 16,384 UTF-8 bytes of filters', async () => {
    const userEmail = portal.acme.emails.west;
    const filters = (letter: string, bytes: number) => {
      const one = { key: 'Region', value: '' };
      const each = Math.floor(bytes / 20);
      return Array.from({ length: 20 }, (_, index) => {
        const size = index < 19 ? each : bytes - 19 * each;
        const overhead = JSON.stringify(one).length + 1 + (index === 0 ? 1 : 0);
        return { ...one, value: letter.repeat((size - overhead) / Buffer.byteLength(letter)) };
      });
    };
    const sizeOf = (list: unknown) => Buffer.byteLength(JSON.stringify(list));
    const most = filters('x', 16_384);
    expect(sizeOf(most)).toBe(16_384);
    expect((await post({ userEmail, customFilters: most })).status).toBe(200);
    const wide = most.map(({ key, value }) => ({ key, value: value.replace('x', 'ä') }));
    for (const customFilters of [wide, filters('x', 16_385)]) {
      expect(sizeOf(customFilters)).toBeGreaterThan(16_384);
      const answer = await post({ userEmail, customFilters });
      expect([answer.status, answer.json().errors]).toEqual([
        400,
        [{ path: 'customFilters', message: 'must have at most 16384 bytes in total' }],
      ]);
    }
  });

  it('writes one audit entry for a single report and none for the whole portal', async () => {
    const { acme } = portal;
    const count = async () => {
      const answer = await portal.api(
        'GET',
        `/api/report-audit?userEmail=${acme.emails.east}&pageSize=200`,
      );
      return answer.json().data.length as number;
    };
    const before = await count();
    await mint(portal, acme, { userEmail: acme.emails.east });
    expect(await count()).toBe(before);
    await mint(portal, acme, { userEmail: acme.emails.east, reportId: acme.reportId });
    expect(await count()).toBe(before + 1);
  });

  it('a refused mint says what happened and what to do, about its address before its user', async () => {
    const { acme, globex, db } = portal;
    const { west, outsider } = acme.emails;
    const baseUrl = globex.address;
    const refusalOf = async (body: object) => (await post(body)).json().detail;
    const foreign = 'baseUrl is not a registered portal address of this organization.';
    for (const userEmail of [west, 'nobody@acme.example'])
      expect(await refusalOf({ userEmail, baseUrl })).toBe(
        `${foreign} Register the address, or leave baseUrl out.`,
      );
    const single = { organizationId: acme.id, reportId: acme.groupReportId };
    expect(await refusalOf({ userEmail: west, ...single })).toBe(
      `The user ${west} may not open this report, or the report does not exist. Grant access with PUT /api/user/link-reports.`,
    );
    expect(await refusalOf({ userEmail: west, ...single, organizationId: globex.id })).toBe(
      'This API key does not belong to the organization organizationId. Use a key of that organization.',
    );
    const expire = (moment: string | null) =>
      sql`UPDATE users SET expiration_date = ${moment} WHERE email = ${outsider}`.execute(db);
    await expire('2020-01-01T00:00:00Z');
    expect(await refusalOf({ userEmail: outsider, ...single })).toBe(
      `The user ${outsider} has expired. Extend the user's expiration date.`,
    );
    await expire(null);
  });

  it('writes nothing when it refuses a mint', async () => {
    const { acme, db } = portal;
    const count = async () =>
      (
        await sql<{ n: number }>`
        SELECT (SELECT count(*) FROM identity_urls) + (SELECT count(*) FROM audit_entries) AS n`.execute(
          db,
        )
      ).rows[0]!.n;
    const before = await count();
    await post({
      userEmail: acme.emails.outsider,
      organizationId: acme.id,
      reportId: acme.reportId,
    });
    await post({ userEmail: acme.emails.west, baseUrl: 'https://evil.example' });
    const expire = (moment: string | null) =>
      sql`UPDATE users SET expiration_date = ${moment} WHERE email = ${acme.emails.none}`.execute(
        db,
      );
    await expire('2020-01-01T00:00:00Z');
    await post({ userEmail: acme.emails.none });
    await expire(null);
    expect(await count()).toBe(before);
  });
});

describe('GET /identity', () => {
  it('opens the portal once; a second opening answers 410 and says why', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    const first = await open(url);
    expect(first.status).toBe(200);
    expect(readSession(first)).toMatchObject({
      reportId: acme.reportId,
      path: `/organizations/${acme.id}/reports/${acme.reportId}`,
      user: { email: acme.emails.west },
    });
    const second = await open(url);
    expect(second.status).toBe(410);
    expect(refusal(second.body)).toBe('used');
    expect(second.body).toContain('used already');
    expect(second.body).not.toContain('viewer-session');
  });

  it('moves the filters of the URL to the session, so that they are stored once', async () => {
    const { acme, db } = portal;
    const customFilters = [{ key: 'Region', value: 'only-once' }];
    const url = await mint(portal, acme, { userEmail: acme.emails.west, customFilters });
    const count = async (table: string) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM ${sql.table(table)}
        WHERE custom_filters = ${JSON.stringify(customFilters)}::jsonb`.execute(db);
      return rows[0]!.n;
    };
    expect([await count('identity_urls'), await count('portal_sessions')]).toEqual([1, 0]);
    const pages = await Promise.all(Array.from({ length: 20 }, () => open(url)));
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await count('identity_urls'), await count('portal_sessions')]).toEqual([0, 1]);
  });

  it('answers 410 after five minutes, by the database’s clock', async () => {
    const { acme, db } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await sql`UPDATE identity_urls SET expires_at = now() WHERE used_at IS NULL`.execute(db);
    const answer = await open(url);
    expect(answer.status).toBe(410);
    expect(refusal(answer.body)).toBe('expired');
  });

  it('answers 410 to a user who has expired since the mint', async () => {
    const { acme, db } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.none });
    const expire = (time: string | null) =>
      sql`UPDATE users SET expiration_date = ${time} WHERE email = ${acme.emails.none}`.execute(db);
    await expire('2020-01-01T00:00:00Z');
    const answer = await open(url);
    expect(answer.status).toBe(410);
    expect(answer.body).not.toContain(acme.emails.none);
    await expire(null);
  });

  it('answers 410 for a token that was never issued, in any form', async () => {
    const { acme } = portal;
    for (const query of [
      '',
      '?token=',
      `?token=${'a'.repeat(43)}`,
      '?token=a&token=b',
      '?token[x]=1',
    ]) {
      const answer = await open(`${acme.address}/identity${query}`);
      expect([query, answer.status, refusal(answer.body)]).toEqual([query, 410, 'unknown']);
    }
  });

  it('does not use up a URL for HEAD, prefetch, prerender, preview or fetch', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    const attempts = [
      send(url, { method: 'HEAD' }),
      send(url, { headers: { 'sec-purpose': 'prefetch' } }),
      send(url, { headers: { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' } }),
      send(url, { headers: { purpose: 'prefetch', 'sec-fetch-mode': 'navigate' } }),
      send(url, { headers: { 'x-moz': 'prefetch' } }),
      send(url, { headers: { 'x-purpose': 'preview', 'sec-fetch-mode': 'navigate' } }),
      send(url, { headers: { 'sec-fetch-mode': 'cors' } }),
      send(url, { headers: { 'sec-fetch-mode': 'no-cors' } }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(503);
    expect((await open(url)).status).toBe(200);
  });

  it('rejects a token at another organization’s address without using it up', async () => {
    const { acme, globex } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    for (const origin of [globex.address, portal.publicUrl]) {
      const answer = await open(url.replace(acme.address, origin));
      expect([answer.status, refusal(answer.body)]).toEqual([410, 'unknown']);
    }
    // Without a trusted proxy, any client can send this header.
    const forwarded = { 'x-forwarded-host': new URL(acme.address).host };
    const claimed = await open(url.replace(acme.address, portal.publicUrl), forwarded);
    expect(claimed.status).toBe(410);
    expect((await open(url)).status).toBe(200);
  });

  it('opens what was minted, not the returnUrl in the query', async () => {
    const { acme } = portal;
    const url = new URL(
      await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId }),
    );
    url.searchParams.set('returnUrl', '//evil.example/x');
    const answer = await open(url.href);
    expect(answer.status).toBe(200);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).not.toContain('evil.example');
    expect(readSession(answer).reportId).toBe(acme.reportId);
  });

  it('has the security headers on each page', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    for (const answer of [
      await open(url),
      await open(url),
      await open(`${acme.address}/organizations/${acme.id}`),
    ]) {
      const policy = String(answer.headers['content-security-policy']);
      expect(policy.split('; ')).toContain(`frame-ancestors ${acme.embedOrigin}`);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(answer.headers['x-frame-options']).toBeUndefined();
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('answers 410 for a deleted user, whose session ends too', async () => {
    const { acme } = portal;
    const email = 'leaver@acme.example';
    await portal.api('POST', '/api/user', { json: { email, name: 'Leaver', role: 3 } });
    await portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail: email, reports: [acme.reportId] },
    });
    const session = await startSession(portal, acme, { userEmail: email, reportId: acme.reportId });
    const unused = await mint(portal, acme, { userEmail: email });
    await portal.api('DELETE', `/api/user/${encodeURIComponent(email)}`);
    expect((await open(unused)).status).toBe(410);
    expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(401);
  });
});

describe('a reload of the frame', () => {
  it('answers 401 with a page that asks the host for a new URL', async () => {
    const { acme } = portal;
    for (const path of [
      `/organizations/${acme.id}`,
      `/organizations/${acme.id}/reports/${acme.reportId}`,
    ]) {
      const answer = await open(acme.address + path);
      expect([answer.status, refusal(answer.body)]).toEqual([401, 'reloaded']);
    }
  });
});

describe('the log', () => {
  it('has no API key, token or bearer in any line', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    const { bearer } = readSession(await open(url));
    await open(url);
    await view(acme.address, bearer, acme.reportId);
    const token = new URL(url).searchParams.get('token')!;
    const text = portal.log.join('');
    expect(text).toContain('/identity');
    for (const secret of [token, bearer, acme.apiKey]) expect(text).not.toContain(secret);
  });
});
