import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import { permissions } from '@portal-embed/contract';
import { startFakeClickhouse } from 'report-engine/testing/fake-clickhouse';
import { send } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { insertAuditEntries } from '../support/audit.ts';
import {
  keyPattern,
  listCommands,
  ofGlobex,
  runCommand,
  runForResult,
} from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { buildProgram, startPortalProcess } from '../support/processes.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';

// Each command runs once. Errors are tested only on PostgreSQL.

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  await buildProgram();
  database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  globex = await createTestOrganization(
    { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'globex',
  );
  const { id, reportId } = globex;
  await insertAuditEntries(db, { id, reportId }, [
    { days: 500, email: 'old@globex.example' },
    { days: 1, email: 'new@globex.example' },
  ]);
  await close();
});
afterAll(() => database.remove());

const commandsRun = new Set(['serve', 'migrate']);

/** Runs a command that must succeed and returns its JSON. */
async function getResult(...args: string[]) {
  commandsRun.add(args.slice(0, 2).join(' '));
  return runForResult(database, args);
}

it('portal migrate migrates an empty database', async () => {
  const empty = await createTestDatabase({ isEmpty: true });
  const { code, json } = await runCommand(empty, ['migrate', '--json']);
  expect([code, json().applied[0]]).toEqual([0, '0001_initial.sql']);
  await empty.remove();
});

it('portal migrate reports a database that is up to date', async () => {
  const { code, stdout } = await runCommand(database, ['migrate']);
  expect([code, stdout]).toEqual([0, 'The database is up to date.\n']);
});

it('portal organizations creates, configures, lists and deletes an organization', async () => {
  const created = await getResult('organizations', 'create', 'acme', '--name', 'Acme & Sons');
  const look = { slug: 'acme', name: 'Acme & Sons', accentColor: '#0f6e56' };
  expect(created).toEqual({ id: expect.any(String), ...look });
  const organizationId = created.id;
  const setOrigins = (command: string, ...origins: string[]) =>
    getResult('organizations', command, 'acme', ...origins);
  expect(await setOrigins('set-addresses', 'https://ACME.portal.example/')).toEqual({
    organizationId,
    addresses: ['https://acme.portal.example'],
  });
  const embedOrigins = ['https://b.example', 'https://a.example'];
  expect(await setOrigins('set-embed-origins', ...embedOrigins)).toEqual({
    organizationId,
    embedOrigins,
  });
  const set = await getResult('organizations', 'set-unapplied-filters', 'acme', 'refuse');
  expect(set).toEqual({ organizationId, unappliedFilters: 'refuse' });
  const retention = [
    'set-log-retention',
    'acme',
    '--access-log',
    '400',
    '--activity-log',
    'forever',
  ];
  expect(await getResult('organizations', ...retention)).toEqual({
    organizationId,
    accessLogDays: 400,
    activityLogDays: null,
  });
  const homeUrl = 'https://app.acme.example/reports';
  expect(await getResult('organizations', 'set-home-url', 'acme', homeUrl)).toEqual({
    organizationId,
    homeUrl,
  });
  const [acme] = await getResult('organizations', 'list');
  expect(acme).toMatchObject({
    unappliedFilters: 'refuse',
    homeUrl,
    accessLogDays: 400,
    activityLogDays: null,
    id: created.id,
    slug: 'acme',
    name: 'Acme & Sons',
    addresses: ['https://acme.portal.example'],
    embedOrigins: ['https://a.example', 'https://b.example'],
  });
  const { issuer } = await startScriptedProvider();
  const provider = ['--issuer', issuer, '--client-id', 'portal', '--trust-emails'];
  expect(await getResult('organizations', 'set-oidc', 'acme', ...provider)).toEqual({
    organizationId,
    issuer,
    clientId: 'portal',
    passwords: true,
    trustEmails: true,
    redirectUri: expect.stringMatching(/^http:\/\/localhost:\d+\/admin\/oidc$/),
  });
  expect(await getResult('organizations', 'remove-oidc', 'acme')).toEqual({ organizationId });
  const [newest] = await getResult('activity', 'list', '-o', 'acme');
  expect(newest).toMatchObject({ action: 'removeOidc', refusal: null });
  expect(await getResult('organizations', 'set-home-url', 'acme')).toEqual({
    organizationId,
    homeUrl: null,
  });
  const removed = await getResult('organizations', 'delete', 'acme', '--confirm', 'acme');
  expect(removed).toEqual({ id: created.id });
  const activity = await getResult('activity', 'list', '-o', created.id);
  expect(activity).toMatchObject([{ action: 'deleteOrganization', subject: 'acme' }]);
});

