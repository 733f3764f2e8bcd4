import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  addMembers,
  linkGroupReports,
  removeMembers,
  unlinkGroupReports,
} from '../src/groups/service.ts';
import { linkReports, unlinkReports } from '../src/reports/service.ts';
import { sha256 } from '../src/secrets.ts';
import { updateUser } from '../src/users/service.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, readSession, startSession, view } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  // Long ago, so that a test can make an opening older than a minute.
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

/** Makes the session's latest entry of each report that old. */
const age = (bearer: string, interval: string) =>
  sql`UPDATE session_openings SET opened_at = now() - ${interval}::interval
    WHERE bearer_hash = ${sha256(bearer)}`.execute(portal.db);

const whole = async (name: 'west' | 'east' | 'both') =>
  (await startSession(portal, portal.acme, { userEmail: portal.acme.emails[name] })).bearer;

const look = async (bearer: string, intent: 'open' | 'refresh', reportId = portal.acme.reportId) =>
  expect((await view(portal.acme.address, bearer, reportId, { intent })).status).toBe(200);

describe('the report access log, while browsing', () => {
  it('has one entry for each report that is opened, with the e-mail that the mint named', async () => {
    const { acme } = portal;
    const named = acme.emails.both.toUpperCase();
    const before = (await entriesOf(named)).length;
    const { bearer } = readSession(await open(await mint(portal, acme, { userEmail: named })));
    await look(bearer, 'open');
    await look(bearer, 'refresh');
    await look(bearer, 'open', acme.groupReportId);
    await look(bearer, 'open');
    const entries = (await entriesOf(named)).slice(0, -before || undefined);
    expect(entries.map(({ reportId }) => reportId)).toEqual([acme.groupReportId, acme.reportId]);
    expect(new Set(entries.map(({ userEmail }) => userEmail))).toEqual(new Set([named]));
  });

  it('has an entry for a refresh of what was never opened', async () => {
    const bearer = await whole('both');
    expect(await countAdded(portal.acme.emails.both, () => look(bearer, 'refresh'))).toBe(1);
  });

  it('has another entry when a reader goes to the report again after a minute', async () => {
    const { both } = portal.acme.emails;
    const bearer = await whole('both');
    await look(bearer, 'open');
    await age(bearer, '55 seconds');
    expect(await countAdded(both, () => look(bearer, 'open'))).toBe(0);
    await age(bearer, '61 seconds');
    expect(await countAdded(both, () => look(bearer, 'refresh'))).toBe(0);
    expect(await countAdded(both, () => look(bearer, 'open'))).toBe(1);
    expect(await countAdded(both, () => look(bearer, 'open'))).toBe(0);
  });

  it.each(['open', 'refresh'] as const)(
    'has one entry for ten simultaneous first requests with the intent %s',
    async (intent) => {
      for (let round = 0; round < 5; round++) {
        const bearer = await whole('west');
        const ask = () => Promise.all(Array.from({ length: 10 }, () => look(bearer, intent)));
        expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
      }
    },
  );

  it('has one entry for simultaneous openings after a minute', async () => {
    const bearer = await whole('west');
    await look(bearer, 'open');
    await age(bearer, '2 minutes');
    const ask = () => Promise.all(Array.from({ length: 10 }, () => look(bearer, 'open')));
    expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
  });

  it('has no entry of a request that is refused', async () => {
    const { acme } = portal;
    const bearer = await whole('west');
    const ask = async () =>
      expect((await view(acme.address, bearer, acme.groupReportId)).status).toBe(403);
    expect(await countAdded(acme.emails.west, ask)).toBe(0);
  });
});

