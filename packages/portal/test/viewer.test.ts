import { sql } from 'kysely';
import { send, type Answer } from 'testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ReportView, ViewerSession } from '../wire/viewer.ts';
import { definition } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, readSession, startSession, view } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const total = (answer: Answer): number | null => {
  const tile = (answer.json() as ReportView).tiles.find(({ id }) => id === 'total');
  return tile?.mark === 'kpi' ? tile.value : null;
};

const region = (value: string) => ({ key: 'Orders/Region', value });

const auditOf = async (email: string): Promise<{ reportId: string; userEmail: string }[]> => {
  const answer = await portal.api('GET', `/api/report-audit?userEmail=${email}&pageSize=200`);
  return answer.json().data;
};

describe('row-level security', () => {
  const totals: [keyof TestPortal['acme']['emails'], number | null, number][] = [
    ['west', 30, 2],
    ['east', 40, 2],
    ['both', 70, 4],
    ['none', null, 0],
  ];

  it.each(totals)('shows %s exactly their own rows', async (name, expected, rowCount) => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails[name],
      reportId: acme.reportId,
    });
    const answer = await view(acme.address, session.bearer, acme.reportId);
    expect(answer.status).toBe(200);
    expect(total(answer)).toBe(expected);
    expect(answer.json().rowCount).toBe(rowCount);
  });

  it('gives a group’s role to its members at once, and takes it away at once', async () => {
    const { acme } = portal;
    const email = 'member@acme.example';
    await portal.api('POST', '/api/user', { json: { email, name: 'Member', role: 3 } });
    await portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail: email, reports: [acme.reportId] },
    });
    await sql`INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT organization_id, ${acme.groupId}::uuid, id FROM users WHERE email = ${email}
      ON CONFLICT DO NOTHING`.execute(portal.db);
    const session = await startSession(portal, acme, { userEmail: email, reportId: acme.reportId });
    const look = async () => total(await view(acme.address, session.bearer, acme.reportId));
    expect(await look()).toBeNull();
    const link = { groups: [acme.groupId], datasetId: acme.datasetId, role: 'East' };
    await portal.api('PUT', '/api/datasets/rls/link-groups', { json: link });
    expect(await look()).toBe(40);
    await portal.api('PUT', '/api/datasets/rls/unlink-groups', { json: link });
    expect(await look()).toBeNull();
  });

  it('compares a role’s e-mail column with the viewer’s, whatever the letter case', async () => {
    const { acme, db } = portal;
    await sql`UPDATE rls_roles SET predicate = '{"column":"Owner","equalsViewerEmail":true}'
      WHERE organization_id = ${acme.id} AND name = 'East'`.execute(db);
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.east,
      reportId: acme.reportId,
    });
    expect(total(await view(acme.address, session.bearer, acme.reportId))).toBe(40);
    await sql`UPDATE rls_roles SET predicate = '{"column":"Region","in":["East"]}'
      WHERE organization_id = ${acme.id} AND name = 'East'`.execute(db);
  });

  it('shows no data at all when a role names a column that the dataset lacks', async () => {
    const { acme, db } = portal;
    await sql`UPDATE rls_roles SET predicate = '{"column":"Gone","in":["West"]}'
      WHERE organization_id = ${acme.id} AND name = 'West'`.execute(db);
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    const answer = await view(acme.address, session.bearer, acme.reportId);
    expect([answer.status, answer.json().code]).toEqual([502, 'report_failed']);
    expect(answer.body).not.toMatch(/SELECT|Gone|csv/);
    await sql`UPDATE rls_roles SET predicate = '{"column":"Region","in":["West"]}'
      WHERE organization_id = ${acme.id} AND name = 'West'`.execute(db);
  });
});

