import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase, type OpenDatabase } from '../src/db/connection/open.ts';
import type { TestDatabase } from './support/database.ts';
import { createDatabaseBefore } from './support/older-database.ts';

const organization = '00000000-0000-4000-8000-000000000001';

/** A dataset with one report, as release 0.2 writes them. */
const rows = `
INSERT INTO organizations (id, slug, name, accent_color)
  VALUES ('${organization}', 'acme', 'Acme', '#0f6e56');
INSERT INTO workspaces (organization_id, id, name) SELECT id, id, 'Sales' FROM organizations;
INSERT INTO datasets (organization_id, id, name, slug, content, definition, files, columns)
  SELECT id, id, 'Orders', 'orders', 'name: Orders', '{"name":"Orders"}', '{a.parquet}',
    '[{"name":"Sales","type":"integer"}]' FROM organizations;
INSERT INTO reports
  (organization_id, id, name, dataset_id, workspace_id, report_type, slug, content, definition)
  SELECT id, id, 'Orders', id, id, 1, 'orders', 'name: Orders', '{"pages":[]}' FROM organizations;
`;

const source = {
  definition: { name: 'Orders' },
  files: ['a.parquet'],
  columns: [{ name: 'Sales', type: 'integer' }],
};

let database: TestDatabase;
let opened: OpenDatabase;
beforeAll(async () => {
  database = await createDatabaseBefore('0029', rows);
  opened = await openDatabase(database);
});
afterAll(async () => {
  await opened.close();
  await database.remove();
});

const run = async <Row>(statement: RawBuilder<Row>) => (await statement.execute(opened.db)).rows;
const readDataset = () => run(sql`SELECT source, definition, files, columns FROM datasets`);
const readReport = () => run(sql`SELECT source, definition FROM reports`);

it('the migration fills the sources of datasets and reports', async () => {
  expect(await readDataset()).toEqual([{ source, ...source }]);
  expect(await readReport()).toEqual([{ source: { pages: [] }, definition: { pages: [] } }]);
});

it('what release 0.2 writes is in the source', async () => {
  await run(sql`UPDATE datasets SET definition = '{"name":"Sales"}', files = '{b.parquet}'`);
  const changed = { ...source, definition: { name: 'Sales' }, files: ['b.parquet'] };
  expect(await readDataset()).toMatchObject([{ source: changed }]);
  await run(sql`UPDATE reports SET definition = '{"pages":[1]}'`);
  expect(await readReport()).toMatchObject([{ source: { pages: [1] } }]);
});

it('what this release writes can be read by release 0.2', async () => {
  await run(sql`UPDATE datasets SET source = ${JSON.stringify(source)}::jsonb`);
  expect(await readDataset()).toMatchObject([source]);
  await run(sql`UPDATE reports SET source = '{"pages":[2]}'`);
  expect(await readReport()).toMatchObject([{ definition: { pages: [2] } }]);
});

it('the source of a report of another platform is left alone', async () => {
  await run(sql`UPDATE reports SET platform = 'other', slug = NULL, content = NULL,
    source = '{"id":1}', definition = NULL`);
  expect(await readReport()).toEqual([{ source: { id: 1 }, definition: null }]);
});

it('the source of a dataset without a content file is left alone', async () => {
  await run(sql`UPDATE datasets SET slug = NULL, content = NULL, definition = NULL,
    source = '{"definition":1,"files":2}'`);
  expect(await readDataset()).toMatchObject([
    { source: { definition: 1, files: 2 }, definition: null },
  ]);
});

it.each([
  ['a dataset without a source', sql`UPDATE datasets SET source = NULL`],
  ['a dataset with a slug only', sql`UPDATE datasets SET slug = 'orders'`],
  ['a report without a source', sql`UPDATE reports SET source = NULL`],
  ['a report of builtin without content', sql`UPDATE reports SET platform = 'builtin'`],
])('the database refuses %s that is not archived', async (_, statement) => {
  await expect(run(statement)).rejects.toThrow('have_content');
});
