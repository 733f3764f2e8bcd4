import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createLogCollector, send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { watchDataFiles } from '../../src/content/data-file-watch.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { folderStorage } from '../../src/files/folder.ts';
import { createLogger } from '../../src/logger.ts';
import { apply, ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

// A process of the portal starts.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let acme: Pick<TestOrganization, 'id'>;
let datasetFolder: string;
let version: string;
beforeAll(async () => {
  database = await createTestDatabase();
  datasetFolder = path.join(database.dataDir, 'datasets');
  const { db, close } = await openDatabase(database);
  const organization = await createTestOrganization(
    { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'acme',
  );
  acme = organization;
  const folder = path.join(datasetFolder, acme.id);
  writeFiles(folder, { 'orders.csv': ordersCsv, 'archived.csv': `${ordersCsv}North,,Desks,,1\n` });
  const archived = {
    'datasets/archived.yaml': ordersDataset.replace('orders.csv', 'archived.csv'),
  };
  await apply(organization.ctx, datasetFolder, { files: { ...archived } });
  for (const name of fs.readdirSync(path.join(folder, '.versions')))
    if (name.endsWith('.parquet')) fs.rmSync(path.join(folder, '.versions', name));
  await apply(organization.ctx, datasetFolder, { files: ordersFiles, prune: true });
  await close();
  const name = fs
    .readdirSync(path.join(folder, '.versions'))
    .find((each) => each.endsWith('.parquet'));
  version = path.join(folder, '.versions', name!);
});
afterAll(() => database.remove());

/** Moves the data file away for the time of the test. */
function removeVersion(): () => void {
  const restore = () => {
    if (fs.existsSync(`${version}.away`)) fs.renameSync(`${version}.away`, version);
  };
  fs.renameSync(version, `${version}.away`);
  onTestFinished(restore);
  return restore;
}

it('an instance that lacks a data file says so in /readyz and in its log, and stays in service', async () => {
  removeVersion();
  const portal = await startPortalProcess(database);
  onTestFinished(async () => {
    await portal.stop();
  });
  const read = () => send(`${portal.publicUrl}/readyz`);
  await expect
    .poll(async () => (await read()).json())
    .toEqual({ status: 'incomplete', missingDataFiles: 1 });
  expect((await read()).status).toBe(200);
  const line = portal
    .output()
    .split('\n')
    .find((each) => each.includes('data files missing'));
  expect(JSON.parse(line!)).toMatchObject({
    level: 50,
    organizationId: acme.id,
    files: [`.versions/${path.basename(version)}`],
    missing: 1,
  });
});

it('/readyz and the log report a data file that the instance may not read as unreadable, not as missing', async () => {
  fs.chmodSync(version, 0o000);
  onTestFinished(() => fs.chmodSync(version, 0o600));
  const isRoot = process.getuid!() === 0;
  const portal = await startPortalProcess(database, {
    // Permissions do not apply to a root that has these capabilities.
    wrapper: isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [],
  });
  onTestFinished(async () => {
    await portal.stop();
  });
  await expect
    .poll(async () => (await send(`${portal.publicUrl}/readyz`)).json())
    .toEqual({ status: 'incomplete', unreadableDataFiles: 1 });
  const lines = portal.output().split('\n');
  expect(JSON.parse(lines.find((each) => each.includes('data files unreadable'))!)).toMatchObject({
    files: [`.versions/${path.basename(version)}`],
    unreadable: 1,
    codes: ['EACCES'],
    hint: expect.stringContaining('chown -R'),
  });
  expect(portal.output()).not.toContain('missing');
});

it('a missing data file is logged once, and again when it has returned', async () => {
  const { db, close } = await openDatabase(database);
  const { log, destination } = createLogCollector();
  const counts: number[] = [];
  const watch = watchDataFiles({
    db,
    files: folderStorage(db, datasetFolder),
    logger: createLogger('debug', destination),
    intervalMs: 10,
    onChecked: ({ missing }) => counts.push(missing),
  });
  onTestFinished(async () => {
    await watch.stop();
    await close();
  });
  const messages = () => log.map((line) => (JSON.parse(line) as { msg: string }).msg);
  await expect.poll(() => counts).toContain(0);
  const restore = removeVersion();
  await expect.poll(() => watch.count().missing).toBe(1);
  const checks = counts.length;
  await expect.poll(() => counts.length).toBeGreaterThan(checks + 2);
  expect(messages()).toEqual(['data files missing']);
  restore();
  await expect.poll(() => watch.count().missing).toBe(0);
  expect(messages()).toEqual(['data files missing', 'data files returned']);
  const files = Array.from({ length: 7 }, (_, index) => `lost${index}.csv`);
  await sql`UPDATE datasets SET source = source || ${JSON.stringify({ files })}::jsonb
    WHERE slug = 'orders'`.execute(db);
  await expect.poll(() => watch.count().missing).toBe(7);
  expect(JSON.parse(log.at(-1)!)).toMatchObject({ files: files.slice(0, 5), missing: 7 });
});

it('a stored version that no dataset names is removed an hour after its last use', async () => {
  const { db, close } = await openDatabase(database);
  const { destination } = createLogCollector();
  const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
  const folder = path.join(datasetFolder, id, '.versions');
  const names = ['unnamed.parquet', 'unnamed.json'].map((name) => path.join(folder, name));
  for (const name of names) fs.writeFileSync(name, '{}');
  await sql`INSERT INTO files (organization_id, name, sha256, size, last_used_at)
    VALUES (${id}, '.versions/unnamed.parquet', ${'0'.repeat(64)}, 2, now() - interval '59 minutes')`.execute(
    db,
  );
  let checks = 0;
  const watch = watchDataFiles({
    db,
    files: folderStorage(db, datasetFolder),
    logger: createLogger('debug', destination),
    intervalMs: 10,
    onChecked: () => void (checks += 1),
  });
  onTestFinished(async () => {
    await watch.stop();
    await close();
  });
  const others = () => fs.readdirSync(folder).filter((name) => !name.startsWith('unnamed'));
  const before = others();
  await expect.poll(() => checks).toBeGreaterThan(2);
  expect(names.map((name) => fs.existsSync(name))).toEqual([true, true]);
  const then = new Date(Date.now() - 3_660_000);
  for (const name of names) fs.utimesSync(name, then, then);
  await sql`UPDATE files SET last_used_at = now() - interval '61 minutes'
    WHERE name = '.versions/unnamed.parquet'`.execute(db);
  await expect.poll(() => names.map((name) => fs.existsSync(name))).toEqual([false, false]);
  expect(others()).toEqual(before);
});
