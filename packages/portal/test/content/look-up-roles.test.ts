import path from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createUser } from '../../src/users/service.ts';
import { apply, listMistakes, writeFiles } from '../support/content-files.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

const readers = ['ann', 'bob.ost', 'eve', 'nobody'].map((name) => `${name}@acme.example`);

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, datasetFolder } = portal;
  for (const email of readers) await createUser(acme.ctx, { email, name: 'Reader', role: 3 });
  writeFiles(path.join(datasetFolder, acme.id), data);
});
afterAll(() => portal.close());

const data = {
  'regions.csv': `Region,Owner,Account,Sales
West,ANN@acme.example,12345678901234567890,10
East,bob.ost@acme.example,12345678901234567891,20
North,ann@acme.example;bob.ost@acme.example,12345678901234567899,5
,eve@acme.example,12345678901234567000,1
`,
  'region-access.csv': `Email,Regions
ann@acme.example,"West, East"
bob.ost@acme.example,East
`,
  'account-access.csv': `Email,Account
ann@acme.example,12345678901234567890
bob.ost@acme.example,12345678901234567891
`,
  'staff.csv': `Manager,Employee
ann@acme.example,bob.ost@acme.example
BOB.OST@acme.example,eve@acme.example
`,
  'products.csv': `Country,Product,Sales
DE,Chair,1
DE,Desk,2
FR,Chair,4
FR,Desk,8
,Chair,16
`,
  'product-access.csv': `Email,Country,Product
ann@acme.example,DE,Chair
ann@acme.example,FR,Desk
`,
};

const tables = Object.entries(data).map(([file, text]) => ({
  name: file.replace('.csv', ''),
  metrics: text.includes('Sales') ? 'metrics: [{ name: Sales, expression: sum(Sales) }]\n' : '',
}));

/** Content with one role over one of the tables. */
const files = (table: string, rows: string) => ({
  ...Object.fromEntries(
    tables.map(({ name, metrics }) => [
      `datasets/${name}.yaml`,
      `name: ${name}
source: { file: ${name}.csv }
${metrics}${name === table ? `roles:\n  - name: Own\n    rows: ${rows}\n` : ''}`,
    ]),
  ),
  [`reports/${table}.yaml`]: `name: ${table}
workspace: Sales
dataset: ${table}
pages:
  - name: P
    rows:
      - tiles:
          - { type: kpi, metric: Sales }
`,
});

/** Applies a role, and returns the sales that each reader sees. */
async function readSales(table: string, rows: string): Promise<number[]> {
  const { acme, datasetFolder } = portal;
  const { changes } = await apply(acme.ctx, datasetFolder, { files: files(table, rows) });
  const idOf = (kind: string) =>
    changes.find((change) => change.kind === kind && change.slug === table)!.id;
  const reportId = idOf('report');
  const sales: number[] = [];
  for (const userEmail of readers) {
    await linkReports(acme.ctx, { userEmail, reports: [reportId] });
    const link = { datasetId: idOf('dataset'), role: 'Own', usersEmails: [userEmail] };
    await linkUsers(acme.ctx, link);
    const { bearer } = await startSession(portal, acme, { userEmail, reportId });
    const answer = await view(acme.address, bearer, reportId);
    expect(answer.status).toBe(200);
    sales.push(answer.json().page.rows[0][0].value ?? 0);
  }
  return sales;
}

const staff = '{ lookup: staff, key: Employee, value: Employee, through: Manager }';
const products =
  '{ lookup: product-access, key: Email, fields: { Country: Country, Product: Product } }';

describe('each reader sees', () => {
  it.each([
    [
      'the rows of each region in the cell of a look-up',
      'regions',
      "{ field: Region, in: { lookup: region-access, key: Email, value: Regions, split: ',' } }",
      [30, 20, 0, 0],
    ],
    [
      'the rows that name them in a list',
      'regions',
      "{ field: Owner, split: ';', in: { viewer: email } }",
      [15, 25, 1, 0],
    ],
    [
      'the rows of others than those in a list',
      'regions',
      "{ not: { field: Owner, split: ';', equals: { viewer: email } } }",
      [21, 11, 35, 36],
    ],
    [
      'the rows of their own accounts of twenty digits',
      'regions',
      '{ field: Account, in: { lookup: account-access, key: Email, value: Account } }',
      [10, 20, 0, 0],
    ],
    [
      'the rows of all levels below',
      'regions',
      `{ or: [{ field: Owner, equals: { viewer: email } }, { field: Owner, in: ${staff} }] }`,
      [31, 21, 1, 0],
    ],
    [
      'the rows of all levels below, in lists',
      'regions',
      `{ field: Owner, split: ';', in: ${staff} }`,
      [26, 26, 1, 0],
    ],
    ['the pairs of one row', 'products', `{ matches: ${products} }`, [9, 0, 0, 0]],
    ['all other pairs', 'products', `{ not: { matches: ${products} } }`, [6, 0, 0, 0]],
  ])('%s', async (_what, table, rows, sales) => {
    expect(await readSales(table, rows)).toEqual(sales);
  });
});

