import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { createTemporaryFolder, startPostgres } from 'test-support';
import { buildFirst } from 'test-support/build';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { runCommand } from '../support/command-line.ts';
import { ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization } from '../support/organization.ts';

buildFirst();

/** A user of every Debian machine that owns no files. */
const user = 'nobody';

const canSwitch = process.getuid!() === 0 && spawnSync('sudo', ['-V']).status === 0;

it.skipIf(!canSwitch)(
  'the command in the refusal of `content apply` works, and all its files belong to the owner (skipped without root and sudo)',
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const folder = createTemporaryFolder("portal's owner-");
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    fs.chmodSync(folder, 0o755);
    const content = path.join(folder, 'content');
    // Another file than the organization has a version of.
    const data = { 'data/orders.csv': `${ordersCsv}North,,Desks,2024-03-02,5\n` };
    writeFiles(content, { ...ordersFiles, ...data });
    const dataDir = path.join(folder, 'data');
    fs.mkdirSync(dataDir);
    const database = { databaseUrl: cluster.url('postgres'), dataDir };
    const { db, close } = await openDatabase(database);
    await createTestOrganization(
      { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
      'acme',
    );
    await close();
    spawnSync('chown', ['-R', user, dataDir]);
    const list = () => fs.readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const before = list();

    const refused = await runCommand(database, ['content', 'apply', content, '-o', 'acme']);
    expect([refused.code, list()]).toEqual([2, before]);
    const [, command = ''] = /`(sudo .+?)`\. *$/m.exec(refused.stderr) ?? [];
    const env = {
      PATH: process.env['PATH'],
      PORTAL_DATA_DIR: dataDir,
      PORTAL_DATABASE_URL: database.databaseUrl,
    };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
    expect(stdout).toContain('reports/orders.yaml');

    const { uid } = fs.statSync(dataDir);
    const written = list();
    expect(written.length).toBeGreaterThan(before.length);
    for (const name of written) expect(fs.statSync(path.join(dataDir, name)).uid).toBe(uid);
  },
);
