import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';

import { operatorContext } from '../../src/actor/actor.ts';
import { keptTables } from '../../src/backup/tables.ts';
import { findArchived } from '../../src/catalogue/archived.ts';
import { archiveItems, restoreItems } from '../../src/content/archive-items.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { findOrganization } from '../../src/organizations/service.ts';
import {
  createEmptyDatabase,
  createFilledDatabase,
  createFolder,
  hashTables,
  readDataFiles,
} from '../support/backup.ts';
import { runForResult } from '../support/command-line.ts';

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000 });

it('a restored backup has every row and data file, and a backup of it is equal', async () => {
  const database = await createFilledDatabase();
  const folder = createFolder();
  const [first, second] = ['first.tar', 'second.tar'].map((name) => path.join(folder, name));
  const written = await runForResult(database, ['backup', first!]);
  expect(written).toMatchObject({ file: first, missingFiles: [] });
  expect(fs.statSync(first!).mode & 0o777).toBe(0o600);
  const before = await hashTables(database);
  expect(Object.keys(before).toSorted()).toEqual(keptTables);
  expect(Object.entries(before).filter(([, hash]) => hash.startsWith('0 '))).toEqual([]);

  const restored = await createEmptyDatabase();
  const result = await runForResult(restored, ['restore', first!]);
  expect(result).toMatchObject({ rows: written.rows, files: written.files, revokedKeys: 0 });
  expect(await hashTables(restored)).toEqual(before);
  expect(readDataFiles(restored)).toEqual(readDataFiles(database));
  await runForResult(restored, ['backup', second!]);
  const [one, other] = [first!, second!].map((file) => listTar(file));
  expect(other).toEqual(one);
});

/** The entries of a tar as `tar` lists them, with their contents; without those that have a time. */
function listTar(file: string): Record<string, string> {
  const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n');
  expect([names[0], names.at(-1)]).toEqual(['manifest.json', 'end.json']);
  return Object.fromEntries(
    names
      .slice(1, -1)
      .map((name) => [name, execFileSync('tar', ['-xOf', file, name]).toString('base64')]),
  );
}

it('authors’ files of every kind are in a backup, but no hidden ones and none of other folders', async () => {
  const database = await createFilledDatabase();
  const root = path.join(database.dataDir, 'datasets');
  const [organization = ''] = fs.readdirSync(root);
  const folder = path.join(root, organization);
  const add = (name: string, content: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  };
  const before = (await runForResult(database, ['backup', path.join(createFolder(), 'a.tar')]))
    .files;
  add('empty.csv', '');
  add(`year=2026/Umsätze ${'x'.repeat(150)}.csv`, 'A\n1\n');
  add('-n.csv', 'A\n2\n');
  fs.symlinkSync('orders.csv', path.join(folder, 'linked.csv'));
  add('.hidden/secret.csv', 'A\n');
  fs.symlinkSync('/etc/passwd', path.join(folder, 'outside.csv'));
  fs.symlinkSync('missing.csv', path.join(folder, 'broken.csv'));
  fs.symlinkSync('circle.csv', path.join(folder, 'circle.csv'));
  fs.mkdirSync(path.join(root, 'no-organization'));
  fs.writeFileSync(path.join(root, 'no-organization/other.csv'), 'A\n');

  const file = path.join(createFolder(), 'portal.tar');
  expect((await runForResult(database, ['backup', file])).files).toBe(before + 4);
  const restored = await createEmptyDatabase();
  await runForResult(restored, ['restore', file]);
  const expected = readDataFiles(database);
  const orders = expected[`${organization}/orders.csv`]!;
  delete expected[`${organization}/.hidden/secret.csv`];
  delete expected['no-organization/other.csv'];
  expect(readDataFiles(restored)).toEqual({ ...expected, [`${organization}/linked.csv`]: orders });
  const restoredFolder = path.join(restored.dataDir, 'datasets', organization);
  expect(fs.statSync(restoredFolder).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.join(restoredFolder, 'empty.csv')).mode & 0o777).toBe(0o600);
});

it('a restored backup has what was archived, with its data, which can be restored from the archive', async () => {
  const database = await createFilledDatabase();
  const open = async (where: typeof database) => {
    const { db, close } = await openDatabase(where);
    const organizationId = (await findOrganization(db, 'acme'))!;
    const ctx = operatorContext({ db, organizationId, publicUrl: 'http://localhost:4000' });
    return { ctx, close };
  };
  const original = await open(database);
  const { rows } = await sql<{ id: string; reportIds: string[] }>`
    SELECT id, ARRAY(
      SELECT id FROM reports WHERE organization_id = datasets.organization_id AND dataset_id = datasets.id
    ) AS "reportIds" FROM datasets
    WHERE organization_id = ${original.ctx.organizationId} AND slug = 'sales'`.execute(
    original.ctx.db,
  );
  const [{ id, reportIds }] = rows as [(typeof rows)[number]];
  const items = [{ kind: 'dataset' as const, id }];
  expect((await archiveItems(original.ctx, {}, { items, reportIds })).failed).toEqual([]);
  const archive = { page: 1, search: '' };
  const archived = (await findArchived(original.ctx, archive)).rows;
  expect(archived.length).toBe(reportIds.length + 1);
  await original.close();

  const file = path.join(createFolder(), 'portal.tar');
  expect(await runForResult(database, ['backup', file])).toMatchObject({ missingFiles: [] });
  const restored = await createEmptyDatabase();
  await runForResult(restored, ['restore', file]);
  const { ctx, close } = await open(restored);
  onTestFinished(close);
  expect((await findArchived(ctx, archive)).rows).toEqual(archived);
  const again = await restoreItems(ctx, {}, { items: archived });
  expect(again.failed).toEqual([]);
  expect(again.done).toHaveLength(archived.length);
  expect((await findArchived(ctx, archive)).rows).toEqual([]);
});
