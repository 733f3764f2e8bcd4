import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { linkGroupReports, unlinkGroupReports } from '../../src/access/report-links.ts';
import { presentActivity } from '../../src/activity-log/presenter.ts';
import { listActivity } from '../../src/activity-log/service.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import { addMembers, removeMembers } from '../../src/groups/service.ts';
import { createOrganization, setUnappliedFilters } from '../../src/organizations/service.ts';
import { updateUser } from '../../src/users/service.ts';
import { byTestKey, countActivity, listNewest } from '../support/activity.ts';
import { keyActor } from '../support/actors.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

describe('a change through the API', () => {
  it('has one entry with its actor, operation, subject and details', async () => {
    const { acme } = portal;
    const userEmail = `${randomUUID()}@acme.example`;
    const { datasetId, reportId, groupId } = acme;
    const reports = [reportId];
    const users = { usersEmails: [userEmail], datasetId, role: 'West' };
    const groups = { groups: [groupId], datasetId, role: 'West' };
    const changes: [string, string, object | undefined, string, string, object | null][] = [
      [
        ...(['POST', '/api/user', { email: userEmail, name: 'New', role: 3 }] as const),
        ...(['createUser', userEmail, { id: expect.any(String), name: 'New', role: 3 }] as const),
      ],
      [
        ...(['PUT', '/api/user/link-reports', { userEmail, reports }] as const),
        ...(['linkReports', userEmail, { reports }] as const),
      ],
      [
        ...(['PUT', '/api/user/unlink-reports', { userEmail, reports }] as const),
        ...(['unlinkReports', userEmail, { reports }] as const),
      ],
      ...(['link', 'unlink'] as const).flatMap(
        (verb): [string, string, object, string, string, object][] => [
          [
            ...(['PUT', `/api/datasets/rls/${verb}-users`, users] as const),
            ...([`${verb}RlsUsers`, 'West', { usersEmails: [userEmail], datasetId }] as const),
          ],
          [
            ...(['PUT', `/api/datasets/rls/${verb}-groups`, groups] as const),
            ...([`${verb}RlsGroups`, 'West', { groups: [groupId], datasetId }] as const),
          ],
        ],
      ),
      ['DELETE', `/api/user/${userEmail}`, undefined, 'deleteUser', userEmail, null],
    ];
    for (const [method, path, json, action, subject, details] of changes) {
      const before = await countActivity(portal);
      const answer = await portal.api(method, path, { json });
      expect(answer.status).toBeLessThan(300);
      expect((await countActivity(portal)) - before).toBe(1);
      const entry = { actor: byTestKey, action, subject, details, refusal: null };
      expect(await listNewest(portal, 1)).toMatchObject([entry]);
    }
  });

  it('is rolled back if its entry cannot be written', async () => {
    const { acme, db } = portal;
    const email = 'half@acme.example';
    await sql`
      CREATE OR REPLACE FUNCTION break_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the log is broken'; END $$`.execute(db);
    await sql`
      CREATE OR REPLACE TRIGGER break BEFORE INSERT ON activity_entries
      FOR EACH ROW EXECUTE FUNCTION break_log()`.execute(db);
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM identity_urls)
          + (SELECT count(*) FROM audit_entries) + (SELECT count(*) FROM report_users) AS n`.execute(
        db,
      );
      return rows[0]!.n;
    };
    const before = await count();
    const { reportId, id: organizationId, emails } = acme;
    const answers = [
      await portal.api('POST', '/api/user', { json: { email, name: 'Half', role: 3 } }),
      await portal.api('DELETE', `/api/user/${emails.none}`),
      await portal.api('PUT', '/api/user/link-reports', {
        json: { userEmail: emails.outsider, reports: [reportId] },
      }),
      await portal.api('POST', '/api/identity/url', {
        json: { userEmail: emails.west, organizationId, reportId },
      }),
    ];
    await sql`DROP TRIGGER break ON activity_entries`.execute(db);
    expect(answers.map((answer) => answer.status)).toEqual([500, 500, 500, 500]);
    expect(await count()).toBe(before);
  });
});

describe('a mint', () => {
  it('has one entry, with the report if it is for one, also among simultaneous mints', async () => {
    const { acme } = portal;
    const { reportId } = acme;
    await mint(portal, acme, { userEmail: acme.emails.east });
    await mint(portal, acme, { userEmail: acme.emails.east, reportId });
    const entry = { actor: byTestKey, action: 'mintIdentityUrl', subject: acme.emails.east };
    expect(await listNewest(portal, 2)).toMatchObject([
      { ...entry, details: { reportId }, refusal: null },
      { ...entry, details: null, refusal: null },
    ]);
    const before = await countActivity(portal);
    await Promise.all(
      Array.from({ length: 50 }, () => mint(portal, acme, { userEmail: acme.emails.west })),
    );
    expect((await countActivity(portal)) - before).toBe(50);
  });
});

describe('the activity log', () => {
  it('contains no API key, token or bearer', async () => {
    const { acme, db } = portal;
    const { key } = await createApiKey(acme.ctx, { name: 'shown', permissions: ['rls:read'] });
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    const { bearer } = readSession(await open(url));
    const { rows } = await sql<{ row: string }>`
      SELECT activity_entries::text AS row FROM activity_entries`.execute(db);
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain('mintIdentityUrl');
    const token = new URL(url).searchParams.get('token')!;
    for (const secret of [key, acme.apiKey, token, bearer]) expect(text).not.toContain(secret);
  });

  it('can be filtered by time, action and refusal, and without mints', async () => {
    const { db } = portal;
    const { ctx, apiKey: key, emails } = await createTestOrganization(portal, 'listed');
    const mintNow = (userEmail: string) =>
      portal.api('POST', '/api/identity/url', { key, json: { userEmail } });
    await mintNow(emails.west);
    await mintNow('nobody@listed.example');
    await portal.api('DELETE', `/api/user/${emails.none}`, { key });
    const list = async (filter: Partial<Parameters<typeof listActivity>[1]>) =>
      (await listActivity(ctx, { limit: 3, ...filter })).map(presentActivity);
    const all = await list({});
    const [deleted, refused, minted] = all;
    expect(all.map(({ action, refusal }) => [action, refusal])).toEqual([
      ['deleteUser', null],
      ['mintIdentityUrl', 'user_not_found'],
      ['mintIdentityUrl', null],
    ]);
    expect(all[0]).toEqual({
      id: expect.any(Number),
      createdAt: expect.any(String),
      organizationId: ctx.organizationId,
      actor: byTestKey,
      action: 'deleteUser',
      subject: emails.none,
      details: null,
      refusal: null,
      count: 1,
      lastAt: all[0]!.createdAt,
    });
    expect(await list({ action: 'mintIdentityUrl' })).toEqual([refused, minted]);
    expect(await list({ action: 'deleteUser' })).toEqual([deleted]);
    expect(await list({ refused: true })).toEqual([refused]);
    expect(await list({ limit: 1 })).toEqual([deleted]);
    expect(await list({ limit: 1, beforeId: refused!.id })).toEqual([minted]);
    const [latest, older] = await list({ withoutMints: true });
    expect([latest, older?.action]).toEqual([deleted, 'createApiKey']);
    const timestamp = new Date('2026-01-01T12:00:00Z');
    // A trigger rejects changes of the log.
    await sql`ALTER TABLE activity_entries DISABLE TRIGGER USER`.execute(db);
    // Ids ascend with time.
    await sql`UPDATE activity_entries
      SET created_at = ${timestamp}::timestamptz - (${deleted!.id}::bigint - id) * interval '1 day'
      WHERE id <= ${deleted!.id}`.execute(db);
    await sql`ALTER TABLE activity_entries ENABLE TRIGGER USER`.execute(db);
    const ids = async (filter: { from?: Date; to?: Date }) =>
      (await list({ ...filter, limit: 1_000 })).map(({ id }) => id);
    const everything = await ids({});
    expect(everything.slice(0, 3)).toEqual([deleted, refused, minted].map((entry) => entry!.id));
    for (const [index, id] of everything.entries()) {
      const at = timestamp.getTime() - (deleted!.id - id) * 86_400_000;
      expect(await ids({ to: new Date(at) })).toEqual(everything.slice(index + 1));
      expect(await ids({ from: new Date(at) })).toEqual(everything.slice(0, index + 1));
      const [from, to] = [new Date(at), new Date(at + 1)];
      expect(await ids({ from, to })).toEqual([id]);
    }
  });

  it('has the entries of a period even if they were written out of order', async () => {
    const { db } = portal;
    const { ctx, apiKey: key, emails } = await createTestOrganization(portal, 'unordered');
    const json = { userEmail: emails.west };
    await portal.api('POST', '/api/identity/url', { key, json });
    await portal.api('DELETE', `/api/user/${emails.none}`, { key });
    await portal.api('POST', '/api/identity/url', { key, json });
    const [movedEarlier, deleted, movedLater] = await listActivity(ctx, { limit: 3 });
    const at = deleted!.created_at.getTime();
    // A trigger rejects changes of the log.
    await sql`ALTER TABLE activity_entries DISABLE TRIGGER USER`.execute(db);
    for (const [{ id }, seconds] of [
      [movedLater!, 10],
      [movedEarlier!, -10],
    ] as const)
      await sql`UPDATE activity_entries SET created_at = ${new Date(at + seconds * 1_000)}
        WHERE id = ${id}`.execute(db);
    await sql`ALTER TABLE activity_entries ENABLE TRIGGER USER`.execute(db);
    const ids = async (filter: { from?: Date; to?: Date }) =>
      (await listActivity(ctx, { limit: 100, ...filter })).map(({ id }) => id);
    const [from, to] = [new Date(at - 5_000), new Date(at + 5_000)];
    expect(await ids({ from })).toContain(deleted!.id);
    expect(await ids({ to })).toContain(deleted!.id);
    expect(await ids({ from, to })).not.toContain(movedLater!.id);
  });

  it('shows only the entries of its organization', async () => {
    const entries = await listActivity(portal.globex.ctx, { limit: 1_000 });
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry.organization_id).toBe(portal.globex.id);
  });

  it('has the details of changes of groups, users and the organization', async () => {
    const { ctx, id: organizationId, emails, reportId } = portal.globex;
    const members = { memberEmails: [emails.west] };
    const reports = { reports: [reportId] };
    const id = await createGroup(ctx, { name: 'Shift', ...members, ...reports });
    await addMembers(ctx, { group: 'Shift', ...members });
    await removeMembers(ctx, { group: 'Shift', ...members });
    await linkGroupReports(ctx, { group: 'Shift', ...reports });
    await unlinkGroupReports(ctx, { group: 'Shift', ...reports });
    await updateUser(ctx, { userEmail: emails.none, name: 'Nora', role: 2 });
    await setUnappliedFilters(ctx, 'note');
    const entries = await listActivity(ctx, { limit: 7 });
    expect(entries.map(({ action, subject, details }) => [action, subject, details])).toEqual([
      ['setUnappliedFilters', organizationId, { unappliedFilters: 'note' }],
      [
        'updateUser',
        emails.none,
        // The rights come with the role.
        {
          name: 'Nora',
          role: 2,
          canCreateReport: true,
          canEditReport: true,
          canOverwriteReport: true,
        },
      ],
      ['unlinkGroupReports', 'Shift', reports],
      ['linkGroupReports', 'Shift', reports],
      ['removeGroupMembers', 'Shift', members],
      ['addGroupMembers', 'Shift', members],
      ['createGroup', 'Shift', { id, ...members, ...reports }],
    ]);
  });

  it('has the name and the color of a new organization', async () => {
    const look = { name: 'Initech', accentColor: '#123456' };
    const organizationId = await createOrganization(portal.db, { slug: 'initech', ...look });
    const [entry] = await listActivity({ ...portal.acme.ctx, organizationId }, { limit: 1 });
    expect(entry).toMatchObject({
      action: 'createOrganization',
      subject: 'initech',
      operator: 'operator',
      details: look,
    });
  });

  it('cannot be read by API keys', async () => {
    const { ctx } = portal.acme;
    const asKey = { ...ctx, actor: keyActor(portal.acme.id) };
    expect(() => listActivity(asKey, { limit: 1 })).toThrow('No API key may do this');
  });
});
