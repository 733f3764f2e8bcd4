import fs from 'node:fs';
import path from 'node:path';

import { send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.remove());

it('no instance is ready until the first organization is created', async () => {
  const own = await createTestDatabase();
  const count = own.kind === 'postgres' ? 2 : 1;
  const instances = await Promise.all(Array.from({ length: count }, () => startPortalProcess(own)));
  onTestFinished(async () => {
    await Promise.all(instances.map((each) => each.stop()));
    await own.remove();
  });
  const readAll = () =>
    Promise.all(
      instances.map(async ({ publicUrl }) => {
        const { status, body } = await send(`${publicUrl}/readyz`);
        return `${status} ${body}`;
      }),
    );
  const all = (text: string) => instances.map(() => text);
  expect(await readAll()).toEqual(all('503 {"status":"empty"}'));
  expect((await send(`${instances[0]!.publicUrl}/livez`)).status).toBe(200);
  expect(instances[0]!.output()).toContain('The database has no organization');
  const create = ['organizations', 'create', 'acme', '--name', 'Acme'];
  expect(await runInProcess(own, create)).toMatchObject({ code: 0, stderr: '' });
  expect(await readAll()).toEqual(all('200 {"status":"ok"}'));
  const remove = ['organizations', 'delete', 'acme', '--confirm', 'acme'];
  expect(await runInProcess(own, remove)).toMatchObject({ code: 0, stderr: '' });
  expect(await readAll()).toEqual(all('503 {"status":"empty"}'));
});

describe('a mistyped setting', () => {
  const refusal =
    'The configuration is not valid:\n  PORTAL_DATABASE_ULR is unknown. Did you mean PORTAL_DATABASE_URL?';
  const mistyped = { PORTAL_DATABASE_ULR: 'postgres://portal:hunter2@db/portal' };

  it.each(['serve', 'migrate', 'organizations list', 'organizations create x --name X'])(
    'stops `portal %s` before it does anything',
    async (command) => {
      const dataDir = path.join(database.dataDir, 'none');
      const where = { dataDir, databaseUrl: undefined };
      const result = await runInProcess(where, command.split(' '), mistyped);
      expect(result).toMatchObject({ code: 2, stdout: '', stderr: `portal: ${refusal}\n` });
      expect(fs.existsSync(dataDir)).toBe(false);
    },
  );

  it('of the caller stops a command that a server would run', async () => {
    const portal = await startPortalProcess(database, { env: { PORTAL_THEME: 'dark' } });
    onTestFinished(async () => void (await portal.stop()));
    const command = ['organizations', 'create', 'beside', '--name', 'X'];
    const refused = await runInProcess(database, command, mistyped);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: `portal: ${refusal}\n` });
    // The server's own variables do not matter to the caller.
    expect(await runInProcess(database, command)).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not stop --help and --version', async () => {
    for (const option of ['--help', '--version'])
      expect((await runInProcess(database, [option], mistyped)).code).toBe(0);
  });
});

it('the warning of a command about an unknown variable has its name, not its value', async () => {
  const warning =
    'PORTAL_THEME is not a setting of the portal and has no effect. Correct or remove it.';
  const run = (...args: string[]) => runInProcess(database, args, { PORTAL_THEME: 'hunter2' });
  const asText = await run('organizations', 'list');
  expect(asText).toMatchObject({ code: 0, stderr: `portal: warning: ${warning}\n` });
  const asJson = await run('organizations', 'list', '--json');
  expect([asJson.code, JSON.parse(asJson.stderr)]).toEqual([0, { warning }]);
  expect(Array.isArray(asJson.json())).toBe(true);
});
