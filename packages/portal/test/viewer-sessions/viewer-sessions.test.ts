import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { readerView } from 'report-engine/testing/reader-view';
import { send, type Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';
import type { ViewerSession } from '#viewer/requests';

import { setOrigins } from '../../src/organizations/service.ts';
import { sha256 } from '../../src/secrets.ts';
import { disconnectReader } from '../support/disconnect.ts';
import { noticeOf } from '../support/notices.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import {
  grantAgain,
  listValues,
  mint,
  open,
  readSession,
  startSession,
  view,
} from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

describe('a session', () => {
  const whole = (name: 'west' | 'both' | 'outsider'): Promise<ViewerSession> =>
    startSession(portal, portal.acme, { userEmail: portal.acme.emails[name] });

  it('of the whole portal lists only what its user may open, directly or through a group', async () => {
    const { acme } = portal;
    expect((await whole('west')).reports.map(({ id }) => id)).toEqual([acme.reportId]);
    expect((await whole('both')).reports.map(({ id }) => id)).toEqual([
      acme.reportId,
      acme.groupReportId,
    ]);
    expect((await whole('both')).reports[1]).toEqual({
      id: acme.groupReportId,
      name: 'Orders of the group',
      description: null,
      workspaceName: 'Leads',
    });
    expect((await whole('outsider')).reports).toEqual([]);
  });

  it('of one report opens only that report', async () => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.both,
      reportId: acme.reportId,
    });
    const own = await view(acme.address, session.bearer, acme.reportId);
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'no-store']);
    const other = await view(acme.address, session.bearer, acme.groupReportId);
    expect([other.status, other.json().code]).toEqual([403, 'report_not_accessible']);
  });

  it('of one report lists no other report', async () => {
    const { acme } = portal;
    for (const reportId of [acme.reportId, acme.groupReportId]) {
      const userEmail = acme.emails.both;
      const session = await startSession(portal, acme, { userEmail, reportId });
      expect(session.view?.report.id).toBe(reportId);
      const listed = await send(`${acme.address}/viewer/reports`, {
        headers: { authorization: `Bearer ${session.bearer}` },
      });
      expect(listed.headers['cache-control']).toBe('no-store');
      for (const { reports } of [session, listed.json()])
        expect(reports.map(({ id }: { id: string }) => id)).toEqual([reportId]);
    }
  });

  it.each([
    [{}, { hideMenu: false, hideNavbar: false, hideSidebar: false }],
    [{ hideMenu: true }, { hideMenu: true, hideNavbar: false, hideSidebar: false }],
    [{ hideNavbar: true }, { hideMenu: false, hideNavbar: true, hideSidebar: false }],
    [{ hideSidebar: true }, { hideMenu: false, hideNavbar: false, hideSidebar: true }],
    [{ embed: true }, { hideMenu: true, hideNavbar: true, hideSidebar: true }],
  ])('of a mint with %o has the display %o', async (flags, display) => {
    const { acme } = portal;
    const session = await startSession(portal, acme, { userEmail: acme.emails.west, ...flags });
    expect(session.display).toEqual(display);
    expect(session.user).toEqual({ name: 'west', email: acme.emails.west });
  });

  it('opens nothing of another organization, by ID, address or bearer', async () => {
    const { acme, globex } = portal;
    const session = await whole('west');
    expect((await view(acme.address, session.bearer, globex.reportId)).status).toBe(403);
    for (const address of [globex.address, portal.publicUrl]) {
      const answer = await view(address, session.bearer, acme.reportId);
      expect([answer.status, answer.json().code]).toEqual([401, 'session_required']);
    }
  });

  it('ends when its address is removed, and so do the URLs at that address', async () => {
    const { publicUrl } = portal;
    const [from, to] = [
      await createTestOrganization(portal, `own-${randomUUID()}`),
      await createTestOrganization(portal, `own-${randomUUID()}`),
    ];
    const user = { userEmail: from.emails.west };
    const atService = await startSession(portal, from, { ...user, baseUrl: publicUrl });
    const session = await startSession(portal, from, user);
    const url = await mint(portal, from, user);
    await setOrigins(from.ctx, { addresses: [] });
    await setOrigins(to.ctx, { addresses: [to.address, from.address] });
    expect((await view(from.address, session.bearer, from.reportId)).status).toBe(401);
    const refused = await open(url);
    expect(refused.status).toBe(410);
    expect(refused.body).toContain('data-session-required="unknown"');
    expect((await view(publicUrl, atService.bearer, from.reportId)).status).toBe(200);
  });

  it('is not opened at an address that another organization has registered since the mint', async () => {
    const { acme, globex, publicUrl, db } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west, baseUrl: publicUrl });
    // In SQL, because only a change of the portal's own address leads here.
    await sql`INSERT INTO organization_addresses (organization_id, origin)
      VALUES (${globex.id}, ${publicUrl})`.execute(db);
    const refused = await open(url);
    await setOrigins(globex.ctx, { addresses: [globex.address] });
    expect(refused.status).toBe(410);
    expect((await open(url)).status).toBe(200);
  });

  it('answers 401 as long as its address belongs to another organization', async () => {
    const { acme, globex, publicUrl, db } = portal;
    const body = { userEmail: acme.emails.west, baseUrl: publicUrl };
    const { bearer } = await startSession(portal, acme, body);
    const status = async () => (await view(publicUrl, bearer, acme.reportId)).status;
    // In SQL, because only a change of the portal's own address leads here.
    await sql`INSERT INTO organization_addresses (organization_id, origin)
      VALUES (${globex.id}, ${publicUrl})`.execute(db);
    const whileRegistered = await status();
    await setOrigins(globex.ctx, { addresses: [globex.address] });
    expect([whileRegistered, await status()]).toEqual([401, 200]);
  });

  it('has the name and the address of its own user', async () => {
    for (const name of ['west', 'both', 'outsider'] as const)
      expect((await whole(name)).user).toEqual({ name, email: portal.acme.emails[name] });
  });

  it('loses a report as soon as access is revoked', async () => {
    const { acme } = portal;
    const json = { userEmail: acme.emails.east, reports: [acme.reportId] };
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.east,
      reportId: acme.reportId,
    });
    await portal.api('PUT', '/api/user/unlink-reports', { json });
    expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(403);
    await portal.api('PUT', '/api/user/link-reports', { json });
    expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(200);
  });

  it('requires its exact bearer', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    const flipped = (bearer.startsWith('A') ? 'B' : 'A') + bearer.slice(1);
    for (const wrong of ['', 'x', flipped, `${bearer}A`, bearer.slice(1)])
      expect((await view(acme.address, wrong, acme.reportId)).status).toBe(401);
  });

  /** Dates a column of the session back by `interval`. */
  async function ageSession(bearer: string, column: 'created_at' | 'touched_at', interval: string) {
    await sql`
      UPDATE portal_sessions SET ${sql.ref(column)} = now() - ${interval}::interval
      WHERE bearer_hash = ${sha256(bearer)}`.execute(portal.db);
  }

  it.each([
    ['30 minutes without use', 'touched_at', '29 minutes 50 seconds', '30 minutes'],
    ['ten hours', 'created_at', '9 hours 59 minutes 50 seconds', '10 hours'],
  ] as const)('ends after %s, and not before', async (_name, column, before, after) => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    await ageSession(bearer, column, before);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
    await ageSession(bearer, column, after);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
  });

  it('records its last use at most once a minute', async () => {
    const { acme, db } = portal;
    const { bearer } = await whole('west');
    const secondsSinceUse = async () => {
      const { rows } = await sql<{ seconds: number }>`
        SELECT extract(epoch FROM now() - touched_at)::float AS seconds
        FROM portal_sessions WHERE bearer_hash = ${sha256(bearer)}`.execute(db);
      return rows[0]!.seconds;
    };
    for (const [idle, isNoted] of [
      ['50 seconds', false],
      ['61 seconds', true],
      ['29 minutes', true],
    ] as const) {
      await ageSession(bearer, 'touched_at', idle);
      expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
      expect([idle, (await secondsSinceUse()) < 45]).toEqual([idle, isNoted]);
    }
  });

  it('ends even if its user has another session in use', async () => {
    const { acme } = portal;
    const [used, idle] = [await whole('west'), await whole('west')];
    for (const { bearer } of [used, idle])
      await ageSession(bearer, 'touched_at', '29 minutes 50 seconds');
    expect((await view(acme.address, used.bearer, acme.reportId)).status).toBe(200);
    const { rows } = await sql<{ minutes: number }>`
      SELECT round(extract(epoch FROM now() - touched_at) / 60)::int AS minutes
      FROM portal_sessions WHERE bearer_hash = ${sha256(idle.bearer)}`.execute(portal.db);
    expect(rows).toEqual([{ minutes: 30 }]);
  });

  it('accepts only the authorization scheme Bearer', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    const listReports = (authorization: string) =>
      send(`${acme.address}/viewer/reports`, { headers: { authorization } });
    for (const wrong of [bearer, `Basic ${bearer}`, `Token ${bearer}`, ` ${bearer}`])
      expect((await listReports(wrong)).status).toBe(401);
    expect((await listReports(`Bearer ${bearer}`)).status).toBe(200);
  });

  it('answers 400 to an invalid body', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    for (const body of [
      {},
      { intent: 'peek' },
      { intent: 'open', view: { filters: [{ field: {} }] } },
      { intent: 'open', sql: '1' },
      { intent: 'open', page: -1 },
      { intent: 'open', page: 1_001 },
      {
        intent: 'open',
        view: readerView({ field: 'Ordered', values: [], grain: 'era' as 'year' }),
      },
    ]) {
      const answer = await send(`${acme.address}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        json: body,
      });
      expect(answer.status).toBe(400);
    }
    expect((await view(acme.address, bearer, 'not-a-uuid')).status).toBe(400);
  });

  it('the refusal of an invalid body or address names the invalid part', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    const body = await view(acme.address, bearer, acme.reportId, { intent: 'peek' as 'open' });
    expect(body.json()).toMatchObject({
      detail: 'The body is not a valid request for a report. Correct the fields in errors.',
      errors: [{ path: 'intent' }],
    });
    const address = await view(acme.address, bearer, 'not-a-uuid');
    expect(address.json().detail).toBe(
      'The report id in the address is not a UUID. Check the address.',
    );
  });

  it('a report that is not shown says what happened and what to do', async () => {
    const { acme, tiles } = portal;
    const { bearer } = await whole('west');
    const ask = (reportId: string) => view(acme.address, bearer, reportId);
    expect((await ask(acme.groupReportId)).json()).toMatchObject({
      detail: 'You may not open this report. Ask your administrator for access.',
      advice: 'Ask your administrator for access.',
    });
    const failing = vi.spyOn(tiles, 'compute').mockRejectedValueOnce(new Error('no engine'));
    onTestFinished(() => failing.mockRestore());
    const advice = 'Try again; if the problem persists, contact your administrator.';
    expect((await ask(acme.reportId)).json()).toMatchObject({
      detail: `The report could not be computed. ${advice}`,
      advice,
    });
    failing.mockRejectedValueOnce(new ReportError('unavailable', 'for a test'));
    expect((await ask(acme.reportId)).json()).toMatchObject({
      detail:
        'The data source is unavailable. Try again in a few minutes; if the problem persists, contact your administrator.',
      reason: 'unavailable',
    });
    failing.mockRejectedValueOnce(new ReportError('overloaded', 'for a test'));
    expect((await ask(acme.reportId)).json()).toMatchObject({
      detail: 'Too many reports are being computed. Try again in a few seconds.',
      advice: 'Try again in a few seconds.',
    });
    const ended = await view(acme.address, 'none', acme.reportId);
    expect(ended.json().detail).toBe(
      'This portal session has ended. Reload the page that shows the portal.',
    );
  });
});

describe('a user with many reports at once', () => {
  /** Holds every report until `release` is called. */
  function holdReports() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const { compute } = portal.tiles;
    const computing = vi.spyOn(portal.tiles, 'compute').mockImplementation(async (request) => {
      await released;
      return compute(request);
    });
    onTestFinished(() => {
      release();
      computing.mockRestore();
    });
    return { release, computing };
  }

  it('gets 429 for an eleventh report, in any number of tabs, until one of the ten has loaded', async () => {
    const { acme } = portal;
    const tabs: string[] = [];
    for (let tab = 0; tab < 4; tab += 1)
      tabs.push((await startSession(portal, acme, { userEmail: acme.emails.west })).bearer);
    const { release, computing } = holdReports();
    const answered: Answer[] = [];
    const asking = Array.from({ length: 16 }, async (_, each) => {
      answered.push(await view(acme.address, tabs[each % tabs.length]!, acme.reportId));
    });
    await expect.poll(() => answered.length).toBe(6);
    for (const { status, headers } of answered)
      expect([status, headers['retry-after']]).toEqual([429, '1']);
    await expect.poll(() => computing.mock.calls.length).toBe(10);
    release();
    await Promise.all(asking);
    expect(answered.slice(6).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await view(acme.address, tabs[0]!, acme.reportId)).status).toBe(200);
  });

  it('gets 429 for values of a filter and for a file, too', async () => {
    const { acme } = portal;
    const { address, reportId } = acme;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const { release, computing } = holdReports();
    const held = Array.from({ length: 10 }, () => view(address, bearer, reportId));
    await expect.poll(() => computing.mock.calls.length).toBe(10);
    const refused = [
      await listValues(address, bearer, reportId, { field: 'Category' }),
      await send(`${address}/viewer/reports/${reportId}/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        json: { tile: '0.0.0', format: 'csv' },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    release();
    await Promise.all(held);
  });

  it('does not delay other users, in the same or another organization', async () => {
    const { acme, globex } = portal;
    const [colleague, other] = [
      await startSession(portal, acme, { userEmail: acme.emails.east }),
      await startSession(portal, globex, { userEmail: globex.emails.west }),
    ];
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const { release, computing } = holdReports();
    const held = Array.from({ length: 10 }, () => view(acme.address, bearer, acme.reportId));
    await expect.poll(() => computing.mock.calls.length).toBe(10);
    const others = [
      view(acme.address, colleague.bearer, acme.reportId),
      view(globex.address, other.bearer, globex.reportId),
    ];
    await expect.poll(() => computing.mock.calls.length).toBe(12);
    const owners = computing.mock.calls.map(([{ organizationId }]) => organizationId);
    expect(new Set(owners.slice(10))).toEqual(new Set([acme.id, globex.id]));
    release();
    for (const { status } of await Promise.all([...held, ...others])) expect(status).toBe(200);
  });

  it('gets the page of an eleventh report without its data, which can be requested later', async () => {
    const { acme } = portal;
    const single = { userEmail: acme.emails.west, reportId: acme.reportId };
    const urls = await Promise.all(Array.from({ length: 11 }, () => mint(portal, acme, single)));
    const { release, computing } = holdReports();
    const held = urls.slice(1).map((url) => open(url));
    await expect.poll(() => computing.mock.calls.length).toBe(10);
    const bare = readSession(await open(urls[0]!));
    expect([bare.reportId, bare.view]).toEqual([acme.reportId, null]);
    release();
    for (const page of await Promise.all(held)) expect(readSession(page).view).not.toBeNull();
    expect((await view(acme.address, bare.bearer, acme.reportId)).status).toBe(200);
  });
});

