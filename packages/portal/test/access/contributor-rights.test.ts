import path from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findUserByEmail } from '../../src/users/store.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { apply, ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

const payrollReport = ordersReport
  .replace('Order overview', 'Payroll')
  .replace('workspace: Sales', 'workspace: Finance')
  .replace('dataset: orders', 'dataset: payroll');

const files = {
  'datasets/orders.yaml': ordersDataset,
  'datasets/payroll.yaml': ordersDataset.replace('name: Orders', 'name: Payroll'),
  'reports/orders.yaml': ordersReport,
  'reports/payroll.yaml': payrollReport,
};

/** A contributor of the organization, one of the workspace Sales, and one without a workspace. */
const people = { organization: 2, workspace: 4, none: 4 } as const;
type Person = keyof typeof people;

const flagSets = {
  none: [],
  create: ['can_create_report'],
  edit: ['can_edit_report'],
  overwrite: ['can_overwrite_report'],
  all: ['can_create_report', 'can_edit_report', 'can_overwrite_report'],
} as const;
type Flags = keyof typeof flagSets;

let portal: TestPortal;
let ada: AdminBrowser;
const browsers = {} as Record<Person, AdminBrowser>;
const ids: Record<string, string> = {};
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, datasetFolder, db } = portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files });
  for (const { kind, slug, id } of changes) ids[`${kind} ${slug}`] = id;
  ada = await signInAs(portal, acme, 1, 'ada@acme.example');
  for (const [person, role] of Object.entries(people) as [Person, 2 | 4][])
    browsers[person] = await signInAs(portal, acme, role, `${person}.contributor@acme.example`);
  const { workspaces } = (await ada.send('GET', at('/workspaces'))).json();
  const { id } = workspaces.find(({ name }: { name: string }) => name === 'Sales');
  const member = (await findUserByEmail(db, acme.id, 'workspace.contributor@acme.example'))!;
  const json = { userId: member.id, isLinked: true };
  await ada.send('PUT', at(`/workspaces/${id}/contributors`), { json });
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;

async function setFlags(person: Person, flags: Flags): Promise<void> {
  const has = (flag: string) => (flagSets[flags] as readonly string[]).includes(flag);
  await sql`UPDATE users SET can_create_report = ${has('can_create_report')},
    can_edit_report = ${has('can_edit_report')}, can_overwrite_report = ${has('can_overwrite_report')}
    WHERE email = ${`${person}.contributor@acme.example`}`.execute(portal.db);
}

interface Item {
  slug: 'orders' | 'payroll';
  text: string;
  version: number;
}

/** A request about a report or a dataset: method, path and body. */
type Request = (item: Item) => [method: string, path: string, json?: object];

const report = ({ slug }: Item) => `/reports/${ids[`report ${slug}`]}`;
const definition = ({ slug }: Item) => `/definitions/reports/${ids[`report ${slug}`]}`;
const dataset = ({ slug }: Item) => `/datasets/${ids[`dataset ${slug}`]}`;
const datasetDefinition = ({ slug }: Item) => `/definitions/datasets/${ids[`dataset ${slug}`]}`;
const workspaceOf = ({ slug }: Item) => (slug === 'orders' ? 'Sales' : 'Finance');

const readReports: Record<string, Request> = {
  readReport: (item) => ['GET', report(item)],
  readDefinition: (item) => ['GET', definition(item)],
  checkDefinition: (item) => ['POST', `${definition(item)}/check`, { text: item.text }],
  listDefinitionVersions: (item) => ['GET', `${definition(item)}/versions`],
  readDefinitionVersion: (item) => ['GET', `${definition(item)}/versions/${item.version}`],
  previewReport: (item) => ['POST', `${report(item)}/preview`, { text: item.text }],
  previewValues: (item) => [
    'POST',
    `${report(item)}/preview/values`,
    { text: item.text, field: 'Region' },
  ],
};

const editReports: Record<string, Request> = {
  updateReport: (item) => [
    'PUT',
    report(item),
    {
      version: item.version,
      name: 'Renamed',
      workspace: workspaceOf(item),
      description: String(item.version),
    },
  ],
  saveDefinition: (item) => [
    'PUT',
    definition(item),
    { text: `# ${item.version}\n${item.text}`, version: item.version },
  ],
};

const createReports: Record<string, Request> = {
  createReport: (item) => [
    'POST',
    '/reports',
    { name: 'New', workspace: workspaceOf(item), datasetId: ids[`dataset ${item.slug}`] },
  ],
  importReportFile: (item) => [
    'POST',
    '/report-files',
    { fileName: `new-${Math.random()}.yaml`, text: item.text, replaces: false },
  ],
};

const overwriteReports: Record<string, Request> = {
  'importReportFile over a report': (item) => [
    'POST',
    '/report-files',
    { fileName: `${item.slug}.yaml`, text: `# ${item.version}\n${item.text}`, replaces: true },
  ],
};

const keyOf = ({ slug }: Item, kind: 'report' | 'dataset' = 'report') => ({
  kind,
  id: ids[`${kind} ${slug}`],
});

const copyReports: Record<string, Request> = {
  duplicateItems: (item) => ['POST', '/items/duplicate', { items: [keyOf(item)] }],
};