describe('the redeemed page of one report', () => {
  it('carries that report’s first data, under the same rules', async () => {
    const { acme } = portal;
    const openAs = (name: 'west' | 'none', customFilters: { key: string; value: string }[] = []) =>
      startSession(portal, acme, {
        userEmail: acme.emails[name],
        reportId: acme.reportId,
        customFilters,
      });
    expect((await openAs('west')).view).toMatchObject({ rowCount: 2, unappliedFilters: [] });
    expect((await openAs('west', [region('East')])).view).toMatchObject({ rowCount: 0 });
    expect((await openAs('none')).view).toMatchObject({ rowCount: 0 });
  });

  it('comes without data where the report fails or was taken away since', async () => {
    const { acme, db } = portal;
    const json = { userEmail: acme.emails.west, reports: [acme.reportId] };
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    await portal.api('PUT', '/api/user/unlink-reports', { json });
    const session = readSession(await open(url));
    expect([session.view, session.reports]).toEqual([null, []]);
    await portal.api('PUT', '/api/user/link-reports', { json });

    await sql`UPDATE reports SET definition = '{"tiles":[]}' WHERE id = ${acme.reportId}`.execute(
      db,
    );
    const broken = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    expect(broken.view).toBeNull();
    await sql`UPDATE reports SET definition = ${JSON.stringify(definition)}::jsonb
      WHERE id = ${acme.reportId}`.execute(db);
  });
});

describe('custom filters', () => {
  const lookAs = async (
    name: 'west' | 'both',
    minted: { key: string; value: string }[],
    asked: { key: string; value: string }[] = [],
  ) => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails[name],
      reportId: acme.reportId,
      customFilters: minted,
    });
    return view(acme.address, session.bearer, acme.reportId, { filters: asked });
  };

  it('give West no rows for another region, never East’s', async () => {
    const answer = await lookAs('west', [region('East')]);
    expect([answer.status, answer.json().rowCount, total(answer)]).toEqual([200, 0, null]);
  });

  it('mean any of the values of one key and all of the keys', async () => {
    expect(total(await lookAs('both', [region('East'), region('West')]))).toBe(70);
    const chairs = { key: 'Category', value: 'Chairs' };
    expect(total(await lookAs('both', [region('East'), chairs]))).toBe(15);
  });

  it('mean all of two spellings of one column', async () => {
    const answer = await lookAs('both', [region('East'), { key: 'Region', value: 'West' }]);
    expect(answer.json().rowCount).toBe(0);
  });

  it('of the page narrow those of the URL and never replace them', async () => {
    expect((await lookAs('both', [region('East')], [region('West')])).json().rowCount).toBe(0);
    expect(total(await lookAs('both', [region('East')], [region('East')]))).toBe(40);
  });

  it('name the keys that no column answers to, and leave the rows as they are', async () => {
    const answer = await lookAs('both', [{ key: 'Nowhere/Nothing', value: 'x' }, region('East')]);
    expect(answer.json().unappliedFilters).toEqual(['Nowhere/Nothing']);
    expect(total(answer)).toBe(40);
  });

  it('compare in the column’s own type; a value that is none equals nothing', async () => {
    expect(total(await lookAs('both', [{ key: 'Sales', value: '10.0' }]))).toBe(10);
    expect(total(await lookAs('both', [{ key: 'Ordered', value: '2024-01-09' }]))).toBe(15);
    expect((await lookAs('both', [{ key: 'Sales', value: 'ten' }])).json().rowCount).toBe(0);
  });

  it('are data, whatever they contain', async () => {
    const attacks = [
      "East' OR '1'='1",
      `East" OR 1=1 --`,
      "'); DROP TABLE users; --",
      "x' UNION SELECT * FROM read_csv('/etc/passwd') --",
      '$1',
      '?',
      '%',
      '\\',
      'ꙮ🦀',
    ];
    for (const attack of attacks) {
      const byValue = await lookAs('west', [{ key: 'Region', value: attack }]);
      expect([attack, byValue.status, byValue.json().rowCount]).toEqual([attack, 200, 0]);
      const byKey = await lookAs('west', [{ key: attack, value: 'East' }]);
      expect([byKey.status, byKey.json().unappliedFilters, total(byKey)]).toEqual([
        200,
        [attack],
        30,
      ]);
    }
  });
});