it('portal users and portal reports manage users, list reports and link the two', async () => {
  const email = 'zoe@globex.example';
  const created = await getResult('users', 'create', email, ...ofGlobex, '--name', 'Zoe');
  expect(created).toMatchObject({ email, name: 'Zoe', role: 3, canEditReport: false });
  const change = ['--role', 'contributor', '--expires', '30d'];
  const updated = await getResult('users', 'update', email, ...ofGlobex, ...change);
  expect(updated).toMatchObject({ name: 'Zoe', role: 2, canEditReport: true });
  const inDays = (Date.parse(updated.expirationDate) - Date.now()) / 86_400_000;
  expect(inDays).toBeCloseTo(30, 1);

  const reports = await getResult('reports', 'list', ...ofGlobex, '--name', 'of the group');
  expect(reports.data).toMatchObject([{ id: globex.groupReportId }]);
  const { reportId, groupReportId } = globex;
  const both = [reportId, groupReportId];
  const linked = await getResult('users', 'link-reports', email, ...both, ...ofGlobex);
  expect(linked).toEqual({ userEmail: email, reports: both });
  const unlinked = await getResult('users', 'unlink-reports', email, reportId, ...ofGlobex);
  expect(unlinked).toEqual({ userEmail: email, reports: [reportId] });
  const page = await getResult('users', 'list', ...ofGlobex, '--email', 'ZOE');
  expect(page).toMatchObject({ totalPages: 1, data: [{ email, reports: [groupReportId] }] });
  expect(await getResult('users', 'delete', email, ...ofGlobex)).toEqual({ email });
});

it('portal companies and portal users update set what the API has of a user', async () => {
  const email = globex.emails.none;
  const run = (...change: string[]) => getResult('users', 'update', email, ...ofGlobex, ...change);
  const before = (await getResult('users', 'list', ...ofGlobex, '--email', email)).data[0];
  const north = await getResult('companies', 'create', 'North', ...ofGlobex);
  expect(north).toEqual({ id: expect.any(String), name: 'North' });
  const south = await getResult('companies', 'create', 'South', ...ofGlobex);
  const { reportId } = globex;
  const contributor = ['--role', 'contributor', '--no-can-overwrite-report'];
  const companies = ['--company', 'North', '--company', 'South'];
  expect(await run(...contributor, ...companies, '--landing-page', reportId)).toMatchObject({
    companies: expect.arrayContaining([north.id, south.id]),
    reportLandingPage: reportId,
    canCreateReport: true,
    canEditReport: true,
    canOverwriteReport: false,
  });
  expect(await run('--no-can-create-report', '--no-can-edit-report')).toMatchObject({
    companies: expect.arrayContaining([north.id, south.id]),
    canCreateReport: false,
    canEditReport: false,
  });
  const rights = ['--can-create-report', '--can-edit-report', '--can-overwrite-report'];
  expect(await run(...rights)).toMatchObject({
    canCreateReport: true,
    canEditReport: true,
    canOverwriteReport: true,
  });
  const renamed = await getResult('companies', 'rename', 'South', 'South and West', ...ofGlobex);
  expect(renamed).toEqual({ id: south.id, name: 'South and West' });
  expect(await getResult('companies', 'list', ...ofGlobex)).toEqual([
    { ...north, users: 1 },
    { ...renamed, users: 1 },
  ]);
  expect(await getResult('companies', 'delete', 'North', ...ofGlobex)).toEqual(north);
  const none = ['--without-companies', '--without-landing-page', '--role', 'viewer'];
  expect(await run(...none)).toEqual(before);
});

it('portal groups creates and lists groups, and changes their members and reports', async () => {
  const { west, east, none } = globex.emails;
  const { reportId, groupReportId } = globex;
  const group = 'Night shift';
  const options = ['--member', west, '--report', reportId];
  const created = await getResult('groups', 'create', group, ...ofGlobex, ...options);
  const members = { memberEmails: [west], reports: [reportId] };
  expect(created).toEqual({ id: expect.any(String), name: group, ...members });
  const added = await getResult('groups', 'add', group, east, none, ...ofGlobex);
  expect(added).toEqual({ group, memberEmails: [east, none] });
  const removed = await getResult('groups', 'remove', group, west, ...ofGlobex);
  expect(removed).toEqual({ group, memberEmails: [west] });
  const reports = [reportId, groupReportId];
  const linked = await getResult('groups', 'link-reports', group, ...reports, ...ofGlobex);
  expect(linked).toEqual({ group, reports });
  const unlinked = await getResult('groups', 'unlink-reports', group, reportId, ...ofGlobex);
  expect(unlinked).toEqual({ group, reports: [reportId] });
  const groups = await getResult('groups', 'list', ...ofGlobex);
  expect(groups).toMatchObject([
    { name: 'Leads' },
    { name: 'Night shift', members: 2, reports: 1 },
  ]);
});

