import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  createGlobex,
  keyPattern,
  ofGlobex,
  runDone,
  runHere,
  runRefused,
} from './support/command-line.ts';
import type { TestDatabase } from './support/database.ts';
import type { TestOrganization } from './support/organization.ts';

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
});
afterAll(() => database.remove());

const portal = (...args: string[]) => runHere(database, args);
const done = (...args: string[]) => runDone(database, args);
const refused = (...args: string[]) => runRefused(database, args);

const invalid = [2, 'invalid_request'];

describe('portal organizations', () => {
  it('refuses a slug twice, another’s address and what is no origin', async () => {
    await done('organizations', 'create', 'acme', '--name', 'Acme');
    expect(await refused('organizations', 'create', 'acme', '--name', 'Acme')).toEqual([
      3,
      'organization_exists',
    ]);
    expect(await refused('organizations', 'create', 'A_b', '--name', 'x')).toEqual(invalid);
    const set = ['organizations', 'set-addresses', 'acme'];
    await done(...set, 'https://acme.example');
    expect(await refused(...set, globex.address)).toEqual([3, 'address_taken']);
    expect(await refused(...set, 'https://acme.example/x')).toEqual(invalid);
    const [acme] = await done('organizations', 'list');
    expect(acme.addresses).toEqual(['https://acme.example']);
    const twice = ['https://a.example', 'https://A.example:443/'];
    const { stdout } = await portal('organizations', 'set-embed-origins', 'acme', ...twice);
    expect(stdout).toBe('acme has https://a.example now.\n');
    expect((await portal('organizations', 'list')).stdout).toMatch(/^acme +Acme +/m);
  });

  it('deletes none without its name given twice, and all of one with it', async () => {
    await done('organizations', 'create', 'gone', '--name', 'Gone');
    await done('users', 'create', 'ann@gone.example', '-o', 'gone', '--name', 'Ann');
    await done('api-keys', 'create', '-o', 'gone', '--name', 'x', '--all-permissions');
    const remove = ['organizations', 'delete', 'gone', '--confirm'];
    expect(await refused(...remove, 'acme')).toEqual(invalid);
    await done(...remove, 'gone');
    expect(await refused('users', 'list', '-o', 'gone')).toEqual([3, 'organization_not_found']);
  });
});

describe('portal users', () => {
  it('refuses an e-mail twice, one that is none, and whom there is not', async () => {
    const { west } = globex.emails;
    const create = ['users', 'create', ...ofGlobex, '--name', 'x'];
    expect(await refused(...create, west.toUpperCase())).toEqual([3, 'user_exists']);
    expect(await refused(...create, 'zoe')).toEqual(invalid);
    const missing = 'nobody@globex.example';
    const department = 'x'.repeat(201);
    const update = ['users', 'update', west, ...ofGlobex];
    expect(await refused(...update, '--department', department)).toEqual(invalid);
    expect(await refused('users', 'delete', missing, ...ofGlobex)).toEqual([3, 'user_not_found']);
    expect(await refused('users', 'update', missing, ...ofGlobex, '--name', 'x')).toEqual([
      3,
      'user_not_found',
    ]);
    expect(await refused('users', 'link-reports', west, globex.id, ...ofGlobex)).toEqual([
      3,
      'unknown_references',
    ]);
  });

  it('lists a page as a table that names the next one', async () => {
    const { stdout } = await portal('users', 'list', ...ofGlobex, '--page-size', '2');
    expect(stdout).toMatch(/^both@globex\.example +both +viewer +2$/m);
    expect(stdout).toContain('--page 2');
    const none = await portal('users', 'list', ...ofGlobex, '--email', 'nobody');
    expect(none.stdout).toBe('No users found.\n');
  });

  it('leaves alone what an update does not name', async () => {
    const { outsider } = globex.emails;
    const update = ['users', 'update', outsider, ...ofGlobex];
    await done(...update, '--department', 'Sales', '--expires', '2099-01-31');
    expect(await done(...update, '--role', 'administrator')).toMatchObject({
      name: 'outsider',
      role: 1,
      department: 'Sales',
      expirationDate: '2099-01-31T00:00:00.000Z',
    });
    expect(await refused(...update)).toEqual(invalid);
    expect(await done(...update, '--never-expires')).toMatchObject({
      department: 'Sales',
      expirationDate: null,
    });
  });
});

describe('portal groups', () => {
  it('refuses a name twice, a group that there is not, and members that there are not', async () => {
    const { east } = globex.emails;
    expect(await refused('groups', 'create', 'Leads', ...ofGlobex)).toEqual([3, 'group_exists']);
    expect(await refused('groups', 'add', 'Other', east, ...ofGlobex)).toEqual([
      3,
      'group_not_found',
    ]);
    expect(await refused('groups', 'add', 'Leads', 'no@x.example', east, ...ofGlobex)).toEqual([
      3,
      'unknown_references',
    ]);
    expect((await portal('groups', 'list', ...ofGlobex)).stdout).toMatch(/^Leads +\S+ +1 +1$/m);
  });
});

describe('portal api-keys', () => {
  it('shows a new key once, alone on its line, and never again', async () => {
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
  });

  it('refuses a key without permissions, one that is rotated already and another’s', async () => {
    expect(await refused('api-keys', 'create', ...ofGlobex, '--name', 'x')).toEqual(invalid);
    const create = ['api-keys', 'create', ...ofGlobex, '--name', 'x', '--permission', 'rls:read'];
    const { id } = await done(...create);
    const rotate = ['api-keys', 'rotate', id, ...ofGlobex, '--old-works-until', '1h'];
    const successor = await done(...rotate);
    expect(await refused(...rotate)).toEqual([3, 'api_key_ended']);
    await done('api-keys', 'revoke', successor.id, ...ofGlobex);
    const again = ['api-keys', 'rotate', successor.id, ...ofGlobex, '--old-works-until', '1h'];
    expect(await refused(...again)).toEqual([3, 'api_key_ended']);
    expect(await refused('api-keys', 'revoke', id, '-o', 'acme')).toEqual([3, 'api_key_not_found']);
    expect(await refused('api-keys', 'revoke', 'x', ...ofGlobex)).toEqual(invalid);
  });
});

describe('portal activity list', () => {
  it('narrows by action, refusal and mints, and goes on behind an entry', async () => {
    const list = ['activity', 'list', ...ofGlobex];
    const newest = await done(...list, '--limit', '3');
    expect(newest).toHaveLength(3);
    const older = await done(...list, '--before-id', String(newest[2].id), '--limit', '1');
    expect(older[0].id).toBeLessThan(newest[2].id);
    const refusals: { refusal: string | null }[] = await done(...list, '--refused');
    expect(refusals).not.toHaveLength(0);
    for (const { refusal } of refusals) expect(refusal).not.toBeNull();
    const groups = await done(...list, '--action', 'createGroup');
    expect(groups).toMatchObject([
      { refusal: 'group_exists', subject: 'Leads', actor: { kind: 'operator', name: 'olivia' } },
      { refusal: null, subject: 'Leads', actor: { kind: 'operator', name: 'operator' } },
    ]);
    const { stdout } = await portal(...list, '--without-mints');
    expect(stdout).toMatch(/ olivia +createGroup +Leads +group_exists +1 +-$/m);
  });
});