describe('a session', () => {
  const whole = (name: 'west' | 'both' | 'outsider'): Promise<ViewerSession> =>
    startSession(portal, portal.acme, { userEmail: portal.acme.emails[name] });

  it('of the whole portal lists only what its user may open, directly or by group', async () => {
    const { acme } = portal;
    expect((await whole('west')).reports.map(({ id }) => id)).toEqual([acme.reportId]);
    expect((await whole('both')).reports.map(({ id }) => id)).toEqual([
      acme.reportId,
      acme.groupReportId,
    ]);
    expect((await whole('outsider')).reports).toEqual([]);
  });

  it('of one report opens that report alone', async () => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.both,
      reportId: acme.reportId,
    });
    expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(200);
    const other = await view(acme.address, session.bearer, acme.groupReportId);
    expect([other.status, other.json().code]).toEqual([403, 'report_not_accessible']);
  });

  it('opens nothing of another organization, by id, address or bearer', async () => {
    const { acme, globex } = portal;
    const session = await whole('west');
    expect((await view(acme.address, session.bearer, globex.reportId)).status).toBe(403);
    for (const address of [globex.address, portal.publicUrl]) {
      const answer = await view(address, session.bearer, acme.reportId);
      expect([answer.status, answer.json().code]).toEqual([401, 'session_required']);
    }
  });

  it('loses a report the moment that access is taken away', async () => {
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

  it('needs its bearer, whole and unchanged', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    const flipped = (bearer.startsWith('A') ? 'B' : 'A') + bearer.slice(1);
    for (const wrong of ['', 'x', flipped, `${bearer}A`, bearer.slice(1)])
      expect((await view(acme.address, wrong, acme.reportId)).status).toBe(401);
  });

  it.each([
    ['30 minutes without use', 'touched_at', '30 minutes'],
    ['ten hours', 'created_at', '10 hours'],
  ])('ends after %s', async (_name, column, age) => {
    const { acme, db } = portal;
    const { bearer } = await whole('west');
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
    await sql`UPDATE portal_sessions SET ${sql.ref(column)} = now() - ${age}::interval`.execute(db);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
  });

  it('refuses a body of another shape with 400', async () => {
    const { acme } = portal;
    const { bearer } = await whole('west');
    for (const body of [
      {},
      { intent: 'peek', filters: [] },
      { intent: 'open', filters: [{ key: {} }] },
      { intent: 'open', filters: [], sql: '1' },
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
});

describe('a session that asks for more than it can look at', () => {
  it('gets 429 for the fourth report at once, and goes on when one is there', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const { compute } = portal.platform;
    const computing = vi.spyOn(portal.platform, 'compute').mockImplementation(async (request) => {
      await released;
      return compute(request);
    });
    onTestFinished(() => computing.mockRestore());
    const answered: Answer[] = [];
    const asking = Array.from({ length: 12 }, async () => {
      answered.push(await view(acme.address, bearer, acme.reportId));
    });
    await expect.poll(() => answered.length).toBe(9);
    for (const { status, headers } of answered)
      expect([status, headers['retry-after']]).toEqual([429, '1']);
    release();
    await Promise.all(asking);
    expect(answered.slice(9).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
  });
});

describe('the report access log', () => {
  it('has one entry for each opening while browsing, with the e-mail that the mint named', async () => {
    const { acme } = portal;
    const named = acme.emails.both.toUpperCase();
    const before = (await auditOf(named)).length;
    const { bearer } = readSession(await open(await mint(portal, acme, { userEmail: named })));
    await view(acme.address, bearer, acme.reportId, { intent: 'open' });
    await view(acme.address, bearer, acme.reportId, { intent: 'refresh' });
    await view(acme.address, bearer, acme.groupReportId, { intent: 'open' });
    await view(acme.address, bearer, acme.reportId, { intent: 'open' });
    const entries = (await auditOf(named)).slice(0, -before || undefined);
    expect(entries.map(({ reportId }) => reportId)).toEqual([
      acme.reportId,
      acme.groupReportId,
      acme.reportId,
    ]);
    expect(new Set(entries.map(({ userEmail }) => userEmail))).toEqual(new Set([named]));
  });

  it('has an entry for a refresh of what was never opened', async () => {
    const { acme } = portal;
    const before = (await auditOf(acme.emails.both)).length;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.both });
    await view(acme.address, bearer, acme.reportId, { intent: 'refresh' });
    expect((await auditOf(acme.emails.both)).length).toBe(before + 1);
  });

  it('has one entry for a single report, however often it is looked at', async () => {
    const { acme } = portal;
    const before = (await auditOf(acme.emails.west)).length;
    const { bearer } = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    await view(acme.address, bearer, acme.reportId, { intent: 'open' });
    await view(acme.address, bearer, acme.reportId, { intent: 'open' });
    expect((await auditOf(acme.emails.west)).length).toBe(before + 1);
  });
});

describe('a page that fails on our side', () => {
  it('is a page, which any host may hear asking for a fresh URL, and which holds nothing', async () => {
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
    expect(answer.body).not.toMatch(/Acme|identity_urls|token/i);
    expect((await open(url)).status).toBe(200);
  });
});
