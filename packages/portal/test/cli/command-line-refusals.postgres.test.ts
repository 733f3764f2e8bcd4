import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { startFakeClickhouse } from 'report-engine/testing/fake-clickhouse';
import { findFreePort } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { insertEntry } from '../../src/activity-log/store.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import {
  createGlobex,
  keyPattern,
  ofGlobex,
  runForResult,
  runInProcess,
  runForError,
} from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
});
afterAll(() => database.remove());

const portal = (...args: string[]) => runInProcess(database, args);
const getResult = (...args: string[]) => runForResult(database, args);
const getError = (...args: string[]) => runForError(database, args);

const invalid = [2, 'invalid_request'];

it('portal organizations rejects a duplicate slug, an address of another organization and an invalid address', async () => {
  await getResult('organizations', 'create', 'acme', '--name', 'Acme');
  expect(await getError('organizations', 'create', 'acme', '--name', 'Acme')).toEqual([
    3,
    'organization_exists',
  ]);
  for (const slug of ['A_b', 'Acme'])
    expect(await getError('organizations', 'create', slug, '--name', 'x')).toEqual(invalid);
  const set = ['organizations', 'set-addresses', 'acme'];
  await getResult(...set, 'https://acme.example');
  expect(await getError(...set, globex.address)).toEqual([3, 'address_taken']);
  expect(await getError(...set, 'https://acme.example/x')).toEqual(invalid);
  const [acme] = await getResult('organizations', 'list');
  expect(acme.addresses).toEqual(['https://acme.example']);
  const twice = ['https://a.example', 'https://A.example:443/'];
  const { stdout } = await portal('organizations', 'set-embed-origins', 'acme', ...twice);
  expect(stdout).toBe('The embed origins of acme are now: https://a.example.\n');
  expect((await portal('organizations', 'list')).stdout).toMatch(/^acme +Acme +/m);
});

it('portal organizations delete works only if the slug is confirmed', async () => {
  const { id } = await getResult('organizations', 'create', 'gone', '--name', 'Gone');
  await getResult('users', 'create', 'ann@gone.example', '-o', 'gone', '--name', 'Ann');
  await getResult('api-keys', 'create', '-o', 'gone', '--name', 'x', '--all-permissions');
  const remove = ['organizations', 'delete', 'gone', '--confirm'];
  expect(await getError(...remove, 'acme')).toEqual(invalid);
  await getResult(...remove, 'gone');
  expect(await getError('users', 'list', '-o', 'gone')).toEqual([3, 'organization_not_found']);
  expect(await getError('users', 'list', '-o', id)).toEqual([3, 'organization_not_found']);
  // The activity log of a deleted organization stays, and is pruned by its id.
  const prune = ['activity', 'prune', '-o', id, '--before', '0m', '--yes'];
  expect((await getResult(...prune)).pruned).toBeGreaterThan(0);
});

it('portal organizations set-log-retention asks before it removes entries, and refuses days that are none', async () => {
  const opened = await openDatabase(database);
  await sql`INSERT INTO activity_entries (organization_id, operator, action, subject, created_at)
    VALUES (${globex.id}, 'olga', 'old', 'x', now() - interval '50 days')`.execute(opened.db);
  await opened.close();
  const set = ['organizations', 'set-log-retention', 'globex'];
  const refused = await portal(...set, '--access-log', '40', '--activity-log', '40');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/remove 1 entry of the activity log of globex .*Add --yes/s);
  const [, found] = await getResult('organizations', 'list');
  expect(found).toMatchObject({ slug: 'globex', accessLogDays: null, activityLogDays: null });
  expect(await getError(...set)).toEqual(invalid);
  for (const days of ['0', '-1', '1.5', '36501', 'never'])
    expect(await getError(...set, '--access-log', days)).toEqual([2, 'usage']);
  const { stdout } = await portal(...set, '--access-log', '1', '--activity-log', '40', '--yes');
  expect(stdout).toBe(
    'Entries stay in the access log of globex for 1 day.\nEntries stay in the activity log of globex for 40 days.\n',
  );
});

