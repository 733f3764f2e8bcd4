import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { mintIdentityUrl } from '../../src/identity-urls/service.ts';
import { createGlobex, ofGlobex, runForResult, runInProcess } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestOrganization } from '../support/organization.ts';
import { runOnTerminal } from '../support/terminal.ts';

// Each command starts the embedded database, which takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
  const { db, close } = await openDatabase(database);
  const { ctx, emails, reportId } = globex;
  for (let count = 0; count < 3; count += 1)
    await mintIdentityUrl({ ...ctx, db }, { userEmail: emails.west, reportId });
  await close();
});
afterAll(() => database.remove());

const countEntries = async (log: 'audit' | 'activity') => {
  if (log === 'activity')
    return (await runForResult(database, ['activity', 'list', ...ofGlobex])).length as number;
  const { stdout } = await runInProcess(database, ['audit', 'export', ...ofGlobex, '--json']);
  return stdout.split('\n').length - 1;
};

it.each(['audit', 'activity'] as const)(
  '`%s prune` without a terminal needs --yes, and its error has the number of entries',
  async (log) => {
    const before = await countEntries(log);
    const prune = [log, 'prune', ...ofGlobex, '--before', '0m'];
    const refused = await runInProcess(database, prune);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(
      new RegExp(
        `^portal: This would remove ${before} entries of the ${log === 'audit' ? 'access' : 'activity'} log of globex from before .*\\. Nothing was removed\\. Add --yes to remove them\\.\n$`,
      ),
    );
    const { code, stderr } = await runInProcess(database, [...prune, '--json']);
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'invalid_request']);
    expect(await countEntries(log)).toBe(before);
  },
);

it.each([
  ['an empty line', '\r'],
  ['no', 'n\r'],
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C', '\u0003'],
])(
  'on a terminal, the question of `prune` has the number of entries, and the answer %s removes nothing',
  async (_, answer) => {
    const before = await countEntries('audit');
    const { code, output } = await runOnTerminal(
      database,
      'audit prune -o globex --before 0m',
      answer,
    );
    expect(output).toContain(`Remove ${before} entries of the access log of globex from before `);
    expect(code).toBe(2);
    expect(await countEntries('audit')).toBe(before);
  },
);

it('on a terminal, `prune` removes the entries after "y"', async () => {
  const before = await countEntries('audit');
  expect(before).toBeGreaterThan(2);
  const { code, output } = await runOnTerminal(
    database,
    'audit prune -o globex --before 0m',
    'y\r',
  );
  expect(output).toContain(`Removed ${before} entries from before`);
  expect(code).toBe(0);
  expect(await countEntries('audit')).toBe(0);
});

it('`prune --yes` asks nothing on a terminal', async () => {
  const { code, output } = await runOnTerminal(
    database,
    'activity prune -o globex --before 0m --yes',
    '',
  );
  expect(output).not.toContain('[y/N]');
  expect([code, output]).toEqual([0, expect.stringMatching(/^Removed \d+ entr/)]);
});