describe('the report access log, for a URL of one report', () => {
  const startSingle = () =>
    startSession(portal, portal.acme, {
      userEmail: portal.acme.emails.west,
      reportId: portal.acme.reportId,
    });

  it('has the entry of the mint alone, however often the report is looked at', async () => {
    const ask = async () => {
      const { bearer } = await startSingle();
      await look(bearer, 'open');
      await look(bearer, 'refresh');
      await look(bearer, 'open');
    };
    expect(await countAdded(portal.acme.emails.west, ask)).toBe(1);
  });

  it('has the entry of the mint alone when the URL is opened minutes later', async () => {
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
      await look(bearer, 'refresh');
    };
    expect(await countAdded(acme.emails.west, ask)).toBe(1);
  });

  it('has another entry when access was taken away and granted again since the mint', async () => {
    const { acme } = portal;
    const { ctx, reportId } = acme;
    const link = { userEmail: acme.emails.west, reports: [reportId] };
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId });
    await unlinkReports(ctx, link);
    await linkReports(ctx, link);
    expect(await countAdded(acme.emails.west, () => open(url))).toBe(1);
  });

  it('has another entry when access is taken away and granted again in an open session', async () => {
    const { acme } = portal;
    const { ctx, reportId } = acme;
    const link = { userEmail: acme.emails.west, reports: [reportId] };
    const { bearer } = await startSingle();
    await unlinkReports(ctx, link);
    await linkReports(ctx, link);
    expect(await countAdded(acme.emails.west, () => look(bearer, 'refresh'))).toBe(1);
    expect(await countAdded(acme.emails.west, () => look(bearer, 'refresh'))).toBe(0);
  });
});

describe('a view after access was taken away and granted again', () => {
  const again = { west: 'granted directly', both: 'granted through a group' } as const;

  it(`has an entry: ${again.west}`, async () => {
    const { acme } = portal;
    const link = { userEmail: acme.emails.west, reports: [acme.reportId] };
    const bearer = await whole('west');
    await look(bearer, 'open');
    await unlinkReports(acme.ctx, link);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(403);
    await linkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.west, () => look(bearer, 'refresh'))).toBe(1);
    // Linking what is linked is no new grant.
    await linkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.west, () => look(bearer, 'refresh'))).toBe(0);
  });

  it.each(['members', 'reports'] as const)(
    `has an entry: ${again.both}, by its %s`,
    async (side) => {
      const { acme } = portal;
      const { ctx, groupReportId } = acme;
      const members = { group: 'Leads', memberEmails: [acme.emails.both] };
      const reports = { group: 'Leads', reports: [groupReportId] };
      const bearer = await whole('both');
      await look(bearer, 'open', groupReportId);
      if (side === 'members') await removeMembers(ctx, members);
      else await unlinkGroupReports(ctx, reports);
      expect((await view(acme.address, bearer, groupReportId)).status).toBe(403);
      if (side === 'members') await addMembers(ctx, members);
      else await linkGroupReports(ctx, reports);
      const ask = () => look(bearer, 'refresh', groupReportId);
      expect(await countAdded(acme.emails.both, ask)).toBe(1);
      expect(await countAdded(acme.emails.both, ask)).toBe(0);
    },
  );

  it('has no entry when another grant was there all the time', async () => {
    const { acme } = portal;
    const link = { userEmail: acme.emails.both, reports: [acme.groupReportId] };
    const bearer = await whole('both');
    await look(bearer, 'open', acme.groupReportId);
    await linkReports(acme.ctx, link);
    const ask = () => look(bearer, 'refresh', acme.groupReportId);
    expect(await countAdded(acme.emails.both, ask)).toBe(0);
    await unlinkReports(acme.ctx, link);
    expect(await countAdded(acme.emails.both, ask)).toBe(0);
  });
});

describe('a view after an expired user was renewed', () => {
  it.each([
    ['without an end', null],
    ['until later', new Date('2100-01-01')],
  ])('has an entry: %s', async (_name, expirationDate) => {
    const { acme } = portal;
    const userEmail = acme.emails.east;
    const bearer = await whole('east');
    await look(bearer, 'open');
    await updateUser(acme.ctx, { userEmail, expirationDate: new Date(Date.now() - 1_000) });
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
    await updateUser(acme.ctx, { userEmail, expirationDate });
    expect(await countAdded(userEmail, () => look(bearer, 'refresh'))).toBe(1);
    expect(await countAdded(userEmail, () => look(bearer, 'refresh'))).toBe(0);
  });

  it('has no entry when the date was moved before it had passed', async () => {
    const { acme } = portal;
    const userEmail = acme.emails.east;
    const bearer = await whole('east');
    await look(bearer, 'open');
    for (const date of ['2100-01-01', '2090-01-01'])
      await updateUser(acme.ctx, { userEmail, expirationDate: new Date(date) });
    await updateUser(acme.ctx, { userEmail, expirationDate: null });
    expect(await countAdded(userEmail, () => look(bearer, 'refresh'))).toBe(0);
  });
});