it('a command finds an organization by its id, in any letter case', async () => {
  for (const id of [globex.id, globex.id.toUpperCase()]) {
    const { data } = await getResult('reports', 'list', '-o', id, '--name', 'of the group');
    expect(data).toMatchObject([{ id: globex.groupReportId }]);
  }
});

it('portal users rejects a duplicate e-mail, an invalid one, and an unknown user or report', async () => {
  const { west } = globex.emails;
  const create = ['users', 'create', ...ofGlobex, '--name', 'x'];
  expect(await getError(...create, west.toUpperCase())).toEqual([3, 'user_exists']);
  expect(await getError(...create, 'zoe')).toEqual(invalid);
  const missing = 'nobody@globex.example';
  const department = 'x'.repeat(201);
  const update = ['users', 'update', west, ...ofGlobex];
  expect(await getError(...update, '--department', department)).toEqual(invalid);
  expect(await getError(...update, '--landing-page', 'x')).toEqual(invalid);
  expect(await getError(...update, '--landing-page', globex.id)).toEqual([3, 'unknown_references']);
  expect(await getError(...update, '--company', 'No')).toEqual([3, 'company_not_found']);
  expect(await getError('users', 'delete', missing, ...ofGlobex)).toEqual([3, 'user_not_found']);
  expect(await getError('users', 'update', missing, ...ofGlobex, '--name', 'x')).toEqual([
    3,
    'user_not_found',
  ]);
  expect(await getError('users', 'link-reports', west, globex.id, ...ofGlobex)).toEqual([
    3,
    'unknown_references',
  ]);
});

it('portal users list prints a table and names the next page', async () => {
  const { stdout } = await portal('users', 'list', ...ofGlobex, '--page-size', '2');
  expect(stdout).toMatch(/^both@globex\.example +both +viewer +2$/m);
  expect(stdout).toContain('--page 2');
  const none = await portal('users', 'list', ...ofGlobex, '--email', 'nobody');
  expect(none.stdout).toBe('No users found.\n');
});

it('portal users update keeps the fields that it does not name', async () => {
  const { outsider } = globex.emails;
  const update = ['users', 'update', outsider, ...ofGlobex];
  await getResult(...update, '--department', 'Sales', '--expires', '2099-01-31');
  expect(await getResult(...update, '--role', 'administrator')).toMatchObject({
    name: 'outsider',
    role: 1,
    department: 'Sales',
    expirationDate: '2099-01-31T00:00:00.000Z',
  });
  expect(await getError(...update)).toEqual(invalid);
  expect(await getResult(...update, '--never-expires')).toMatchObject({
    department: 'Sales',
    expirationDate: null,
  });
});

it('portal users list finds users by a part of their name', async () => {
  const create = ['users', 'create', 'workspace@globex.example', ...ofGlobex];
  const options = ['--name', 'Wanda Space', '--role', 'workspace-contributor'];
  const created = await getResult(...create, ...options);
  expect(created).toMatchObject({ role: 4 });
  const { data } = await getResult('users', 'list', ...ofGlobex, '--name', 'SPACE');
  expect(data).toEqual([created]);
});

it('portal groups rejects a duplicate name, an unknown group and unknown members', async () => {
  const { east } = globex.emails;
  expect(await getError('groups', 'create', 'Leads', ...ofGlobex)).toEqual([3, 'group_exists']);
  expect(await getError('groups', 'add', 'Other', east, ...ofGlobex)).toEqual([
    3,
    'group_not_found',
  ]);
  expect(await getError('groups', 'add', 'Leads', 'no@x.example', east, ...ofGlobex)).toEqual([
    3,
    'unknown_references',
  ]);
  expect((await portal('groups', 'list', ...ofGlobex)).stdout).toMatch(/^Leads +\S+ +1 +1$/m);
});

