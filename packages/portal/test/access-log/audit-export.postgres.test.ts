import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { createGlobex, ofGlobex, runInProcess } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestOrganization } from '../support/organization.ts';
import { buildProgram } from '../support/processes.ts';

buildFirst();

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
});
afterAll(() => database.remove());

const portal = (...args: string[]) => runInProcess(database, args);

describe('portal audit export', () => {
  it('writes each of many simultaneous entries once', async () => {
    const { db, close } = await openDatabase(database);
    const entry = { days: 1, email: 'many@globex.example' };
    await insertAuditEntries(
      db,
      globex,
      Array.from({ length: 2_500 }, () => entry),
    );
    await insertAuditEntries(db, globex, [{ days: 500, email: 'old@globex.example' }]);
    await close();
    const { stdout } = await portal('audit', 'export', ...ofGlobex, '--json');
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toHaveLength(2_501);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2_501);
    expect(entries[0].userEmail).toBe('old@globex.example');
  });

  it('writes CSV without formulas', async () => {
    const { db, close } = await openDatabase(database);
    const entry = { days: 2, email: 'new@globex.example', reportName: '=1+1,"x"' };
    await insertAuditEntries(db, globex, [entry]);
    await close();
    const filter = ['--from', '3d', '--user', 'NEW@globex.example'];
    const { stdout } = await portal('audit', 'export', ...ofGlobex, ...filter);
    const lines = stdout.split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,createdAt,organizationId,userId,userEmail,reportId,reportName/);
    expect(lines[1]).toContain(`,new@globex.example,${globex.reportId},"'=1+1,""x""",1,`);
    const between = await portal('audit', 'export', ...ofGlobex, '--from', '3d', '--to', '36h');
    expect(between.stdout.split('\r\n')).toHaveLength(3);
  });

  it('does not overwrite a file', async () => {
    const file = path.join(database.dataDir, 'export.csv');
    const write = ['audit', 'export', ...ofGlobex, '--output', file];
    expect((await portal(...write)).stdout).toBe(`Wrote 2502 entries to ${file}.\n`);
    const before = fs.readFileSync(file, 'utf8');
    expect(before.trimEnd().split('\r\n')).toHaveLength(2_503);
    const again = await portal(...write);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  });

  it('a refused portal audit export leaves no file', async () => {
    const file = path.join(database.dataDir, 'refused.csv');
    expect((await portal('audit', 'export', '-o', 'nobody', '--output', file)).code).toBe(3);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('exits without an error if the reader closes the pipe', async () => {
    const child = spawn(
      process.execPath,
      [await buildProgram(), 'audit', 'export', ...ofGlobex, '--json'],
      {
        env: { PORTAL_DATABASE_URL: database.databaseUrl ?? '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, stderr]).toEqual([0, '']);
  });
});