it('portal roles lists roles, and changes the users and groups that hold them', async () => {
  const { datasetId, emails } = globex;
  const list = async () =>
    (await getResult('roles', 'list', ...ofGlobex, '--dataset', datasetId)).data.find(
      ({ name }: { name: string }) => name === 'East',
    );
  const { name: role, userEmails, groups } = await list();
  const change = (command: string, ...names: string[]) =>
    getResult('roles', command, datasetId, role, ...names, ...ofGlobex);
  expect(await change('link-users', emails.none)).toEqual({
    datasetId,
    role,
    usersEmails: [emails.none],
  });
  const linked = await change('link-groups', 'Leads');
  expect(linked).toEqual({ datasetId, role, groups: [expect.any(String)] });
  expect(await list()).toMatchObject({
    userEmails: expect.arrayContaining([...userEmails, emails.none]),
    groups: expect.arrayContaining(linked.groups),
  });
  await change('unlink-users', emails.none);
  expect(await change('unlink-groups', 'Leads')).toEqual(linked);
  expect(await list()).toMatchObject({ userEmails, groups });
});

it('portal api-keys creates, renames, rotates, revokes and lists keys', async () => {
  const create = ['api-keys', 'create', ...ofGlobex, '--name', 'App'];
  const created = await getResult(...create, '--all-permissions');
  const { id } = created;
  const key = expect.stringMatching(keyPattern);
  expect(created).toEqual({ id, key, name: 'App', permissions, expiresAt: null });
  const renamed = await getResult('api-keys', 'rename', id, 'App, production', ...ofGlobex);
  expect(renamed).toEqual({ id, name: 'App, production' });
  const successor = await getResult(
    'api-keys',
    'rotate',
    id,
    ...ofGlobex,
    '--old-works-until',
    '1h',
    '--expires',
    '90d',
  );
  const oldWorksUntil = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(successor).toEqual({ id: successor.id, key, replaces: id, oldWorksUntil });
  const revoked = await getResult('api-keys', 'revoke', successor.id, ...ofGlobex);
  expect(revoked).toEqual({ id: successor.id, keepSessions: false, keyless: 0 });
  const kept = await getResult('api-keys', 'revoke', successor.id, ...ofGlobex, '--keep-sessions');
  expect(kept).toEqual({ id: successor.id, keepSessions: true, keyless: 0 });
  const keys: { id: string; expiresAt: string }[] = await getResult(
    'api-keys',
    'list',
    ...ofGlobex,
  );
  const inDays = (Date.parse(keys[2]!.expiresAt) - Date.now()) / 86_400_000;
  expect(inDays).toBeCloseTo(90, 1);
  const name = 'App, production';
  expect(keys.slice(1)).toMatchObject([
    { id, name, state: 'live', replacedBy: successor.id, permissions },
    { id: successor.id, name, state: 'revoked', permissions },
  ]);
});

it('portal connections lists, grants and revokes connections', async () => {
  const name = 'warehouse';
  const env: Record<string, string> = {
    PORTAL_CONNECTION_WAREHOUSE: 'postgres://reader:secret@db.example:5433/sales',
  };
  const run = async (command: string, ...args: string[]) => {
    commandsRun.add(`connections ${command}`);
    return runForResult(database, ['connections', command, ...args], env);
  };
  const known = { name, engine: 'postgres', address: 'db.example:5433/sales' };
  expect(await run('list')).toEqual([{ ...known, organizations: [] }]);
  const organizationId = globex.id;
  const granted = await run('grant', name, ...ofGlobex);
  expect(granted).toEqual({ organizationId, name, shared: false });
  expect(await run('list')).toEqual([{ ...known, organizations: ['globex'] }]);
  await using clickhouse = await startFakeClickhouse();
  env['PORTAL_CONNECTION_EVENTS'] = `clickhouse://reader:sesame@127.0.0.1:${clickhouse.port}`;
  expect(await run('check', 'events')).toEqual({
    name: 'events',
    findings: expect.arrayContaining([
      { level: 'ok', text: 'not encrypted; the server is on this machine' },
    ]),
  });
  delete env['PORTAL_CONNECTION_EVENTS'];
  expect(await run('revoke', name, ...ofGlobex)).toEqual({ organizationId, name });
  expect(await run('list')).toEqual([{ ...known, organizations: [] }]);
});

