import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { buildFirst } from 'test-support/build';
import { expect, it, onTestFinished } from 'vitest';

import { acceptCommands } from '../../src/cli/control/control-server.ts';
import { exitCodesHelp } from '../../src/cli/exit-codes.ts';
import { run } from '../../src/cli/run.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { listCommands } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';

buildFirst();

const sender = fileURLToPath(new URL('../support/send-command.mjs', import.meta.url));
const guide = fs.readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');

it('the commands of the command-line guide work in their order', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const { dataDir } = database;
  const { db, close } = await openDatabase(database);
  onTestFinished(close);
  // Starting the whole program for each command would take seconds.
  const stop = await acceptCommands({ config: readConfig({ PORTAL_DATA_DIR: dataDir }), db, run });
  onTestFinished(stop);
  const { issuer } = await startScriptedProvider();
  const blocks = [...guide.matchAll(/^```bash\n(.*?)\n```$/gms)].map((match) =>
    match[1]!.replace('https://login.acme.example', issuer),
  );
  expect(blocks).toHaveLength(2);
  const portal = `portal() { "${process.execPath}" "${sender}" "$@"; }`;
  const script = ['set -euo pipefail', portal, ...blocks].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], PORTAL_DATA_DIR: dataDir },
  });
  expect(stdout).toContain('Removed 0 entries');
});

it('the command-line guide names every command', async () => {
  const named = [...guide.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell]) => {
    const names = [...cell!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
    const family = names[0]!.split(' ')[0];
    return names.map((name, index) => (index === 0 ? name : `${family} ${name}`));
  });
  expect(named.toSorted()).toEqual((await listCommands()).toSorted());
});

it('the command-line guide explains each exit code', () => {
  const listed = [...guide.matchAll(/^\| (\d) +\| (.+?) +\|$/gm)];
  expect(listed.map(([, code, meaning]) => `  ${code}  ${meaning}`).join('\n')).toBe(
    exitCodesHelp.split(':\n')[1],
  );
});
