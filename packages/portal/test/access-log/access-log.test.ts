import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exportEntries } from '../../src/access-log/service.ts';
import { linkGroupReports, unlinkGroupReports } from '../../src/access/report-links.ts';
import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { addMembers, removeMembers } from '../../src/groups/service.ts';
import { sha256 } from '../../src/secrets.ts';
import { updateUser } from '../../src/users/service.ts';
import { keyActor } from '../support/actors.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  // Grants must be older than the openings that a test dates back.
  for (const table of ['report_users', 'report_groups', 'group_members'])
    await sql`UPDATE ${sql.table(table)} SET granted_at = now() - interval '1 day'`.execute(
      portal.db,
    );
});
afterAll(() => portal.close());

interface Entry {
  reportId: string;
  userEmail: string;
}

const entriesOf = async (email: string): Promise<Entry[]> => {
  const answer = await portal.api('GET', `/api/report-audit?userEmail=${email}&pageSize=200`);
  return answer.json().data;
};

/** How many entries `work` adds for the user. */
async function countAdded(email: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await entriesOf(email)).length;
  await work();
  return (await entriesOf(email)).length - before;
}

/** Dates the session's latest entry of each report back by `interval`. */
const ageEntries = (bearer: string, interval: string) =>
  sql`UPDATE session_openings SET opened_at = now() - ${interval}::interval
    WHERE bearer_hash = ${sha256(bearer)}`.execute(portal.db);

const startWholePortal = async (name: 'west' | 'east' | 'both') =>
  (await startSession(portal, portal.acme, { userEmail: portal.acme.emails[name] })).bearer;

const viewReport = async (
  bearer: string,
  intent: 'open' | 'refresh',
  reportId = portal.acme.reportId,
) => expect((await view(portal.acme.address, bearer, reportId, { intent })).status).toBe(200);

it('an entry of the report access log has every field', async () => {
  const { acme } = portal;
  const { id: organizationId, reportId } = acme;
  const userEmail = acme.emails.none.toUpperCase();
  const [user] = (await portal.api('GET', `/api/user?email=${userEmail}`)).json().data;
  const before = Date.now();
  await mint(portal, acme, { userEmail, reportId });
  const entries = await entriesOf(userEmail);
  expect(entries).toEqual([
    {
      id: expect.any(String),
      createdAt: expect.any(String),
      organizationId,
      userId: user.id,
      userEmail,
      reportId,
      reportName: 'Orders',
      action: 1,
      actionName: 'TokenRequested',
    },
  ]);
  const [{ createdAt }] = entries as unknown as [{ createdAt: string }];
  expect(Math.abs(Date.parse(createdAt) - before)).toBeLessThan(60_000);
  expect(createdAt).toMatch(/Z$/);
});

it('the report access log can be filtered by report, and by report and user', async () => {
  const { acme } = portal;
  const { both } = acme.emails;
  for (const reportId of [acme.reportId, acme.groupReportId])
    await mint(portal, acme, { userEmail: both, reportId });
  const reports = async (query: string) => {
    const { data } = (await portal.api('GET', `/api/report-audit?pageSize=200${query}`)).json();
    return [...new Set(data.map((entry: Entry) => entry.reportId))];
  };
  expect(await reports(`&reportId=${acme.groupReportId}`)).toEqual([acme.groupReportId]);
  const byBoth = `&userEmail=${both}&reportId=`;
  expect(await reports(byBoth + acme.reportId)).toEqual([acme.reportId]);
  expect(await reports(`&userEmail=${acme.emails.none}&reportId=${acme.groupReportId}`)).toEqual(
    [],
  );
  expect(await reports(`&reportName=of the group`.replaceAll(' ', '%20'))).toEqual([
    acme.groupReportId,
  ]);
});

it('the report access log has no entry of another organization', async () => {
  const { globex, db } = portal;
  const email = 'foreign@globex.example';
  // Newer than every entry of Acme.
  await insertAuditEntries(db, globex, [{ email, at: new Date(Date.now() + 60_000) }]);
  const own = await portal.api('GET', '/api/report-audit?pageSize=200');
  expect(own.json().data.map((entry: Entry) => entry.userEmail)).not.toContain(email);
  for (const query of [`userEmail=${email}`, `reportId=${globex.reportId}`])
    expect((await portal.api('GET', `/api/report-audit?${query}`)).json().data).toEqual([]);
});