it('portal roles rejects unknown datasets, roles, users and groups, and names the datasets', async () => {
  const { datasetId } = globex;
  const unknown = await portal('roles', 'list', '--dataset', 'order', ...ofGlobex);
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    'portal: Unknown dataset "order". Datasets: sales.\n',
  ]);
  const link = (...args: string[]) => getError('roles', ...args, ...ofGlobex);
  const nobody = 'nobody@globex.example';
  expect(await link('link-users', 'order', 'West', nobody)).toEqual([3, 'dataset_not_found']);
  expect(await link('link-users', datasetId, 'Wst', nobody)).toEqual([3, 'role_not_found']);
  expect(await link('link-users', datasetId, 'West', nobody)).toEqual([3, 'unknown_references']);
  expect(await link('link-users', datasetId, 'West', 'zoe')).toEqual(invalid);
  expect(await link('link-groups', datasetId, 'West', 'Others')).toEqual([3, 'group_not_found']);
});

it('portal api-keys shows a new key only once, on its own line', async () => {
  const create = ['api-keys', 'create', ...ofGlobex, '--name', 'Directory', '--expires', '90d'];
  const created = await portal(...create, '--permission', 'users:read', 'users:write');
  expect(created.code).toBe(0);
  const key = created.stdout.split('\n').find((line) => keyPattern.test(line));
  expect(key).toBeDefined();
  for (const command of [
    ['api-keys', 'list', ...ofGlobex],
    ['api-keys', 'list', ...ofGlobex, '--json'],
    ['activity', 'list', ...ofGlobex, '--json', '--action', 'createApiKey'],
  ]) {
    const { stdout } = await portal(...command);
    expect(stdout).toContain('users:read');
    expect(stdout).not.toContain('pek_');
  }
  expect((await portal('api-keys', 'list', ...ofGlobex)).stdout).toMatch(
    /^Directory .* users:read users:write$/m,
  );
});

it('portal api-keys rejects a key without permissions, a second rotation, and a key of another organization', async () => {
  expect(await getError('api-keys', 'create', ...ofGlobex, '--name', 'x')).toEqual(invalid);
  const create = ['api-keys', 'create', ...ofGlobex, '--name', 'x', '--permission', 'rls:read'];
  const { id } = await getResult(...create);
  const rotate = ['api-keys', 'rotate', id, ...ofGlobex, '--old-works-until', '1h'];
  const successor = await getResult(...rotate);
  expect(await getError(...rotate)).toEqual([3, 'api_key_ended']);
  await getResult('api-keys', 'revoke', successor.id, ...ofGlobex);
  const again = ['api-keys', 'rotate', successor.id, ...ofGlobex, '--old-works-until', '1h'];
  expect(await getError(...again)).toEqual([3, 'api_key_ended']);
  expect(await getError('api-keys', 'revoke', id, '-o', 'acme')).toEqual([3, 'api_key_not_found']);
  expect(await getError('api-keys', 'revoke', 'x', ...ofGlobex)).toEqual(invalid);
});

it('portal activity list filters by action, refusals and mints, and continues before a given entry', async () => {
  const list = ['activity', 'list', ...ofGlobex];
  const newest = await getResult(...list, '--limit', '3');
  expect(newest).toHaveLength(3);
  const older = await getResult(...list, '--before-id', String(newest[2].id), '--limit', '1');
  expect(older[0].id).toBeLessThan(newest[2].id);
  const refusals: { refusal: string | null }[] = await getResult(...list, '--refused');
  expect(refusals).not.toHaveLength(0);
  for (const { refusal } of refusals) expect(refusal).not.toBeNull();
  const groups = await getResult(...list, '--action', 'createGroup');
  expect(groups).toMatchObject([
    { refusal: 'group_exists', subject: 'Leads', actor: { kind: 'operator', name: 'olivia' } },
    { refusal: null, subject: 'Leads', actor: { kind: 'operator', name: 'operator' } },
  ]);
  const { db, close } = await openDatabase(database);
  await insertEntry(db, {
    organizationId: globex.id,
    apiKeyId: undefined,
    operator: 'olivia',
    userId: undefined,
    userEmail: undefined,
    action: 'mintIdentityUrl',
    subject: 'minted@globex.example',
    details: undefined,
    refusal: undefined,
  });
  await close();
  expect((await portal(...list)).stdout).toContain('minted@globex.example');
  const { stdout } = await portal(...list, '--without-mints');
  expect(stdout).not.toContain('minted@globex.example');
  expect(stdout).toMatch(/ olivia +createGroup +Leads +group_exists +1 +-$/m);
});