it('a report is aborted when its reader disconnects', async () => {
  const { outcome, signal } = await disconnectReader(portal);
  expect(outcome).toBe('ECONNRESET');
  await expect.poll(() => signal.aborted).toBe(true);
});

it('a report whose reader disconnects is not logged as failed', async () => {
  const countFailed = () => portal.log.filter((line) => line.includes('report failed')).length;
  const before = countFailed();
  const { signal } = await disconnectReader(portal);
  await expect.poll(() => signal.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(countFailed()).toBe(before);
});

describe('an overloaded engine', () => {
  it('answers 503 with Retry-After', async () => {
    const { acme, tiles } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const failing = vi
      .spyOn(tiles, 'compute')
      .mockRejectedValueOnce(new ReportError('overloaded', 'for a test'));
    const answer = await view(acme.address, bearer, acme.reportId);
    failing.mockRestore();
    expect([answer.status, answer.json().code]).toEqual([503, 'overloaded']);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
  });
});

it('the log has the error of a page that is sent without its data after an internal error', async () => {
  const { acme, db, log } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
  await grantAgain(portal, acme, acme.emails.west);
  await sql`ALTER TABLE audit_entries RENAME TO audit_entries_away`.execute(db);
  const answer = await open(url);
  await sql`ALTER TABLE audit_entries_away RENAME TO audit_entries`.execute(db);
  expect([answer.status, readSession(answer).view]).toEqual([200, null]);
  expect(log.findLast((line) => line.includes('report failed'))).toContain('audit_entries');
});

describe('a page with an internal error', () => {
  it('can be framed by any host, asks for a new URL and contains no data', async () => {
    const url = await mint(portal, portal.acme, { userEmail: portal.acme.emails.west });
    await sql`ALTER TABLE identity_urls RENAME TO identity_urls_away`.execute(portal.db);
    const answer = await open(url);
    await sql`ALTER TABLE identity_urls_away RENAME TO identity_urls`.execute(portal.db);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      500,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(answer.body).toContain('data-session-required="unknown"');
    expect(answer.body).toContain(`<h1>${noticeOf('failed').title}</h1>`);
    expect(answer.body).not.toMatch(/Acme|identity_urls/i);
    expect(answer.body).not.toContain(new URL(url).searchParams.get('token'));
    expect((await open(url)).status).toBe(200);
  });
});