it('the answer says what the reader’s role allows', async () => {
  const { acme } = portal;
  await readSales('products', `{ matches: ${products} }`);
  const { rows } = await sql<{ id: string }>`SELECT id FROM reports
    WHERE slug = 'products'`.execute(portal.db);
  const reportId = rows[0]!.id;
  const session = await startSession(portal, acme, { userEmail: readers[0]!, reportId });
  const roleTexts = [
    { kind: 'look-up', fields: ['Country', 'Product'], dataset: 'product-access', levels: false },
  ];
  expect(session.view).toMatchObject({ roles: ['Own'], roleTexts });
});

it('a changed table changes the rows at once', async () => {
  const { acme, datasetFolder } = portal;
  const role = `{ matches: ${products} }`;
  expect(await readSales('products', role)).toEqual([9, 0, 0, 0]);
  const folder = path.join(datasetFolder, acme.id);
  const changed = data['product-access.csv'].replace('ann@acme.example,DE', 'eve@acme.example,DE');
  writeFiles(folder, { 'product-access.csv': changed });
  expect(await readSales('products', role)).toEqual([8, 0, 1, 0]);
  writeFiles(folder, { 'product-access.csv': data['product-access.csv'] });
  expect(await readSales('products', role)).toEqual([9, 0, 0, 0]);
});

describe('two look-ups of the same rows under one and', () => {
  const single = (field: string) =>
    `{ field: ${field}, in: { lookup: product-access, key: Email, value: ${field} } }`;
  const crossed = `{ and: [${single('Country')}, ${single('Product')}] }`;
  const refusal =
    /^datasets\/products\.yaml:6:\d+ Own: two look-ups in product-access under one and allow every "Country" with every "Product"; to allow those of one row only, write matches: \{ lookup: product-access, key: Email, fields: \{ Country: Country, Product: Product \} \}$/;

  it('are refused', async () => {
    const { acme, datasetFolder } = portal;
    const request = { files: files('products', crossed) };
    const mistakes = await listMistakes(apply(acme.ctx, datasetFolder, request));
    expect(mistakes).toEqual([expect.stringMatching(refusal)]);
  });

  it('are named if they are stored', async () => {
    const { acme, datasetFolder, db } = portal;
    await apply(acme.ctx, datasetFolder, { files: files('products', 'all') });
    await sql`UPDATE datasets SET content = replace(content, 'rows: all', ${`rows: ${crossed}`})
      WHERE slug = 'products'`.execute(db);
    const other = { 'datasets/staff.yaml': 'name: Staff\nsource: { file: staff.csv }\n' };
    const { hints } = await apply(acme.ctx, datasetFolder, { files: other, dryRun: true });
    expect(listLookUps(hints)).toEqual([expect.stringMatching(refusal)]);
  });
});

/** The hints about look-ups. */
const listLookUps = (hints: readonly string[]) => hints.filter((hint) => hint.includes('look-up'));

describe('a check of an organization', () => {
  const check = async (rows: string, table = 'regions') => {
    const { acme, datasetFolder } = portal;
    const request = { files: files(table, rows), dryRun: true, inspect: true };
    return listLookUps((await apply(acme.ctx, datasetFolder, request)).hints);
  };
  const owner = (lookUp: string) => `{ field: Owner, notIn: { lookup: ${lookUp} } }`;

  it.each([
    owner('staff, key: Manager, value: Employee'),
    owner('region-access, key: Email, value: Regions, viewer: email'),
    `{ matches: { lookup: region-access, key: Email, fields: { Region: Regions } } }`,
  ])('has no hint for %s', async (rows) => {
    expect(await check(rows)).toEqual([]);
  });

  it.each([
    [
      owner('region-access, key: Regions, value: Email'),
      'region-access',
      '"Regions"',
      'e-mail of a user',
    ],
    [
      owner('region-access, key: Email, value: Regions, viewer: department'),
      'region-access',
      '"Email"',
      'department of a user',
    ],
    [
      owner('region-access, key: Regions, value: Email, viewer: groups'),
      'region-access',
      '"Regions"',
      'name of a group',
    ],
    [
      '{ matches: { lookup: account-access, key: Account, fields: { Owner: Email } } }',
      'account-access',
      '"Account"',
      'e-mail of a user',
    ],
  ])('names a look-up that matches no reader: %s', async (rows, lookup, field, noun) => {
    expect(await check(rows)).toEqual([
      `datasets/regions.yaml: Own: the look-up in ${lookup} matches no reader, because ${field} of ${lookup} has no ${noun}; correct the table, or write another key`,
    ]);
  });

  it('names a look-up in a dataset that is not among the files', async () => {
    const { acme, datasetFolder } = portal;
    await apply(acme.ctx, datasetFolder, { files: files('regions', 'all') });
    const rows = owner('region-access, key: Regions, value: Email');
    const { 'datasets/regions.yaml': text } = files('regions', rows);
    const request = { files: { 'datasets/regions.yaml': text! }, dryRun: true, inspect: true };
    const { hints } = await apply(acme.ctx, datasetFolder, request);
    expect(listLookUps(hints)).toEqual([expect.stringContaining('matches no reader')]);
  });
});