it('portal sessions lists and ends sessions', async () => {
  const userEmail = globex.emails.west;
  expect(await getResult('sessions', 'list', ...ofGlobex, '--email', userEmail)).toEqual([]);
  const ended = await getResult('sessions', 'end', userEmail, ...ofGlobex);
  expect(ended).toEqual({ userEmail, urls: 0, sessions: 0 });
});

it('portal administrators and portal operators show links of invitations', async () => {
  const link = expect.stringMatching(/^http:\/\/localhost:\d+\/admin\/invitation#[\w-]{43}$/);
  const ada = 'ada@globex.example';
  expect(await getResult('administrators', 'invite', ada, '--name', 'Ada', ...ofGlobex)).toEqual({
    email: ada,
    url: link,
  });
  const { data } = await getResult('users', 'list', '--email', ada, ...ofGlobex);
  expect(data).toMatchObject([{ email: ada, name: 'Ada', role: 1 }]);
  const olga = 'olga@portal.example';
  expect(await getResult('operators', 'invite', olga, '--name', 'Olga')).toEqual({
    email: olga,
    url: link,
  });
  expect(await getResult('operators', 'list')).toMatchObject([
    { email: olga, name: 'Olga', hasPassword: false },
  ]);
  expect(await getResult('operators', 'delete', olga)).toEqual({ email: olga });
  expect(await getResult('operators', 'list')).toEqual([]);
});

it('portal audit and portal activity export, list and prune the two logs', async () => {
  const file = path.join(database.dataDir, 'export.csv');
  const range = ['--from', '3d', '--output', file];
  const exported = await getResult('audit', 'export', ...ofGlobex, ...range);
  expect(exported).toEqual({ entries: 1, file });
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { userEmail: 'new@globex.example', actionName: 'TokenRequested' },
  ]);
  const pruned = await getResult('audit', 'prune', ...ofGlobex, '--before', '400d', '--yes');
  expect(pruned).toMatchObject({ pruned: 1 });
  const [newest] = await getResult('activity', 'list', ...ofGlobex);
  expect(newest).toMatchObject({
    action: 'pruneAudit',
    actor: { kind: 'operator', name: 'olivia' },
    details: { pruned: 1 },
  });
  const { pruned: count } = await getResult(
    'activity',
    'prune',
    ...ofGlobex,
    '--before',
    '0m',
    '--yes',
  );
  expect(count).toBeGreaterThan(20);
});

it('portal serve does not block commands of other processes', async () => {
  const server = await startPortalProcess(database);
  const create = ['users', 'create', 'beside@globex.example', ...ofGlobex, '--name', 'x'];
  expect(await runCommand(database, create)).toMatchObject({ code: 0, stderr: '' });
  expect((await send(`${server.publicUrl}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  const users = await getResult('users', 'list', ...ofGlobex, '--email', 'beside');
  expect(users.data).toHaveLength(1);
});

it('portal serve exits with code 1 if its port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { PORTAL_PORT: String((server.address() as AddressInfo).port) };
  const result = await runCommand(database, ['serve', '--json'], env);
  expect(result.code).toBe(1);
  expect(JSON.parse(result.stderr.trim().split('\n').at(-1)!).error).toEqual({
    exitCode: 1,
    code: 'port_taken',
    detail: `Port ${env.PORTAL_PORT} is taken at 127.0.0.1. Stop the program that uses it, or set PORTAL_PORT to a free port.`,
  });
  server.close();
});

it('portal files copy copies what is in the folder, and is refused with the embedded database', async () => {
  commandsRun.add('files copy');
  const { code, stdout, stderr } = await runCommand(database, ['files', 'copy', '--to', 'folder']);
  const answers = {
    postgres: [0, 'Set PORTAL_FILES=folder for every instance'],
    embedded: [2, 'because a large one would block it'],
  };
  const [expected, part] = answers[database.kind];
  expect([code, stdout + stderr]).toEqual([expected, expect.stringContaining(String(part))]);
});

it('the tests of this file run every command but those of content files, platforms and backups', async () => {
  const commands = (await listCommands()).filter(
    (command) => !/^(content .*|platforms .*|backup|restore|copy)$/.test(command),
  );
  expect([...commandsRun].toSorted()).toEqual(commands.toSorted());
});