it('an export of the access log has the entries of its period and user, oldest first', async () => {
  const { acme, db } = portal;
  const email = 'export@acme.example';
  const at = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute));
  await insertAuditEntries(db, acme, [
    ...[3, 1, 2, 0].map((minute) => ({ email, at: at(minute) })),
    { email: 'other@acme.example', at: at(1) },
  ]);
  await insertAuditEntries(db, portal.globex, [{ email, at: at(2) }]);
  const exported = async (filter: { from?: Date; to: Date; userEmail?: string }) => {
    const minutes = [];
    for await (const rows of exportEntries(acme.ctx, filter))
      minutes.push(...rows.map((row) => row.created_at.getUTCMinutes()));
    return minutes;
  };
  const userEmail = email.toUpperCase();
  expect(await exported({ from: at(1), to: at(3), userEmail })).toEqual([1, 2]);
  expect(await exported({ to: at(3), userEmail })).toEqual([0, 1, 2]);
  expect(await exported({ from: at(0), to: at(3) })).toEqual([0, 1, 1, 2]);
  const asKey = { ...acme.ctx, actor: keyActor(acme.id) };
  await expect(exportEntries(asKey, { to: at(3) }).next()).rejects.toMatchObject({
    code: 'missing_permission',
  });
});

it('the report access log from one time to another has the first and not the second', async () => {
  const { acme, db } = portal;
  const email = 'between@acme.example';
  const at = (minute: number) => new Date(Date.UTC(2020, 1, 1, 0, minute));
  await insertAuditEntries(
    db,
    acme,
    [0, 1, 2, 3].map((minute) => ({ email, at: at(minute) })),
  );
  const minutes = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ userEmail: email, ...query }).toString();
    const { data } = (await portal.api('GET', `/api/report-audit?${search}`)).json();
    return data.map((entry: { createdAt: string }) => new Date(entry.createdAt).getUTCMinutes());
  };
  const [from, to] = [at(1).toISOString(), at(3).toISOString()];
  expect(await minutes({ from, to })).toEqual([2, 1]);
  expect(await minutes({ from })).toEqual([3, 2, 1]);
  expect(await minutes({ to })).toEqual([2, 1, 0]);
});

it('an export has each of many entries of one millisecond once', async () => {
  const { acme, db } = portal;
  const email = 'dense@acme.example';
  await sql`
    INSERT INTO audit_entries (organization_id, created_at, user_id, user_email, user_email_key,
      report_id, report_name, action)
    SELECT ${acme.id}::uuid, '2020-03-01T00:00:00Z'::timestamptz + n % 1000 * interval '1 microsecond',
      gen_random_uuid(), ${email}, ${email}, ${acme.reportId}::uuid, 'Orders', 1
    FROM generate_series(1, 1200) AS n`.execute(db);
  const ids: string[] = [];
  const batches: number[] = [];
  for await (const rows of exportEntries(acme.ctx, { userEmail: email, to: new Date() })) {
    batches.push(rows.length);
    ids.push(...rows.map((row) => row.id));
    if (ids.length > 1_200) break;
  }
  expect(ids).toHaveLength(1_200);
  expect(new Set(ids).size).toBe(1_200);
  expect(batches).toEqual([1_000, 200]);
});

