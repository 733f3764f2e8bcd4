import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createGlobex, runInProcess } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  ({ database } = await createGlobex());
});
afterAll(() => database.remove());

// Nothing listens there, and no test asks Microsoft.
const env = {
  PORTAL_POWERBI_AUTHORITY: 'https://127.0.0.1:9',
  PORTAL_POWERBI_API: 'https://127.0.0.1:9',
};
const portal = (args: string[], more: Record<string, string> = {}) =>
  runInProcess(database, ['platforms', ...args], { ...env, ...more });
const organization = ['-o', 'globex'];

const ids = { tenant: randomUUID(), clientId: randomUUID(), workspace: randomUUID() };
const settings = [
  '--tenant',
  ids.tenant,
  '--client-id',
  ids.clientId,
  '--workspace',
  ids.workspace,
  ...organization,
];

it('a connection is added, listed and removed', async () => {
  const added = await portal(['add', 'powerbi', ...settings]);
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toContain('Set PORTAL_POWERBI_SECRET_GLOBEX or PORTAL_POWERBI_CERTIFICATE_');
  const again = await portal(['add', 'powerbi', ...settings], {
    PORTAL_POWERBI_SECRET_GLOBEX: 'secret',
  });
  expect(again.stdout).toBe(
    'globex is connected to Power BI. Run `portal platforms check powerbi -o globex`.\n',
  );
  const list = (
    await portal(['list', '--json'], { PORTAL_POWERBI_SECRET_GLOBEX: 'secret' })
  ).json();
  expect(list).toEqual([
    {
      organization: 'globex',
      platform: 'powerbi',
      hasSecret: true,
      syncedAt: null,
      failure: null,
      notes: [],
      settings: {
        tenant: ids.tenant,
        clientId: ids.clientId,
        cloud: 'commercial',
        workspaces: [ids.workspace],
        username: 'email',
        customData: false,
      },
    },
  ]);
  expect((await portal(['list'])).stdout).toMatch(/globex +powerbi +missing/);
  expect(await portal(['remove', 'powerbi', ...organization])).toMatchObject({ code: 0 });
  expect((await portal(['list'])).stdout).toBe('There are no connections.\n');
});

it('a connection that cannot be is refused with what to write', async () => {
  const twice = await portal(['add', 'powerbi', ...settings, '--workspace', ids.workspace]);
  expect(twice.code).not.toBe(0);
  expect(twice.stderr).toContain('a workspace is named twice');
  const unknown = await portal(['add', 'tableau', ...settings]);
  expect(unknown.stderr).toContain('Allowed choices are powerbi');
  const missing = await portal(['sync', 'powerbi', ...organization]);
  expect(missing.stderr).toContain('The organization has no connection to powerbi.');
  const domain = await portal(['add', 'powerbi', ...settings, '--tenant', 'globex.example']);
  expect(domain.stderr).toContain('tenant must be an id such as');
  const noRole = await portal(['set-roles', randomUUID(), ...organization]);
  expect(noRole.stderr).toContain('Name the roles with --role <name...>, or remove all with');
  const roles = await portal(['set-roles', randomUUID(), ...organization, '--role', 'West']);
  expect(roles.stderr).toMatch(/Power BI has no dataset .* in this organization/);
});

it('check and sync say that Microsoft does not answer, and that a secret is missing', async () => {
  await portal(['add', 'powerbi', ...settings]);
  const withoutSecret = await portal(['check', 'powerbi', ...organization]);
  expect(withoutSecret.stderr).toContain('has no secret. Set PORTAL_POWERBI_SECRET_');
  const secret = { PORTAL_POWERBI_SECRET_GLOBEX: 'a secret' };
  const checked = await portal(['check', 'powerbi', ...organization], secret);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain('Microsoft Entra ID did not answer (');
  const synced = await portal(['sync', 'powerbi', ...organization], secret);
  expect(synced.stderr).toContain('Microsoft Entra ID did not answer (');
  // A failure of the network is not one of the portal's database.
  expect([synced.code, synced.stderr]).toEqual([1, expect.not.stringContaining('database')]);
  for (const { stdout, stderr } of [checked, synced])
    expect(stdout + stderr).not.toContain('a secret');
});
