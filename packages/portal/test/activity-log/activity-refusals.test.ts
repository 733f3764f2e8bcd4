import { randomUUID } from 'node:crypto';

import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { presentActivity } from '../../src/activity-log/presenter.ts';
import { listActivity, recordRefusal } from '../../src/activity-log/service.ts';
import { insertEntry } from '../../src/activity-log/store.ts';
import { operatorContext } from '../../src/actor/actor.ts';
import { authenticateKey } from '../../src/api-keys/authenticate.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import { PortalError } from '../../src/errors.ts';
import { deleteOrganization } from '../../src/organizations/service.ts';
import { createUser, deleteUser } from '../../src/users/service.ts';
import { byTestKey, countActivity, listNewest } from '../support/activity.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { waitForWindow } from '../support/rate-limits.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

describe('a refusal', () => {
  it('has an entry with the error code of the response', async () => {
    const { acme, globex } = portal;
    const { key } = await createApiKey(acme.ctx, { name: 'narrow', permissions: ['rls:read'] });
    const userEmail = 'nobody@acme.example';
    const { west, outsider } = acme.emails;
    const [missing, reports] = [[globex.id], [acme.reportId]];
    const { id: organizationId, reportId, datasetId } = acme;
    const requests: [string, string, object | undefined, string, string, string][] = [
      ['POST', '/api/user', { email: west, name: 'W', role: 3 }, 'createUser', west, 'user_exists'],
      ['DELETE', `/api/user/${userEmail}`, undefined, 'deleteUser', userEmail, 'user_not_found'],
      [
        ...(['PUT', '/api/user/link-reports', { userEmail, reports }] as const),
        ...(['linkReports', userEmail, 'user_not_found'] as const),
      ],
      [
        ...(['PUT', '/api/user/link-reports', { userEmail: west, reports: missing }] as const),
        ...(['linkReports', west, 'unknown_references'] as const),
      ],
      [
        ...(['PUT', '/api/datasets/rls/link-users'] as const),
        { usersEmails: [west], datasetId, role: 'North' },
        ...(['linkRlsUsers', 'North', 'role_not_found'] as const),
      ],
      [
        ...([
          'POST',
          '/api/identity/url',
          { userEmail: outsider, organizationId, reportId },
        ] as const),
        ...(['mintIdentityUrl', outsider, 'report_not_accessible'] as const),
      ],
      [
        ...(['POST', '/api/identity/url', { userEmail: west, baseUrl: globex.address }] as const),
        ...(['mintIdentityUrl', west, 'invalid_request'] as const),
      ],
      [
        ...(['POST', '/api/identity/url'] as const),
        { userEmail: west, organizationId: globex.id, reportId },
        ...(['mintIdentityUrl', west, 'organization_mismatch'] as const),
      ],
    ];
    for (const [method, path, json, action, subject, refusal] of requests) {
      const before = await countActivity(portal);
      const answer = await portal.api(method, path, { json });
      expect(answer.json().code).toBe(refusal);
      expect((await countActivity(portal)) - before).toBe(1);
      expect(await listNewest(portal, 1)).toMatchObject([
        { actor: byTestKey, action, subject, refusal },
      ]);
    }
    const denied = { actor: { name: 'narrow' }, refusal: 'missing_permission' };
    for (const [method, path, action, subject] of [
      ['GET', `/api/user?email=${west}`, 'listUsers', ''],
      ['DELETE', `/api/user/${west}`, 'deleteUser', west],
    ] as const) {
      expect((await portal.api(method, path, { key })).status).toBe(403);
      expect(await listNewest(portal, 1)).toMatchObject([{ ...denied, action, subject }]);
    }
  });

  it.each([
    ['with a NUL character', 'a%00b'],
    ['of 14 kB', 'x'.repeat(14_000)],
  ])('with a path %s has an entry without the path', async (_what, path) => {
    const { acme } = portal;
    const { key } = await createApiKey(acme.ctx, { name: 'none', permissions: ['rls:read'] });
    const answer = await portal.api('DELETE', `/api/user/${path}`, { key });
    expect(answer.json().code).toBe('missing_permission');
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'deleteUser', subject: '', refusal: 'missing_permission' },
    ]);
  });

  it('has an entry with the IDs of the request, at most ten of a list, and no other data', async () => {
    const { acme, globex } = portal;
    const { id: organizationId, datasetId, groupId } = acme;
    const { west, none: outsider } = acme.emails;
    const reports = Array.from({ length: 25 }, () => globex.reportId);
    const flood = { userEmail: west, reports };
    const customFilters = [{ key: 'Region', value: 'hidden' }];
    const single = { userEmail: outsider, organizationId, reportId: acme.groupReportId };
    const role = { datasetId, role: 'South' };
    const requests: [string, string, object | undefined, object | null][] = [
      ['DELETE', '/api/user/someone@acme.example', undefined, null],
      ['POST', '/api/user', { email: acme.emails.east, name: 'E', role: 3 }, null],
      ['PUT', '/api/user/link-reports', flood, { reports: reports.slice(0, 10), more: 15 }],
      [
        ...(['PUT', '/api/datasets/rls/link-users', { ...role, usersEmails: [west] }] as const),
        { datasetId, usersEmails: [west] },
      ],
      [
        ...(['PUT', '/api/datasets/rls/unlink-groups', { ...role, groups: [groupId] }] as const),
        { datasetId, groups: [groupId] },
      ],
      [
        ...(['POST', '/api/identity/url', { ...single, customFilters }] as const),
        { organizationId, reportId: acme.groupReportId },
      ],
    ];
    for (const [method, path, json, details] of requests) {
      expect((await portal.api(method, path, { json })).status).toBeGreaterThanOrEqual(400);
      const [entry] = await listNewest(portal, 1);
      expect([path, entry?.refusal, entry?.details]).toEqual([path, expect.any(String), details]);
    }
  });

  describe('equal refusals within ten minutes', () => {
    const mergeSeconds = 600;
    beforeEach(() => waitForWindow(portal.db, mergeSeconds, 20));

    const refuse = (userEmail: string, key = portal.acme.apiKey) =>
      portal.api('DELETE', `/api/user/${userEmail}`, { key });
    const entriesOf = async (subject: string, { ctx } = portal.acme) =>
      (await listActivity(ctx, { limit: 1_000 }))
        .filter((entry) => entry.subject === subject)
        .map(presentActivity);

    it('are one entry with a count and the time of the last', async () => {
      const subject = `${randomUUID()}@acme.example`;
      await refuse(subject);
      const [first] = await entriesOf(subject);
      expect(first).toMatchObject({ count: 1, lastAt: first!.createdAt });
      await Promise.all(Array.from({ length: 30 }, () => refuse(subject)));
      const { lastAt, ...entry } = first!;
      const merged = await entriesOf(subject);
      expect(merged).toEqual([{ ...entry, count: 31, lastAt: expect.any(String) }]);
      expect(Date.parse(merged[0]!.lastAt)).toBeGreaterThan(Date.parse(lastAt));
      const from = new Date(Date.parse(lastAt) + 1);
      const late = await listActivity(portal.acme.ctx, { limit: 10, from });
      expect(late.map((each) => each.subject)).toContain(subject);
    });

    it('refusals by another actor or organization, or with another subject, operation, details or code, are not merged', async () => {
      const { acme, globex } = portal;
      const subject = `${randomUUID()}@acme.example`;
      const { key } = await createApiKey(acme.ctx, { name: 'second', permissions });
      const link = (reportId: string) =>
        portal.api('PUT', '/api/user/link-reports', {
          json: { userEmail: subject, reports: [reportId] },
        });
      for (let time = 0; time < 2; time++) {
        await refuse(subject);
        await refuse(subject, key);
        await refuse(subject, globex.apiKey);
        await link(acme.reportId);
        await link(acme.groupReportId);
      }
      await createUser(acme.ctx, { email: subject, name: 'S', role: 3 });
      await link(globex.reportId);
      const counts = async (organization: TestOrganization) =>
        (await entriesOf(subject, organization)).map(({ action, count, refusal }) => [
          action,
          refusal,
          count,
        ]);
      expect(await counts(globex)).toEqual([['deleteUser', 'user_not_found', 2]]);
      expect(await counts(acme)).toEqual([
        ['linkReports', 'unknown_references', 1],
        ['createUser', null, 1],
        ['linkReports', 'user_not_found', 2],
        ['linkReports', 'user_not_found', 2],
        ['deleteUser', 'user_not_found', 2],
        ['deleteUser', 'user_not_found', 2],
      ]);
    });

    it('refusals of two operators are not merged', async () => {
      const { acme, db, publicUrl } = portal;
      const userEmail = `${randomUUID()}@acme.example`;
      for (const operator of ['olivia', 'oscar', 'olivia']) {
        const ctx = operatorContext({ db, publicUrl, operator, organizationId: acme.id });
        const refused = recordRefusal(ctx, { action: 'deleteUser', subject: userEmail }, () =>
          deleteUser(ctx, { userEmail }),
        );
        await expect(refused).rejects.toMatchObject({ code: 'user_not_found' });
      }
      expect(await entriesOf(userEmail)).toMatchObject([
        { actor: { kind: 'operator', name: 'oscar' }, count: 1 },
        { actor: { kind: 'operator', name: 'olivia' }, count: 2 },
      ]);
    });

    it('refusals of two administrators are two entries', async () => {
      const { id: organizationId, emails } = portal.acme;
      const subject = `${randomUUID()}@acme.example`;
      for (const userEmail of [emails.west, emails.east, emails.west]) {
        const found = await portal.api('GET', `/api/user?email=${userEmail}`);
        await insertEntry(portal.db, {
          organizationId,
          apiKeyId: undefined,
          operator: undefined,
          userId: found.json().data[0].id,
          userEmail,
          action: 'deleteUser',
          subject,
          details: undefined,
          refusal: 'user_not_found',
        });
      }
      expect(await entriesOf(subject)).toMatchObject([
        { actor: { kind: 'user', name: emails.east }, count: 1 },
        { actor: { kind: 'user', name: emails.west }, count: 2 },
      ]);
    });

    it('an equal refusal in the next ten minutes is another entry', async () => {
      const subject = `${randomUUID()}@acme.example`;
      await refuse(subject);
      // Changes the key of the first entry, as if it were from an earlier window.
      await sql`ALTER TABLE activity_entries DISABLE TRIGGER USER`.execute(portal.db);
      await sql`UPDATE activity_entries SET merge_key = 'earlier' WHERE subject = ${subject}`.execute(
        portal.db,
      );
      await sql`ALTER TABLE activity_entries ENABLE TRIGGER USER`.execute(portal.db);
      await refuse(subject);
      expect((await entriesOf(subject)).map(({ count }) => count)).toEqual([1, 1]);
    });

    it('the window for merging refusals starts at each tenth minute', async () => {
      const { id: organizationId } = portal.acme;
      const subject = `${randomUUID()}@acme.example`;
      await sql`CREATE SCHEMA IF NOT EXISTS fake`.execute(portal.db);
      await sql`
        CREATE OR REPLACE FUNCTION fake.now() RETURNS timestamptz STABLE LANGUAGE sql
        AS $$ SELECT current_setting('fake.now')::timestamptz $$`.execute(portal.db);
      const refuseAt = (time: string) =>
        portal.db.transaction().execute(async (transaction) => {
          await sql`SELECT set_config('search_path', 'fake, pg_catalog, public', true),
            set_config('fake.now', ${`2026-01-01T${time}Z`}, true)`.execute(transaction);
          await insertEntry(transaction, {
            organizationId,
            apiKeyId: undefined,
            userId: undefined,
            userEmail: undefined,
            operator: 'olivia',
            action: 'deleteUser',
            subject,
            details: undefined,
            refusal: 'user_not_found',
          });
        });
      for (const time of ['12:00:00', '12:09:59', '12:10:00']) await refuseAt(time);
      expect((await entriesOf(subject)).map(({ count }) => count)).toEqual([1, 2]);
    });

    it('the time of the last refusal is never before an earlier one', async () => {
      const { id: organizationId } = portal.acme;
      const subject = `${randomUUID()}@acme.example`;
      await sql`CREATE SCHEMA IF NOT EXISTS clock`.execute(portal.db);
      await sql`
        CREATE OR REPLACE FUNCTION clock.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql
        AS $$ SELECT current_setting('clock.time')::timestamptz $$`.execute(portal.db);
      const entry = { action: 'deleteUser', subject, details: undefined };
      const refuseAt = (time: Date) =>
        portal.db.transaction().execute(async (transaction) => {
          await sql`SELECT set_config('search_path', 'clock, pg_catalog, public', true),
            set_config('clock.time', ${time.toISOString()}, true)`.execute(transaction);
          const actor = {
            apiKeyId: undefined,
            userId: undefined,
            userEmail: undefined,
            operator: 'olivia',
          };
          const refusal = 'user_not_found';
          await insertEntry(transaction, { ...entry, ...actor, organizationId, refusal });
        });
      const lastAt = async () => (await entriesOf(subject))[0]!.lastAt;
      await refuseAt(new Date());
      const first = await lastAt();
      await refuseAt(new Date(0));
      expect(await lastAt()).toBe(first);
      const later = new Date(Date.parse(first) + 60_000);
      await refuseAt(later);
      await refuseAt(new Date(0));
      expect(await lastAt()).toBe(later.toISOString());
    });

    it('successful operations are never merged', async () => {
      const { acme } = portal;
      const reports = [acme.reportId];
      const json = { userEmail: acme.emails.west, reports };
      const before = (await entriesOf(acme.emails.west)).length;
      for (let time = 0; time < 3; time++)
        await portal.api('PUT', '/api/user/link-reports', { json });
      expect((await entriesOf(acme.emails.west)).length).toBe(before + 3);
    });
  });

  it('is recorded neither for successful reads nor for invalid requests', async () => {
    const before = await countActivity(portal);
    await portal.api('GET', '/api/user');
    await portal.api('GET', '/api/report-audit');
    await portal.api('GET', '/api/user?color=red');
    await portal.api('POST', '/api/user', { json: { email: 'x' } });
    await portal.api('GET', '/api/report', { key: null });
    expect(await countActivity(portal)).toBe(before);
  });
});