const arrangeReports: Record<string, Request> = {
  renameItems: (item) => [
    'POST',
    '/items/rename',
    { items: [{ ...keyOf(item), name: `Renamed ${item.version}` }] },
  ],
  moveReports: (item) => [
    'POST',
    '/items/move',
    { reportIds: [keyOf(item).id], workspace: workspaceOf(item) },
  ],
  archiveItems: (item) => ['POST', '/items/archive', { items: [keyOf(item)] }],
  restoreItems: (item) => ['POST', '/items/restore', { items: [keyOf(item)] }],
};

const arrangeDatasets: Record<string, Request> = {
  duplicateItems: (item) => ['POST', '/items/duplicate', { items: [keyOf(item, 'dataset')] }],
  renameItems: (item) => [
    'POST',
    '/items/rename',
    { items: [{ ...keyOf(item, 'dataset'), name: 'Mine' }] },
  ],
  archiveItems: (item) => ['POST', '/items/archive', { items: [keyOf(item, 'dataset')] }],
};

const readDatasets: Record<string, Request> = {
  readDataset: (item) => ['GET', dataset(item)],
  readSample: (item) => ['GET', `${dataset(item)}/sample`],
};

const editDatasets: Record<string, Request> = {
  readDefinition: (item) => ['GET', datasetDefinition(item)],
  saveDefinition: (item) => ['PUT', datasetDefinition(item), { text: 'name: x', version: 1 }],
  checkDefinition: (item) => ['POST', `${datasetDefinition(item)}/check`, { text: 'name: x' }],
  listDefinitionVersions: (item) => ['GET', `${datasetDefinition(item)}/versions`],
};

async function readItem(slug: Item['slug']): Promise<Item> {
  const { text, version } = (
    await ada.send('GET', at(`/definitions/reports/${ids[`report ${slug}`]}`))
  ).json();
  return { slug, text, version };
}

async function ask(person: Person, request: Request, slug: Item['slug']): Promise<string> {
  const [method, address, json] = request(await readItem(slug));
  const options = json === undefined ? {} : { json };
  const answer = await browsers[person].send(method, at(address), options);
  if (answer.status !== 200) return answer.json().code;
  // Several items have an answer each.
  return answer.json().failed?.length > 0 ? 'refused' : 'done';
}

const owns = (person: Person, slug: Item['slug']) =>
  person === 'organization' || (person === 'workspace' && slug === 'orders');

const slugs = ['orders', 'payroll'] as const;
/** Sends each request about an own report or dataset and about one of another workspace. */
async function expectEach(
  person: Person,
  requests: Record<string, Request>,
  expected: (isOwn: boolean) => string,
): Promise<void> {
  for (const [name, request] of Object.entries(requests))
    for (const slug of slugs) {
      const answer = await ask(person, request, slug);
      expect([name, slug, answer]).toEqual([name, slug, expected(owns(person, slug))]);
    }
}

describe.each(Object.keys(people) as Person[])('a contributor of %s without a right', (person) => {
  beforeAll(() => setFlags(person, 'none'));

  it('reads, checks and previews the reports of their workspaces', () =>
    expectEach(person, readReports, (isOwn) => (isOwn ? 'done' : 'not_found')));

  it('reads the datasets of their workspaces', () =>
    expectEach(person, readDatasets, (isOwn) => (isOwn ? 'done' : 'dataset_not_found')));

  it('never reads or edits the definition of a dataset', () =>
    expectEach(person, editDatasets, () => 'missing_permission'));
});

const cases = (Object.keys(people) as Person[]).flatMap((person) =>
  (Object.keys(flagSets) as Flags[]).map((flags) => [person, flags] as const),
);

describe.each(cases)('a contributor of %s with the right to %s', (person, flags) => {
  const has = (right: Flags) => flags === right || flags === 'all';
  beforeAll(() => setFlags(person, flags));

  it('edits reports only with the right to edit', () =>
    expectEach(person, editReports, (isOwn) =>
      isOwn ? (has('edit') ? 'done' : 'missing_permission') : 'not_found',
    ));

  it('creates reports only with the right to create', () =>
    expectEach(person, createReports, (isOwn) =>
      isOwn && has('create') ? 'done' : 'missing_permission',
    ));

  it('replaces reports only with the right to overwrite', () =>
    expectEach(person, overwriteReports, (isOwn) =>
      isOwn && has('overwrite') ? 'done' : 'missing_permission',
    ));

  it('copies reports only with the right to create', () =>
    expectEach(person, copyReports, (isOwn) => (isOwn && has('create') ? 'done' : 'refused')));

  it('renames, moves, archives and restores reports only with the right to edit', () =>
    expectEach(person, arrangeReports, (isOwn) => (isOwn && has('edit') ? 'done' : 'refused')));

  it('arranges no datasets', () => expectEach(person, arrangeDatasets, () => 'refused'));

  it('learns what they may do, and sees only their reports', async () => {
    const send = (rest: string) => browsers[person].send('GET', at(rest));
    expect((await send('/rights')).json()).toEqual({
      canCreate: has('create') && person !== 'none',
      canEdit: has('edit'),
      canOverwrite: has('overwrite'),
      isLimited: person !== 'organization',
    });
    const { items } = (await send('/reports')).json();
    const workspaces = new Set(
      items.map(({ workspaceName }: { workspaceName: string }) => workspaceName),
    );
    expect(workspaces.has('Finance')).toBe(person === 'organization');
    expect(workspaces.has('Sales')).toBe(person !== 'none');
    const { datasets } = (await send('/datasets')).json();
    const names = new Set(datasets.map(({ name }: { name: string }) => name));
    expect(names.has('Payroll')).toBe(person === 'organization');
    expect(names.has('Orders')).toBe(person !== 'none');
  });
});