it('a refused command is recorded with its action and what it is about', async () => {
  const nobody = 'nobody@globex.example';
  const report = globex.reportId;
  const refused: [string, string, string[]][] = [
    ['setOrigins', 'globex', ['organizations', 'set-embed-origins', 'globex', 'x']],
    ['setHomeUrl', 'globex', ['organizations', 'set-home-url', 'globex', 'x']],
    [
      'setOidc',
      'globex',
      ['organizations', 'set-oidc', 'globex', '--issuer', 'x', '--client-id', 'portal'],
    ],
    ['inviteAdministrator', 'zoe', ['administrators', 'invite', 'zoe']],
    ['grantConnection', 'no', ['connections', 'grant', 'no']],
    ['revokeConnection', 'no', ['connections', 'revoke', 'no']],
    ['createUser', 'zoe', ['users', 'create', 'zoe', '--name', 'x']],
    ['updateUser', nobody, ['users', 'update', nobody, '--name', 'x']],
    ['deleteUser', nobody, ['users', 'delete', nobody]],
    ['linkReports', nobody, ['users', 'link-reports', nobody, report]],
    ['unlinkReports', nobody, ['users', 'unlink-reports', nobody, report]],
    ['createGroup', 'Leads', ['groups', 'create', 'Leads']],
    ['addGroupMembers', 'No', ['groups', 'add', 'No', nobody]],
    ['removeGroupMembers', 'No', ['groups', 'remove', 'No', nobody]],
    ['linkGroupReports', 'No', ['groups', 'link-reports', 'No', report]],
    ['unlinkGroupReports', 'No', ['groups', 'unlink-reports', 'No', report]],
    ['createCompany', '', ['companies', 'create', '']],
    ['renameCompany', 'No', ['companies', 'rename', 'No', 'x']],
    ['deleteCompany', 'No', ['companies', 'delete', 'No']],
    ['linkRlsUsers', 'West', ['roles', 'link-users', 'x', 'West', nobody]],
    ['unlinkRlsUsers', 'No', ['roles', 'unlink-users', globex.datasetId, 'No', nobody]],
    ['linkRlsGroups', 'West', ['roles', 'link-groups', globex.datasetId, 'West', 'No']],
    ['unlinkRlsGroups', 'West', ['roles', 'unlink-groups', globex.datasetId, 'West', 'No']],
    ['createApiKey', 'bare', ['api-keys', 'create', '--name', 'bare']],
    ['renameApiKey', report, ['api-keys', 'rename', report, 'x']],
    ['rotateApiKey', report, ['api-keys', 'rotate', report, '--old-works-until', '1h']],
    ['revokeApiKey', report, ['api-keys', 'revoke', report]],
    ['endSessions', nobody, ['sessions', 'end', nobody]],
  ];
  for (const [, , args] of refused)
    await getError(...args, ...(args[0] === 'organizations' ? [] : ofGlobex));
  const list = ['activity', 'list', ...ofGlobex, '--refused', '--limit', '1000'];
  const entries: { action: string; subject: string; actor: object }[] = await getResult(...list);
  const recorded = entries.map(({ action, subject, actor }) => ({ action, subject, actor }));
  const actor = { kind: 'operator', name: 'olivia' };
  for (const [action, subject] of refused)
    expect(recorded).toContainEqual({ action, subject, actor });
});