it('a report that could not be computed is not recorded as refused', async () => {
  const { ctx } = portal.acme;
  const before = await countActivity(portal);
  const fail = (code: 'report_failed' | 'report_not_accessible') =>
    recordRefusal(ctx, { action: 'mintIdentityUrl', subject: portal.acme.reportId }, async () => {
      throw new PortalError(code, 'The report failed.');
    });
  await expect(fail('report_failed')).rejects.toMatchObject({ code: 'report_failed' });
  expect(await countActivity(portal)).toBe(before);
  await expect(fail('report_not_accessible')).rejects.toMatchObject({
    code: 'report_not_accessible',
  });
  expect(await countActivity(portal)).toBe(before + 1);
});

it('a refusal after the deletion of its organization leaves no personal data', async () => {
  const { db, publicUrl } = portal;
  const { ctx, id, apiKey } = await createTestOrganization(portal, 'brief');
  const confirmKey = () => authenticateKey({ db, publicUrl }, apiKey);
  const asKey = await confirmKey();
  const remove = (userEmail: string) => {
    const activity = { action: 'deleteUser', subject: userEmail } as const;
    return recordRefusal(asKey, activity, () => deleteUser(asKey, { userEmail }));
  };
  const actions = async () => (await listActivity(ctx, { limit: 1 })).map(({ action }) => action);
  await expect(remove('first@brief.example')).rejects.toMatchObject({ code: 'user_not_found' });
  expect(await actions()).toEqual(['deleteUser']);
  await deleteOrganization(ctx);
  await expect(remove('last@brief.example')).rejects.toMatchObject({ code: 'user_not_found' });
  expect(await actions()).toEqual(['deleteOrganization']);
  const { rows } = await sql<{ row: string }>`
    SELECT activity_entries::text AS row FROM activity_entries
    WHERE organization_id = ${id}`.execute(db);
  expect(rows.map(({ row }) => row).join()).not.toContain('@');
  // The change refers to rows that no longer exist.
  const late = { email: 'last@brief.example', name: 'Last', role: 3 } as const;
  const create = () => createUser(asKey, late);
  const activity = { action: 'createUser', subject: late.email } as const;
  await expect(recordRefusal({ ...asKey, confirmKey }, activity, create)).rejects.toMatchObject({
    code: 'invalid_api_key',
  });
});
