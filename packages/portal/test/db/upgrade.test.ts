import fs from 'node:fs';

import { sql } from 'kysely';
import { send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { readOldestRelease, requireUsable } from '../../src/db/connection/schema-version.ts';
import { version } from '../../src/version.ts';
import { runInProcess, runForError } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal } from '../support/portal.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.remove());

async function withDatabase(work: (db: Database) => Promise<unknown>): Promise<void> {
  const { db, close } = await openDatabase(database);
  try {
    await work(db);
  } finally {
    await close();
  }
}

const removeNewestMigration = () =>
  withDatabase((db) =>
    sql`DELETE FROM schema_migrations
      WHERE name = (SELECT max(name) FROM schema_migrations)`.execute(db),
  );

const addFutureMigration = (db: Database, oldest: string) =>
  sql`INSERT INTO schema_migrations (name, oldest_release)
    VALUES ('9999_future.sql', ${oldest})`.execute(db);

const migrations = new URL('../../migrations/', import.meta.url);
const files = fs
  .readdirSync(migrations)
  .filter((name) => name.endsWith('.sql'))
  .toSorted();

describe('a database with an older schema', () => {
  beforeEach(removeNewestMigration);

  it('is rejected by a command with advice, and stays as it is', async () => {
    expect(await runForError(database, ['organizations', 'list'])).toEqual([1, 'schema_outdated']);
    const { stderr } = await runInProcess(database, ['reports', 'list', '-o', 'acme']);
    expect(stderr).toMatch(/lacks \d{4}_\w+\.sql\. Run `portal migrate`/);
    expect(await runForError(database, ['organizations', 'list'])).toEqual([1, 'schema_outdated']);
  });

  it('is rejected by portal serve with PORTAL_MIGRATE=off', async () => {
    const serving = startPortalProcess(database, { env: { PORTAL_MIGRATE: 'off' } });
    await expect(serving).rejects.toThrow('Run `portal migrate`');
  });
});

describe('a database that a newer release has migrated', () => {
  it('is served if its schema allows it', async () => {
    await withDatabase(async (db) => {
      await addFutureMigration(db, version);
      await createTestOrganization(
        { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
        'acme',
      );
    });
    expect((await runInProcess(database, ['organizations', 'list'])).code).toBe(0);
    const portal = await startPortalProcess(database);
    expect((await send(`${portal.publicUrl}/readyz`)).status).toBe(200);
    expect(await portal.stop()).toBe(0);
  });

  it('is rejected by commands and portal serve if its schema needs a newer release', async () => {
    await withDatabase((db) => addFutureMigration(db, '99.0.0'));
    for (const command of [['organizations', 'list'], ['migrate']])
      expect(await runForError(database, command)).toEqual([1, 'portal_outdated']);
    await expect(startPortalProcess(database)).rejects.toThrow(
      `migrated for release 99.0.0 or later, and this portal is ${version}. Install release 99.0.0 or later.`,
    );
  });

  it('makes /readyz of a running portal answer 503 once its schema needs a newer release', async () => {
    const portal = await startTestPortal({ database: await createTestDatabase() });
    await addFutureMigration(portal.db, '99.0.0');
    const answer = await portal.api('GET', '/readyz', { key: null });
    expect([answer.status, answer.json().code]).toEqual([503, 'portal_outdated']);
    expect(answer.json().detail).toContain('Install release 99.0.0 or later.');
    await portal.close();
  });
});

describe('a migration', () => {
  it('names the oldest release that works after it in its first line', async () => {
    await withDatabase(async (db) => {
      const { rows } = await sql<{ name: string; oldest_release: string }>`
        SELECT name, oldest_release FROM schema_migrations
        WHERE name >= '0006' ORDER BY name`.execute(db);
      const oldestOf = (name: string) =>
        readOldestRelease(fs.readFileSync(new URL(name, migrations), 'utf8'));
      expect(rows).toEqual(
        files
          .filter((name) => name >= '0006')
          .map((name) => ({ name, oldest_release: oldestOf(name) })),
      );
      for (const row of rows) expect(row.oldest_release).toMatch(/^\d+\.\d+\.\d+$/);
    });
  });

  it('compares releases as numbers, not as text', () => {
    const applied = [
      { name: 'a', oldest_release: null },
      { name: 'b', oldest_release: '0.9.0' },
      { name: 'c', oldest_release: '0.10.0' },
    ];
    expect(() => requireUsable(applied, '0.9.5')).toThrow('for release 0.10.0 or later');
    expect(() => requireUsable(applied, '0.10.0')).not.toThrow();
    expect(() => requireUsable(applied, '1.0.0')).not.toThrow();
  });
});
