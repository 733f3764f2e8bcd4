import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder } from '../../src/backup/files/folder.ts';
import { openPostgresSnapshot } from '../../src/backup/postgres/source.ts';
import { migrationLock } from '../../src/db/connection/migrate.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { lockForChange } from '../../src/organizations/store.ts';
import { createFolder, fillTables, hashTables } from '../support/backup.ts';
import { runForResult, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countLockWaits } from '../support/lock-waits.ts';

const asRole = (database: TestDatabase, role: string): TestDatabase => {
  const url = new URL(database.databaseUrl!);
  url.username = role;
  return { ...database, databaseUrl: url.href };
};

/** An empty database with the two roles of the guide. */
async function createTwoRoles(): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(`
    DO $$ BEGIN
      CREATE ROLE portal_owner LOGIN; CREATE ROLE portal_run LOGIN;
    EXCEPTION WHEN duplicate_object THEN END $$;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT ALL ON SCHEMA public TO portal_owner;
    GRANT USAGE ON SCHEMA public TO portal_run;
    ALTER DEFAULT PRIVILEGES FOR ROLE portal_owner IN SCHEMA public
      GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO portal_run`);
  await client.end();
  return database;
}

it('the role that runs the portal writes a backup, and the owner of the tables restores it', async () => {
  const database = await createTwoRoles();
  const { db, close } = await openDatabase(asRole(database, 'portal_owner'));
  await fillTables(db, database.dataDir);
  await close();
  const file = path.join(createFolder(), 'portal.tar');
  await runForResult(asRole(database, 'portal_run'), ['backup', file]);

  const restored = await createTwoRoles();
  const { code, stderr } = await runInProcess(asRole(restored, 'portal_run'), ['restore', file]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      'Use the role that runs `portal migrate`, and give it its rights there first',
    ),
  ]);
  await runForResult(asRole(restored, 'portal_owner'), ['restore', file]);
  expect(await hashTables(asRole(restored, 'portal_run'))).toEqual(await hashTables(database));
});

it('a backup waits for no request, and a migration waits for the backup', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const snapshot = await openPostgresSnapshot(database.databaseUrl!, {
    connectLimitMs: 5_000,
    dataFiles: createDataFolder(path.join(database.dataDir, 'datasets')),
  });
  const { db, close } = await openDatabase({ ...database, statementTimeoutMs: 2_000 });
  await fillTables(db, database.dataDir);
  await close();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const tryLock = async () => {
    const { rows } = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS locked',
      [migrationLock],
    );
    return rows[0]!.locked;
  };
  expect(await tryLock()).toBe(false);
  // Rows since then are not in the snapshot.
  expect(await snapshot.rows.query('SELECT FROM organizations')).toEqual([]);
  await snapshot.rows.close();
  await expect.poll(tryLock).toBe(true);
});

it('a backup waits for an apply that has installed its files and not committed yet', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const { db, close } = await openDatabase(database);
  onTestFinished(close);
  const { acme } = await fillTables(db, database.dataDir);
  const root = path.join(database.dataDir, 'datasets');
  const opening = await db.transaction().execute(async (apply) => {
    await lockForChange(apply, acme.id);
    await sql`UPDATE datasets SET name = 'New' WHERE id = ${acme.datasetId}`.execute(apply);
    fs.writeFileSync(path.join(root, acme.id, 'orders.csv'), 'new');
    const started = openPostgresSnapshot(database.databaseUrl!, {
      connectLimitMs: 5_000,
      dataFiles: createDataFolder(root),
    });
    await expect.poll(() => countLockWaits(db)).toBe(1);
    return { started };
  });
  const { rows, files } = await opening.started;
  expect(await rows.query(`SELECT name FROM datasets WHERE id = '${acme.datasetId}'`)).toEqual([
    { name: 'New' },
  ]);
  const held = files.files.find(({ name }) => name === `${acme.id}/orders.csv`)!;
  expect(await text(files.open(held))).toBe('new');
  await files.release();
  await rows.close();
});