it('a new key expires at the given time', async () => {
  const create = ['api-keys', 'create', ...ofGlobex, '--name', 'Brief', '--expires', '90d'];
  const { expiresAt } = await getResult(...create, '--permission', 'users:read');
  expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
});

it('portal groups rejects an invalid name, and invalid members and reports', async () => {
  const { east } = globex.emails;
  for (const command of [
    ['create', 'x', '--member', 'zoe'],
    ['create', 'x', '--report', 'zoe'],
    ['create', ''],
    ['add', 'Leads', east, 'zoe'],
    ['remove', 'Leads', 'zoe'],
    ['link-reports', 'Leads', 'zoe'],
    ['unlink-reports', 'Leads', 'zoe'],
  ])
    expect([command, await getError('groups', ...command, ...ofGlobex)]).toEqual([
      command,
      invalid,
    ]);
});

it('portal users list and portal reports list reject an invalid page', async () => {
  for (const list of ['users', 'reports'])
    for (const page of [
      ['--page', '0'],
      ['--page', 'x'],
      ['--page-size', '201'],
    ])
      expect(await getError(list, 'list', ...ofGlobex, ...page)).toEqual(invalid);
});

it.each([
  ['api-keys', 'create', '--name', '', '--all-permissions'],
  ['api-keys', 'rename', randomUUID(), ''],
  ['api-keys', 'rotate', 'x', '--old-works-until', '1h'],
  ['users', 'delete', 'ann'],
  ['users', 'link-reports', 'ann@globex.example', 'x'],
  ['users', 'unlink-reports', 'ann', randomUUID()],
])('portal %s %s rejects an invalid name, ID or e-mail', async (...command) => {
  expect(await getError(...command, ...ofGlobex)).toEqual(invalid);
});

it('portal connections names what is wrong, and never the password', async () => {
  const port = await findFreePort();
  const env = {
    PORTAL_CONNECTION_EVENTS: `clickhouse://reader:sesame@127.0.0.1:${port}/events`,
    PORTAL_CONNECTION_ORDERS: `postgres://reader:sesame@127.0.0.1:${port}/orders`,
  };
  const run = (...args: string[]) => runInProcess(database, ['connections', ...args], env);
  for (const [name, advice] of [
    ['events', 'ECONNREFUSED'],
    ['orders', 'ECONNREFUSED'],
  ] as const) {
    const { code, stdout, stderr } = await run('check', name);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(new RegExp(`^error +The connection "${name}" failed: .*${advice}`, 'm'));
    expect(stdout).not.toContain('sesame');
  }
  const unknown = await run('check', 'event');
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    'portal: Unknown connection "event". Connections: events, orders.\n',
  ]);
  const list = await run('list');
  expect(list.stdout).toMatch(/^events +clickhouse +127\.0\.0\.1:\d+\/events +-$/m);
  expect(list.stdout).not.toContain('sesame');
  expect((await run('grant', 'events', ...ofGlobex)).code).toBe(0);
  await getResult('organizations', 'create', 'second', '--name', 'Second');
  const refused = await run('grant', 'events', '-o', 'second');
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining('"events" is already granted to globex'),
  ]);
  expect((await run('grant', 'events', '-o', 'second', '--shared')).code).toBe(0);
  expect((await run('list')).stdout).toMatch(/^events .* globex second$/m);
});

it('portal connections check succeeds if it finds only warnings', async () => {
  await using clickhouse = await startFakeClickhouse();
  // 0.0.0.0 is this machine, but the check takes it for another one.
  const address = `clickhouse://reader:sesame@0.0.0.0:${clickhouse.port}`;
  const check = ['connections', 'check', 'events'];
  const env = { PORTAL_CONNECTION_EVENTS: address };
  const { code, stdout } = await runInProcess(database, check, env);
  expect(stdout).toMatch(/^warning +not encrypted/m);
  expect(stdout).not.toMatch(/^error/m);
  expect(code).toBe(0);
});