describe('the access log of a browsing session', () => {
  it('has one entry per opened report, with the e-mail of the mint', async () => {
    const { acme } = portal;
    const named = acme.emails.both.toUpperCase();
    const before = (await entriesOf(named)).length;
    const { bearer } = readSession(await open(await mint(portal, acme, { userEmail: named })));
    await viewReport(bearer, 'open');
    await viewReport(bearer, 'refresh');
    await viewReport(bearer, 'open', acme.groupReportId);
    await viewReport(bearer, 'open');
    const entries = (await entriesOf(named)).slice(0, -before || undefined);
    expect(entries.map(({ reportId }) => reportId)).toEqual([acme.groupReportId, acme.reportId]);
    const [user] = (await portal.api('GET', `/api/user?email=${acme.emails.both}`)).json().data;
    expect(entries).toMatchObject(
      ['Orders of the group', 'Orders'].map((reportName) => ({ reportName, userId: user.id })),
    );
    expect(new Set(entries.map(({ userEmail }) => userEmail))).toEqual(new Set([named]));
  });

  it('has an entry for a refresh of a report that was never opened', async () => {
    const bearer = await startWholePortal('both');
    expect(await countAdded(portal.acme.emails.both, () => viewReport(bearer, 'refresh'))).toBe(1);
  });

  it('has another entry for a report that is opened again after a minute', async () => {
    const { both } = portal.acme.emails;
    const bearer = await startWholePortal('both');
    await viewReport(bearer, 'open');
    await ageEntries(bearer, '55 seconds');
    expect(await countAdded(both, () => viewReport(bearer, 'open'))).toBe(0);
    await ageEntries(bearer, '61 seconds');
    expect(await countAdded(both, () => viewReport(bearer, 'refresh'))).toBe(0);
    expect(await countAdded(both, () => viewReport(bearer, 'open'))).toBe(1);
    expect(await countAdded(both, () => viewReport(bearer, 'open'))).toBe(0);
  });

  it.each(['open', 'refresh'] as const)(
    'has one entry for ten simultaneous first requests with the intent %s',
    async (intent) => {
      for (let round = 0; round < 5; round++) {
        const bearer = await startWholePortal('west');
        const ask = () => Promise.all(Array.from({ length: 10 }, () => viewReport(bearer, intent)));
        expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
      }
    },
  );

  it('has one entry for simultaneous openings after a minute', async () => {
    const bearer = await startWholePortal('west');
    await viewReport(bearer, 'open');
    await ageEntries(bearer, '2 minutes');
    const ask = () => Promise.all(Array.from({ length: 10 }, () => viewReport(bearer, 'open')));
    expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
  });

  it('has no opening for a file', async () => {
    const { acme } = portal;
    const bearer = await startWholePortal('west');
    await viewReport(bearer, 'open');
    await ageEntries(bearer, '2 minutes');
    const before = await entriesOf(acme.emails.west);
    const file = await send(`${acme.address}/viewer/reports/${acme.reportId}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      json: { tile: '0.0.0', format: 'csv' },
    });
    expect(file.status).toBe(200);
    const added = (await entriesOf(acme.emails.west)).slice(0, -before.length);
    expect(added).toMatchObject([{ actionName: 'ReportExported' }]);
  });

  it('has no entry for a rejected request', async () => {
    const { acme } = portal;
    const bearer = await startWholePortal('west');
    const ask = async () =>
      expect((await view(acme.address, bearer, acme.groupReportId)).status).toBe(403);
    expect(await countAdded(acme.emails.west, ask)).toBe(0);
  });
});

describe('the access log of a URL for one report', () => {
  const startSingle = () =>
    startSession(portal, portal.acme, {
      userEmail: portal.acme.emails.west,
      reportId: portal.acme.reportId,
    });

  it('has no entry for repeated views besides that of the mint', async () => {
    const ask = async () => {
      const { bearer } = await startSingle();
      await viewReport(bearer, 'open');
      await viewReport(bearer, 'refresh');
      await viewReport(bearer, 'open');
    };
    expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
  });

  it('has no entry for an opening minutes later besides that of the mint', async () => {
    const { acme, db } = portal;
    const ask = async () => {
      const url = await mint(portal, acme, {
        userEmail: acme.emails.west,
        reportId: acme.reportId,
      });
      await sql`UPDATE identity_urls SET created_at = now() - interval '4 minutes'
        WHERE used_at IS NULL`.execute(db);
      const { bearer, view: first } = readSession(await open(url));
      expect(first).not.toBeNull();
      await viewReport(bearer, 'refresh');
    };
    expect(await countAdded(acme.emails.west, ask)).toBe(1);
  });

  it('has an entry for access that is revoked and granted again after the mint', async () => {
    const { acme } = portal;
    const { ctx, reportId } = acme;
    const link = { userEmail: acme.emails.west, reports: [reportId] };
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId });
    await unlinkReports(ctx, link);
    await linkReports(ctx, link);
    expect(await countAdded(acme.emails.west, () => open(url))).toBe(1);
  });

  it('has an entry for access that is revoked and granted again during the session', async () => {
    const { acme } = portal;
    const { ctx, reportId } = acme;
    const link = { userEmail: acme.emails.west, reports: [reportId] };
    const { bearer } = await startSingle();
    await unlinkReports(ctx, link);
    await linkReports(ctx, link);
    expect(await countAdded(acme.emails.west, () => viewReport(bearer, 'refresh'))).toBe(1);
    expect(await countAdded(acme.emails.west, () => viewReport(bearer, 'refresh'))).toBe(0);
  });
});

describe('the access log after access was revoked and granted again', () => {
  it('has an entry for a view through a direct grant', async () => {
    const { acme } = portal;
    const link = { userEmail: acme.emails.west, reports: [acme.reportId] };
    const bearer = await startWholePortal('west');
    await viewReport(bearer, 'open');
    await unlinkReports(acme.ctx, link);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(403);
    await linkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.west, () => viewReport(bearer, 'refresh'))).toBe(1);
    // Linking an already linked report is not a new grant.
    await linkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.west, () => viewReport(bearer, 'refresh'))).toBe(0);
  });

  it.each(['members', 'reports'] as const)(
    'has an entry for a view through the %s of a group',
    async (side) => {
      const { acme } = portal;
      const { ctx, groupReportId } = acme;
      const members = { group: 'Leads', memberEmails: [acme.emails.both] };
      const reports = { group: 'Leads', reports: [groupReportId] };
      const bearer = await startWholePortal('both');
      await viewReport(bearer, 'open', groupReportId);
      if (side === 'members') await removeMembers(ctx, members);
      else await unlinkGroupReports(ctx, reports);
      expect((await view(acme.address, bearer, groupReportId)).status).toBe(403);
      if (side === 'members') await addMembers(ctx, members);
      else await linkGroupReports(ctx, reports);
      const ask = () => viewReport(bearer, 'refresh', groupReportId);
      expect(await countAdded(acme.emails.both, ask)).toBe(1);
      expect(await countAdded(acme.emails.both, ask)).toBe(0);
    },
  );

  it('has no entry while another grant was in force all the time', async () => {
    const { acme } = portal;
    const link = { userEmail: acme.emails.both, reports: [acme.groupReportId] };
    const bearer = await startWholePortal('both');
    await viewReport(bearer, 'open', acme.groupReportId);
    await linkReports(acme.ctx, link);
    const ask = () => viewReport(bearer, 'refresh', acme.groupReportId);
    expect(await countAdded(acme.emails.both, ask)).toBe(0);
    await unlinkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.both, ask)).toBe(0);
  });
});

describe('access that began at the very moment of an entry', () => {
  /** Moves `column` of the rows of `table` to the moment that access of west to the report began. */
  const moveToBeginning = (table: string, column: string) =>
    sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = (
      SELECT began_at FROM report_access JOIN users ON users.id = user_id
      WHERE email = ${portal.acme.emails.west} AND report_id = ${portal.acme.reportId}
    )`.execute(portal.db);

  it('a URL for one report, minted when access began, adds no entry', async () => {
    const { acme } = portal;
    const single = { userEmail: acme.emails.west, reportId: acme.reportId };
    const url = await mint(portal, acme, single);
    await moveToBeginning('identity_urls', 'created_at');
    expect(await countAdded(acme.emails.west, () => open(url))).toBe(0);
  });

  it('a refresh of a report that was opened when access began adds no entry', async () => {
    const bearer = await startWholePortal('west');
    await viewReport(bearer, 'open');
    await moveToBeginning('session_openings', 'opened_at');
    const ask = () => viewReport(bearer, 'refresh');
    expect(await countAdded(portal.acme.emails.west, ask)).toBe(0);
  });
});

describe('the access log after the expiration date of a user changes', () => {
  it.each([
    ['without an expiration date', null],
    ['until a later date', new Date('2100-01-01')],
  ])('has an entry for a view if an expired user is renewed %s', async (_name, expirationDate) => {
    const { acme } = portal;
    const userEmail = acme.emails.east;
    const bearer = await startWholePortal('east');
    await viewReport(bearer, 'open');
    await updateUser(acme.ctx, { userEmail, expirationDate: new Date(Date.now() - 1_000) });
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
    await updateUser(acme.ctx, { userEmail, expirationDate });
    expect(await countAdded(userEmail, () => viewReport(bearer, 'refresh'))).toBe(1);
    expect(await countAdded(userEmail, () => viewReport(bearer, 'refresh'))).toBe(0);
  });

  it('has no entry for a view if the date changes before it has passed', async () => {
    const { acme } = portal;
    const userEmail = acme.emails.east;
    const bearer = await startWholePortal('east');
    await viewReport(bearer, 'open');
    for (const date of ['2100-01-01', '2090-01-01'])
      await updateUser(acme.ctx, { userEmail, expirationDate: new Date(date) });
    await updateUser(acme.ctx, { userEmail, expirationDate: null });
    expect(await countAdded(userEmail, () => viewReport(bearer, 'refresh'))).toBe(0);
  });
});
