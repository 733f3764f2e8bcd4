import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { listCommands, createGlobex, ofGlobex, runInProcess } from '../support/command-line.ts';
import { writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { addItems, regionRole } from '../support/items.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
});
afterAll(() => database.remove());

const patterns: [RegExp, string][] = [
  [/pek_[\w-]{43}_[0-9a-f]{8}/g, 'KEY'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/ {2,}/g, '  '],
];

/** Runs a command and returns its output without keys, ids, times and the width of columns. */
async function print(...args: string[]): Promise<string> {
  const { stdout, stderr } = await runInProcess(database, args);
  const output = stdout.trimEnd() + stderr.trimEnd();
  return patterns.reduce((text, [pattern, name]) => text.replace(pattern, name), output);
}

const ann = 'ann@globex.example';

describe('the output', () => {
  it('of set-oidc says where users sign in, and whether they may use a password', async () => {
    const { issuer } = await startScriptedProvider();
    const set = [
      'organizations',
      'set-oidc',
      'globex',
      '--issuer',
      issuer,
      '--client-id',
      'portal',
    ];
    const sentence = `The users of globex sign in at ${issuer}`;
    expect(await print(...set)).toContain(`${sentence}, or with a password.`);
    const { db, close } = await openDatabase(database);
    await sql`UPDATE organization_oidc SET signed_in_at = now()`.execute(db);
    await close();
    expect(await print(...set, '--no-passwords')).toContain(`${sentence}.`);
    expect(await print(...set)).toMatch(
      /^Register this redirect URI there: http:\/\/localhost:\d+\/admin\/oidc$/m,
    );
    const byId = set.map((part) => (part === 'globex' ? globex.id : part));
    expect(await print(...byId)).toContain('set PORTAL_OIDC_SECRET_GLOBEX and restart');
  });

  it('of commands for organizations says what they did', async () => {
    expect(await print('organizations', 'create', 'acme', '--name', 'Acme')).toBe(
      'Created the organization acme (ID). Set its addresses and embed origins next.',
    );
    expect(await print('organizations', 'list')).toBe(
      `SLUG  NAME  ID  ADDRESSES  EMBED ORIGINS
acme  Acme  ID  -  -
globex  globex  ID  ${globex.address}  ${globex.embedOrigin}`,
    );
    expect(await print('activity', 'list', '-o', 'acme')).toMatch(
      / {2}olivia {2}createOrganization {2}acme {2}/,
    );
    expect(await print('groups', 'list', '-o', 'acme')).toBe('There are no groups yet.');
    expect(await print('api-keys', 'list', '-o', 'acme')).toBe('There are no API keys yet.');
    const origins = ['https://b.example', 'https://a.example'];
    expect(await print('organizations', 'set-addresses', 'acme', ...origins)).toBe(
      'The addresses of acme are now: https://b.example, https://a.example.',
    );
    expect(await print('organizations', 'list')).toContain(
      'acme  Acme  ID  https://a.example https://b.example  -',
    );
    await print('organizations', 'set-embed-origins', 'acme', ...origins);
    expect(await print('organizations', 'list')).toContain(
      'https://a.example https://b.example  https://a.example https://b.example',
    );
    expect(await print('organizations', 'set-addresses', 'acme')).toBe(
      'The addresses of acme are now: none.',
    );
    expect(await print('organizations', 'set-addresses', 'acme', 'http://localhost:4000')).toBe(
      "portal: http://localhost:4000 is the portal's own address, which every organization can use. Leave it out.",
    );
    expect(await print('organizations', 'set-unapplied-filters', 'acme', 'refuse')).toBe(
      'The setting for unapplied filters of acme is now refuse.',
    );
    expect(await print('organizations', 'set-home-url', 'acme', 'https://app.acme.example/')).toBe(
      'The home URL of acme is now: https://app.acme.example/.',
    );
    expect(await print('organizations', 'set-home-url', 'acme')).toBe(
      'The home URL of acme is now: none.',
    );
    expect(await print('organizations', 'delete', 'acme', '--confirm', 'x')).toBe(
      'portal: Nothing was deleted. To delete acme, add --confirm acme.',
    );
    expect(await print('organizations', 'delete', 'acme', '--confirm', 'acme')).toBe(
      'Deleted the organization acme.',
    );
    expect(await print('users', 'list', '-o', 'acme')).toBe(
      'portal: The organization "acme" does not exist. Run `portal organizations list` to see the existing ones.',
    );
  });

  it('of commands for users and reports says what they did', async () => {
    const { reportId, groupReportId } = globex;
    const create = ['users', 'create', ann, ...ofGlobex, '--name', 'Ann'];
    expect(await print(...create)).toBe(`Created the user ${ann} (ID).`);
    expect(await print(...create)).toBe(
      `portal: The user ${ann} exists in this organization already. Use another e-mail; letter case does not matter.`,
    );
    expect(await print('users', 'update', ann, ...ofGlobex)).toBe(
      'portal: There is nothing to change. Add --name, --role, --department, --expires or another option; --help lists them.',
    );
    expect(await print('users', 'update', ann, ...ofGlobex, '--role', 'contributor')).toBe(
      `Updated the user ${ann}.`,
    );
    const both = ['--expires', '1d', '--never-expires'];
    expect(await print('users', 'update', ann, ...ofGlobex, ...both)).toMatch(
      "option '--never-expires' cannot be used with option '--expires <moment>'",
    );
    expect(await print('users', 'list', ...ofGlobex, '--page-size', '2')).toBe(
      `E-MAIL  NAME  ROLE  REPORTS
${ann}  Ann  contributor  0
both@globex.example  both  viewer  2

Page 1 of 3. For the next page, add --page 2`,
    );
    expect(await print('users', 'list', ...ofGlobex, '--page-size', '2', '--page', '3')).toMatch(
      /\n\nPage 3 of 3\.$/,
    );
    const reports = [reportId, groupReportId];
    expect(await print('users', 'link-reports', ann, ...reports, ...ofGlobex)).toBe(
      `${ann} may open ID, ID.`,
    );
    expect(await print('users', 'unlink-reports', ann, reportId, ...ofGlobex)).toBe(
      `${ann} has no direct link to ID.`,
    );
    expect(await print('users', 'delete', ann, ...ofGlobex)).toBe(`Deleted the user ${ann}.`);
    const unknown = `portal: There is no user ${ann} in this organization.`;
    for (const [command, advice] of [
      ['delete', 'Check the e-mail. Nothing was deleted.'],
      ['link-reports', 'Create the user first.'],
      ['unlink-reports', 'Check the e-mail.'],
    ] as const) {
      const ids = command === 'delete' ? [] : [reportId];
      expect(await print('users', command, ann, ...ids, ...ofGlobex)).toBe(`${unknown} ${advice}`);
    }
    expect(await print('reports', 'list', ...ofGlobex)).toBe(
      `NAME  WORKSPACE  ID
Orders  Sales  ID
Orders of the group  Leads  ID`,
    );
    expect(await print('reports', 'list', ...ofGlobex, '--name', 'x')).toBe('No reports found.');
    expect(await print('reports', 'list', ...ofGlobex, '--workspace', 'lead')).toBe(
      'NAME  WORKSPACE  ID\nOrders of the group  Leads  ID',
    );
    const second = ['--page', '2', '--page-size', '1'];
    expect(await print('reports', 'list', ...ofGlobex, ...second)).toBe(
      'NAME  WORKSPACE  ID\nOrders of the group  Leads  ID\n\nPage 2 of 2.',
    );
  });

  it('of commands for roles says what they did', async () => {
    const { datasetId, emails } = globex;
    const change = (command: string, ...names: string[]) =>
      print('roles', command, datasetId, 'West', ...names, ...ofGlobex);
    expect(await change('link-users', emails.none)).toBe(
      `The role West was given to ${emails.none}.`,
    );
    expect(await print('roles', 'list', ...ofGlobex)).toBe(
      'DATASET  ROLE  USERS  GROUPS\nsales  East  2  0\nsales  West  3  0',
    );
    expect(await change('unlink-users', emails.none)).toBe(
      `The role West has no link to ${emails.none}.`,
    );
    const two = [emails.none, emails.outsider];
    expect(await change('link-users', ...two)).toBe(
      `The role West was given to ${two.join(', ')}.`,
    );
    expect(await print('roles', 'list', ...ofGlobex)).toMatch(/ {2}West {2}4 {2}0$/);
    expect(await change('unlink-users', ...two)).toBe(
      `The role West has no link to ${two.join(', ')}.`,
    );
    expect(await change('link-groups', 'Leads')).toBe('The role West was given to Leads.');
    const { db, close } = await openDatabase(database);
    await addItems({ ...globex.ctx, db }, path.join(database.dataDir, 'datasets'), {
      datasets: { other: { roles: [regionRole('North')] } },
    });
    await close();
    expect(await print('roles', 'list', ...ofGlobex, '--dataset', 'sales')).toBe(
      'DATASET  ROLE  USERS  GROUPS\nsales  East  2  0\nsales  West  2  1',
    );
    const second = ['--dataset', 'sales', '--page', '2', '--page-size', '1'];
    expect(await print('roles', 'list', ...ofGlobex, ...second)).toBe(
      'DATASET  ROLE  USERS  GROUPS\nsales  West  2  1\n\nPage 2 of 2.',
    );
    expect(await change('unlink-groups', 'Leads')).toBe('The role West has no link to Leads.');
  });

  it('of commands for groups says what they did', async () => {
    const { west, east } = globex.emails;
    const { reportId, groupReportId } = globex;
    expect(await print('groups', 'create', 'Night shift', ...ofGlobex)).toBe(
      'Created the group Night shift (ID).',
    );
    expect(await print('groups', 'add', 'Night shift', west, east, ...ofGlobex)).toBe(
      `Night shift now has the members ${west}, ${east}.`,
    );
    expect(await print('groups', 'list', ...ofGlobex)).toMatch(/^Night shift {2}ID {2}2 {2}0$/m);
    expect(await print('groups', 'remove', 'Night shift', west, ...ofGlobex)).toBe(
      `Night shift no longer has ${west}.`,
    );
    const reports = [reportId, groupReportId];
    expect(await print('groups', 'link-reports', 'Night shift', ...reports, ...ofGlobex)).toBe(
      'Night shift may open ID, ID.',
    );
    expect(await print('groups', 'unlink-reports', 'Night shift', reportId, ...ofGlobex)).toBe(
      'Night shift has no link to ID.',
    );
    expect(await print('groups', 'list', ...ofGlobex)).toBe(
      `NAME  ID  MEMBERS  REPORTS
Leads  ID  1  1
Night shift  ID  1  1`,
    );
  });

  it('of commands for companies says what they did', async () => {
    const companies = (...args: string[]) => print('companies', ...args, ...ofGlobex);
    expect(await companies('list')).toBe('There are no companies yet.');
    expect(await companies('create', 'South')).toBe('Created the company South (ID).');
    await companies('create', 'North');
    await print('users', 'update', globex.emails.west, ...ofGlobex, '--company', 'South');
    expect(await companies('rename', 'South', 'South and West')).toBe(
      'Renamed the company South to South and West.',
    );
    expect(await companies('list')).toBe('NAME  ID  USERS\nNorth  ID  0\nSouth and West  ID  1');
    expect(await companies('delete', 'North')).toBe('Deleted the company North.');
    const unknown =
      'portal: This organization has no company "North". List them with `portal companies list`.';
    expect(await companies('delete', 'North')).toBe(unknown);
    expect(await companies('rename', 'North', 'South')).toBe(unknown);
    expect(await companies('list')).toBe('NAME  ID  USERS\nSouth and West  ID  1');
    expect(await companies('delete', 'South')).toBe(unknown.replace('North', 'South'));
  });

  it('of commands for operators says what they did', async () => {
    const olga = 'olga@portal.example';
    expect(await print('operators', 'list')).toBe('There are no operators yet.');
    expect(await print('operators', 'invite', olga)).toContain(olga);
    expect(await print('operators', 'list')).toBe(
      `E-MAIL  NAME  STATE  CREATED\n${olga}  ${olga}  invited  TIME`,
    );
    const { db, close } = await openDatabase(database);
    await sql`UPDATE admin_accounts SET password_hash = 'x'
      WHERE operator_id IS NOT NULL`.execute(db);
    await close();
    expect(await print('operators', 'list')).toMatch(/ {2}active {2}TIME$/);
    expect(await print('operators', 'delete', olga)).toBe(`Deleted the operator ${olga}.`);
    expect(await print('operators', 'delete', olga)).toBe(
      `portal: There is no operator ${olga}. List them with \`portal operators list\`.`,
    );
    expect(await print('operators', 'list')).toBe('There are no operators yet.');
  });

  it('of connections list has granted connections that the environment does not define', async () => {
    const env = { PORTAL_CONNECTION_EVENTS: 'clickhouse://reader:sesame@ch.example/events' };
    await runInProcess(database, ['connections', 'grant', 'events', ...ofGlobex], env);
    expect(await print('connections', 'list')).toBe(
      'NAME  ENGINE  ADDRESS  ORGANIZATIONS\nevents  -  -  globex',
    );
    const { json } = await runInProcess(database, ['connections', 'list', '--json']);
    expect(json()).toEqual([
      { name: 'events', engine: null, address: null, organizations: ['globex'] },
    ]);
    await print('connections', 'revoke', 'events', ...ofGlobex);
    expect(await print('connections', 'list')).toBe('There are no connections.');
  });

  it('of content check says whether the connection of a dataset is reachable, and content diff does not', async () => {
    const env = { PORTAL_CONNECTION_OWN: database.databaseUrl! };
    const folder = createTemporaryFolder('portal-content-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    writeFiles(folder, {
      'datasets/releases.yaml':
        'name: Releases\nsource: { connection: own, table: schema_migrations }\nrowAccess: everyone\n',
    });
    await runInProcess(database, ['connections', 'grant', 'own', ...ofGlobex], env);
    const run = async (command: string) =>
      (await runInProcess(database, ['content', command, folder, ...ofGlobex], env)).stdout;
    const hint = 'hint: datasets/releases.yaml: reachable: PostgreSQL';
    expect(await run('check')).toContain(hint);
    expect(await run('diff')).not.toContain(hint);
    await print('connections', 'revoke', 'own', ...ofGlobex);
  });

  it('of commands for API keys says what they did', async () => {
    const { stdout } = await runInProcess(database, ['api-keys', 'list', ...ofGlobex, '--json']);
    const [{ id }] = JSON.parse(stdout) as [{ id: string }];
    const create = ['api-keys', 'create', ...ofGlobex, '--name', 'App'];
    expect(await print(...create)).toBe(
      'portal: The key needs permissions. Add --permission <permission...> or --all-permissions.',
    );
    expect(await print(...create, '--permission', 'rls:read', '--all-permissions')).toMatch(
      "option '--all-permissions' cannot be used with option '--permission <permission...>'",
    );
    expect(await print(...create, '--permission', 'rls:read', 'rls:read')).toBe(
      'Created the API key App (ID). The key is shown only once, because only its hash is stored:\n\nKEY',
    );
    expect(await print(...create, '--permission', 'content:write')).toContain(
      'With content:write, it can show any row of the organization to any user.',
    );
    expect(await print(...create, '--permission', 'administrators:write')).toContain(
      'With administrators:write, it can create users who administer the organization.',
    );
    expect(await print('api-keys', 'rename', id, 'Old', ...ofGlobex)).toBe(
      'The name of the API key ID is now Old.',
    );
    expect(await print('api-keys', 'rename', 'x', 'Old', ...ofGlobex)).toMatch(
      /^portal: The input is not valid: id must be /,
    );
    const rotate = ['api-keys', 'rotate', id, ...ofGlobex, '--old-works-until', '1h'];
    expect(await print(...rotate)).toBe(
      'Created its successor (ID). The key is shown only once, because only its hash is stored:\n\nKEY\n\nThe old key works until TIME.',
    );
    expect(await print(...rotate)).toBe(
      'portal: The API key ID was rotated already. Rotate its successor ID.',
    );
    expect(await print('api-keys', 'list', ...ofGlobex)).toBe(
      `NAME  ID  STATE  EXPIRES  LAST USED  PERMISSIONS
Old  ID  rotated  TIME  -  all
App  ID  live  -  -  rls:read
App  ID  live  -  -  content:write
App  ID  live  -  -  administrators:write
Old  ID  live  -  -  all`,
    );
    const keep = 'Sessions and URLs minted with it stay valid.';
    expect(await print('api-keys', 'revoke', id, ...ofGlobex, '--keep-sessions')).toBe(
      `The API key ID is revoked. ${keep}`,
    );
    expect(await print('api-keys', 'revoke', id, ...ofGlobex)).toBe(
      'The API key ID is revoked. Sessions and URLs minted with it have ended.',
    );
    expect(await print('api-keys', 'list', ...ofGlobex)).toMatch(/^Old {2}ID {2}revoked {2}/m);
    const ended = (await runInProcess(database, [...create, '--all-permissions', '--json'])).json();
    await print('api-keys', 'revoke', ended.id, ...ofGlobex);
    const again = ['api-keys', 'rotate', ended.id, ...ofGlobex, '--old-works-until', '1h'];
    expect(await print(...again)).toBe('portal: The API key ID has ended. Create a new one.');
  });

  it('of commands for sessions says what they did, and revoking a key which sessions stay', async () => {
    const { db, close } = await openDatabase(database);
    const { west: userEmail } = globex.emails;
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', userEmail)
      .executeTakeFirstOrThrow();
    const { reportId: report_id, address } = globex;
    const display = { hide_menu: false, hide_navbar: false, hide_sidebar: false };
    const common = {
      organization_id: globex.id,
      api_key_id: null,
      user_id,
      user_email: userEmail,
      address,
      custom_filters: '[]',
    };
    for (const each of [null, report_id])
      await db
        .insertInto('portal_sessions')
        .values({ ...common, ...display, report_id: each, bearer_hash: randomBytes(32) })
        .execute();
    await close();
    const list = await print('sessions', 'list', ...ofGlobex);
    expect(list.split('\n').toSorted()).toEqual([
      'E-MAIL  REPORT  OPENED  LAST USED  API KEY  ADDRESS',
      `${userEmail}  Orders  TIME  TIME  -  ${address}`,
      `${userEmail}  whole portal  TIME  TIME  -  ${address}`,
    ]);
    expect(await print('sessions', 'list', ...ofGlobex, '--limit', '1')).toMatch(
      /^[^\n]+\n[^\n]+$/,
    );
    const none = ['--email', globex.emails.east];
    expect(await print('sessions', 'list', ...ofGlobex, ...none)).toBe(
      'There are no open sessions.',
    );
    const create = ['api-keys', 'create', ...ofGlobex, '--name', 'x', '--permission', 'rls:read'];
    const created = await runInProcess(database, [...create, '--json']);
    const revoke = ['api-keys', 'revoke', created.json().id, ...ofGlobex];
    expect(await print(...revoke, '--keep-sessions')).toBe(
      'The API key ID is revoked. Sessions and URLs minted with it stay valid.',
    );
    expect(await print(...revoke)).toBe(
      'The API key ID is revoked. Sessions and URLs minted with it have ended. 2 open sessions and unused URLs are from an earlier release, which did not store the key, and stay valid. End those of a user with `portal sessions end`.',
    );
    expect(await print('sessions', 'end', userEmail, ...ofGlobex)).toBe(
      `Ended 2 sessions and 0 unused URLs of ${userEmail}.`,
    );
    expect(await print('sessions', 'list', ...ofGlobex)).toBe('There are no open sessions.');
  });

  it('of sessions list says when each session began and was used, and its key', async () => {
    const { db, close } = await openDatabase(database);
    const { east: userEmail } = globex.emails;
    await createApiKey({ ...globex.ctx, db }, { name: 'Nightly', permissions: ['rls:read'] });
    await sql`INSERT INTO portal_sessions (bearer_hash, organization_id, user_id, user_email, address,
        api_key_id, hide_menu, hide_navbar, hide_sidebar, custom_filters, created_at)
      SELECT ${randomBytes(32)}, organization_id, users.id, email, ${globex.address},
        (SELECT id FROM api_keys WHERE name = 'Nightly'), false, false, false, '[]',
        now() - interval '1 hour'
      FROM users WHERE email = ${userEmail}`.execute(db);
    await close();
    const list = ['sessions', 'list', ...ofGlobex, '--email', userEmail];
    const [session] = (await runInProcess(database, [...list, '--json'])).json();
    expect(Date.parse(session.lastUsedAt) - Date.parse(session.openedAt)).toBeGreaterThan(
      3_500_000,
    );
    expect((await runInProcess(database, list)).stdout).toContain(
      `  ${session.openedAt}  ${session.lastUsedAt}  Nightly  ${globex.address}`,
    );
  });

  it('of commands for the logs says what they did', async () => {
    const file = path.join(database.dataDir, 'audit.csv');
    const write = ['audit', 'export', ...ofGlobex, '--output'];
    expect(await print(...write, file)).toBe(`Wrote 0 entries to ${file}.`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(await print(...write, file)).toBe(
      `portal: The file ${file} exists already. Choose another name.`,
    );
    expect(await print(...write, '/no/such/folder')).toMatch(
      /^portal: The file \/no\/such\/folder cannot be created \(ENOENT.*\)\. Choose another place\.$/,
    );
    expect(await print('audit', 'prune', ...ofGlobex, '--before', '1d', '--yes')).toBe(
      'Removed 0 entries from before TIME.',
    );
    for (const log of ['audit', 'activity']) {
      const prune = [log, 'prune', ...ofGlobex, '--before', '2020-01-31', '--yes', '--json'];
      expect(JSON.parse((await runInProcess(database, prune)).stdout)).toEqual({
        pruned: 0,
        before: '2020-01-31T00:00:00.000Z',
      });
    }
    await print('groups', 'add', 'No such group', ann, ...ofGlobex);
    await print('groups', 'add', 'No such group', ann, ...ofGlobex);
    expect(await print('activity', 'list', ...ofGlobex, '--limit', '2')).toMatch(
      /^ID {2}TIME {2}BY {2}ACTION {2}ABOUT {2}REFUSED {2}COUNT {2}LAST TIME\n\d+ {2}TIME {2}olivia {2}addGroupMembers {2}No such group {2}group_not_found {2}2 {2}TIME\n\d+ {2}TIME {2}olivia {2}pruneActivity {2}[^\n]+ {2}- {2}1 {2}-$/,
    );
    expect(await print('activity', 'list', ...ofGlobex, '--action', 'x')).toBe('No entries found.');
    for (const range of [
      ['--from', '2099-01-01'],
      ['--to', '2000-01-01'],
    ])
      expect(await print('activity', 'list', ...ofGlobex, ...range)).toBe('No entries found.');
    const creation = ['--action', 'createOrganization'];
    expect(await print('activity', 'list', ...ofGlobex, ...creation)).toMatch(
      / {2}operator {2}createOrganization {2}globex {2}/,
    );
    expect(await print('activity', 'prune', ...ofGlobex, '--before', '1d', '--yes')).toBe(
      'Removed 0 entries from before TIME.',
    );
  });

  it('of an invalid slug or color says what is valid', async () => {
    const create = ['organizations', 'create', '--name', 'x'];
    const color = ['--accent-color', '#AABBCC'];
    expect(await print(...create, 'x'.repeat(64))).toMatch(
      /^portal: The input is not valid: slug /,
    );
    expect(await print(...create, 'A_b')).toBe(
      'portal: The input is not valid: slug must be lower-case letters, digits and single hyphens.',
    );
    expect(await print(...create, 'blue', '--accent-color', 'blue')).toBe(
      'portal: The input is not valid: accentColor must be a color like #0f6e56.',
    );
    expect(await print(...create, 'A_b', '--accent-color', 'blue')).toMatch(
      /: slug .*; accentColor /,
    );
    const created = await runInProcess(database, [...create, 'x'.repeat(63), ...color, '--json']);
    expect(created.json()).toMatchObject({ accentColor: '#aabbcc' });
  });
});

it('the help of each command is the reviewed one', async () => {
  const helps: string[] = [];
  for (const command of ['', ...(await listCommands())]) {
    const { stdout } = await runInProcess(database, [
      ...command.split(' ').filter(Boolean),
      '--help',
    ]);
    helps.push(`$ portal ${command} --help\n\n${stdout}`);
  }
  await expect(helps.join('\n')).toMatchFileSnapshot('../support/command-line-help.txt');
});
