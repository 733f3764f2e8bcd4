import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ArrangedItems, ItemKey } from '#admin/requests';

import { listNewest } from '../support/activity.ts';
import type { AdminBrowser } from '../support/admin.ts';
import {
  apply,
  ordersDataset,
  ordersFiles,
  ordersReport,
  writeFiles,
} from '../support/content-files.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { openReportStage, type ReportStage } from '../support/report-stage.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let stage: ReportStage;
beforeAll(async () => {
  stage = await openReportStage();
  await stage.contributeTo('Sales');
});
afterAll(() => stage.portal.close());

/** Arranges items, and returns what happened to each. */
async function arrange(
  browser: AdminBrowser,
  action: string,
  json: { items: ItemKey[]; reportIds?: string[] } | object,
): Promise<ArrangedItems> {
  const answer = await browser.send('POST', stage.at(`/items/${action}`), { json });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.json();
}

const report = (id = stage.reportId) => ({ kind: 'report' as const, id });
const dataset = (id = stage.datasetId) => ({ kind: 'dataset' as const, id });

const archive = (items: ItemKey[], reportIds?: string[], browser = stage.admin) =>
  arrange(browser, 'archive', { items, ...(reportIds && { reportIds }) });
const restore = (items: ItemKey[], browser = stage.admin) => arrange(browser, 'restore', { items });
const listArchived = async (browser: AdminBrowser = stage.admin, query = '') =>
  stage.read(browser, `/archive${query}`);

/** Brings the content back to that of the stage. */
beforeEach(async () => {
  const { portal, datasetId, reportId } = stage;
  await restore([dataset(datasetId), report(reportId)]);
  await apply(portal.acme.ctx, portal.datasetFolder, { files: ordersFiles, force: true });
  await stage.setFlags('cora@acme.example', { can_create_report: true, can_edit_report: true });
  await stage.setFlags('will@acme.example', { can_create_report: true, can_edit_report: true });
});

describe('an archived report', () => {
  it('is in no list, is neither linked nor minted, and leaves open sessions at their next request', async () => {
    const { portal, reportId } = stage;
    const { acme } = portal;
    const userEmail = acme.emails.west;
    const link = (to: string) =>
      portal.api('PUT', '/api/user/link-reports', { json: { userEmail: to, reports: [reportId] } });
    await link(userEmail);
    const list = async () => (await portal.api('GET', '/api/report?pageSize=200')).json();
    const readUser = async () =>
      (await portal.api('GET', `/api/user?email=${userEmail}`)).json().data[0];
    const [reports, user] = [await list(), await readUser()];
    expect(user.reports).toContain(reportId);
    const single = await startSession(portal, acme, { userEmail, reportId });
    const whole = await startSession(portal, acme, { userEmail });
    const unopened = await mint(portal, acme, { userEmail, reportId });
    const read = async (bearer: string) => (await view(acme.address, bearer, reportId)).status;
    expect([await read(single.bearer), await read(whole.bearer)]).toEqual([200, 200]);

    expect(await archive([report()])).toEqual({
      done: [{ ...report(), name: 'Order overview' }],
      failed: [],
    });
    const after = await list();
    expect(after.data).toHaveLength(reports.data.length - 1);
    expect(after.data.map(({ id }: { id: string }) => id)).not.toContain(reportId);
    expect((await readUser()).reports).not.toContain(reportId);
    const linked = await link(acme.emails.east);
    const unknown = await portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail, reports: [randomUUID()] },
    });
    expect([linked.status, linked.json().code]).toEqual([422, unknown.json().code]);
    const request = (id: string) =>
      portal.api('POST', '/api/identity/url', {
        json: { userEmail, baseUrl: acme.address, organizationId: acme.id, reportId: id },
      });
    const [minted, other] = [await request(reportId), await request(randomUUID())];
    expect([minted.status, minted.json().code, minted.json().detail]).toEqual([
      other.status,
      other.json().code,
      other.json().detail,
    ]);
    for (const { bearer } of [single, whole])
      expect((await view(acme.address, bearer, reportId)).json().code).toBe(
        'report_not_accessible',
      );
    const late = readSession(await open(unopened));
    expect((await view(acme.address, late.bearer, reportId)).json().code).toBe(
      'report_not_accessible',
    );

    expect((await restore([report()])).failed).toEqual([]);
    expect(await list()).toEqual(reports);
    expect(await readUser()).toEqual(user);
    expect([await read(single.bearer), await read(whole.bearer)]).toEqual([200, 200]);
    await portal.api('PUT', '/api/user/unlink-reports', {
      json: { userEmail, reports: [reportId] },
    });
  });

  it('is in the list of the archive, with who archived it and when, until it is restored', async () => {
    const before = Date.now();
    expect((await archive([report()])).failed).toEqual([]);
    const { items, totalCount } = await listArchived();
    expect(totalCount).toBe(1);
    expect(items).toEqual([
      {
        ...report(),
        name: 'Order overview',
        workspaceName: 'Sales',
        archivedAt: expect.any(String),
        archivedBy: 'ada@acme.example',
        archivedFrom: 'pages',
        isDefined: true,
        product: null,
      },
    ]);
    expect(Date.parse(items[0].archivedAt)).toBeGreaterThan(before - 60_000);
    expect((await listArchived(stage.admin, '?search=OVERV')).totalCount).toBe(1);
    expect((await listArchived(stage.admin, '?search=other')).items).toEqual([]);
    expect(await listNewest(stage.portal, 1)).toMatchObject([
      {
        action: 'archiveItems',
        subject: 'Order overview',
        actor: { kind: 'user', name: 'ada@acme.example' },
        details: { kind: 'report', id: stage.reportId, file: 'reports/orders.yaml' },
      },
    ]);
    await restore([report()]);
    expect((await listArchived()).items).toEqual([]);
    expect(await listNewest(stage.portal, 1)).toMatchObject([{ action: 'restoreItems' }]);
  });

  it('that is archived again keeps who archived it first', async () => {
    await archive([report()], undefined, stage.contributor);
    expect((await archive([report()])).failed).toEqual([]);
    expect((await listArchived()).items).toMatchObject([{ archivedBy: 'cora@acme.example' }]);
  });

  it('that a pipeline archived names its key', async () => {
    const answer = await stage.portal.api('PUT', '/api/content', {
      json: { files: { 'datasets/orders.yaml': ordersDataset }, prune: true, force: true },
    });
    expect(answer.status).toBe(200);
    const { items } = await listArchived(stage.admin, '?search=Order%20overview');
    expect(items).toMatchObject([{ archivedBy: 'test', archivedFrom: 'files' }]);
    await restore((await listArchived()).items.map(({ kind, id }: ItemKey) => ({ kind, id })));
  });

  it('whose definition no longer fits its dataset stays archived, with the reason', async () => {
    const { portal } = stage;
    await archive([report()]);
    const renamed = ordersDataset.replace('- name: Sales', '- name: Revenue');
    await apply(portal.acme.ctx, portal.datasetFolder, {
      files: { 'datasets/orders.yaml': renamed },
    });
    const { done, failed } = await restore([report()]);
    expect(done).toEqual([]);
    expect(failed).toMatchObject([{ detail: expect.stringContaining('reports/orders.yaml:') }]);
    expect((await listArchived()).totalCount).toBe(1);
    await apply(portal.acme.ctx, portal.datasetFolder, {
      files: { 'datasets/orders.yaml': ordersDataset },
    });
    expect((await restore([report()])).failed).toEqual([]);
  });

  it('while it is archived by one and opened by many, each opening succeeds or is refused', async () => {
    const { portal, reportId } = stage;
    const { acme } = portal;
    const userEmail = acme.emails.west;
    const json = { userEmail, reports: [reportId] };
    await portal.api('PUT', '/api/user/link-reports', { json });
    const openOnce = async () => {
      const body = { userEmail, baseUrl: acme.address, organizationId: acme.id, reportId };
      const minted = await portal.api('POST', '/api/identity/url', { json: body });
      if (minted.status !== 200) return minted.json().code as string;
      const page = await open(minted.json().embedUrl);
      if (page.status !== 200) return String(page.status);
      const { bearer } = readSession(page);
      const answer = await view(acme.address, bearer, reportId);
      return answer.status === 200 ? 'opened' : (answer.json().code as string);
    };
    const first = Array.from({ length: 6 }, openOnce);
    const archived = archive([report()]);
    const outcomes = await Promise.all([...first, ...Array.from({ length: 6 }, openOnce)]);
    for (const outcome of outcomes)
      expect(outcome).toBeOneOf(['opened', '403', 'report_not_accessible']);
    expect((await archived).failed).toEqual([]);
    expect(await openOnce()).toBe('report_not_accessible');
    await portal.api('PUT', '/api/user/unlink-reports', { json });
  });
});

describe('archiving a dataset', () => {
  it('is refused with the names of its reports, unless they are archived with it', async () => {
    const { reportId } = stage;
    const refused = await archive([dataset()]);
    expect(refused).toMatchObject({
      done: [],
      failed: [{ ...dataset(), detail: expect.stringContaining('"Order overview"') }],
    });
    expect(await listNewest(stage.portal, 1)).toMatchObject([
      { action: 'archiveItems', subject: stage.datasetId, refusal: 'invalid_request' },
    ]);
    const { reports } = (
      await stage.admin.send('POST', stage.at('/items/reports'), {
        json: { datasetIds: [stage.datasetId] },
      })
    ).json();
    expect(reports).toEqual([{ id: reportId, name: 'Order overview' }]);
    const { done } = await archive([dataset()], [reportId]);
    expect(done.map(({ kind, name }) => [kind, name])).toEqual([
      ['report', 'Order overview'],
      ['dataset', 'Orders'],
    ]);
    const { failed } = await restore([report()]);
    expect(failed).toMatchObject([{ detail: expect.stringContaining('"Orders"') }]);
    // The dataset comes first, whatever the order of the request.
    expect((await restore([report(), dataset()])).failed).toEqual([]);
    expect((await listArchived()).items).toEqual([]);
  });

  it('keeps the holders of its roles', async () => {
    const { portal, datasetId, reportId } = stage;
    const list = async () =>
      (await portal.api('GET', `/api/datasets/rls?datasetId=${datasetId}`)).json().data as object[];
    const before = await list();
    expect(before.length).toBe(2);
    await archive([dataset()], [reportId]);
    expect(await list()).toEqual([]);
    await restore([dataset(), report()]);
    expect(await list()).toEqual(before);
  });

  it('whose values a role of another dataset looks up is refused, with the place', async () => {
    const { portal } = stage;
    const { acme, datasetFolder } = portal;
    writeFiles(path.join(datasetFolder, acme.id), {
      'managers.csv': 'Email,Region\nwest@acme.example,West\n',
    });
    const looking = `${ordersDataset}  - name: Own
    rows: { field: Region, in: { lookup: managers, key: Email, value: Region } }
`;
    const { changes } = await apply(acme.ctx, datasetFolder, {
      files: {
        'datasets/managers.yaml':
          'name: Managers\nsource:\n  file: managers.csv\nrowAccess: everyone\n',
        'datasets/orders.yaml': looking,
      },
    });
    const { id } = changes.find(({ slug }) => slug === 'managers')!;
    const { done, failed } = await archive([dataset(id)]);
    expect(done).toEqual([]);
    expect(failed).toMatchObject([{ detail: expect.stringContaining('datasets/orders.yaml:') }]);
    await apply(acme.ctx, datasetFolder, { files: ordersFiles });
    expect((await archive([dataset(id)])).failed).toEqual([]);
    await arrange(stage.admin, 'delete', { items: [dataset(id)] });
  });
});

describe('a content folder', () => {
  const put = async (files: object, options = {}) =>
    stage.portal.api('PUT', '/api/content', { json: { files, ...options } });

  it('conflicts with a report that was archived in the portal, and restores it with force', async () => {
    await archive([report()]);
    const shown = await put(ordersFiles, { dryRun: true });
    expect(shown.json().changes).toMatchObject([
      { slug: 'orders', kind: 'dataset', change: 'unchanged' },
      { slug: 'orders', kind: 'report', change: 'restore', conflict: true },
    ]);
    const refused = await put(ordersFiles);
    expect([refused.status, refused.json().code]).toEqual([409, 'content_conflict']);
    expect(refused.json().detail).toContain('reports/orders.yaml was archived in the portal');
    expect(refused.json().errors).toEqual([
      { path: 'reports/orders.yaml', message: 'was archived in the portal' },
    ]);
    // Without the file, nothing brings it back.
    expect((await put({ 'datasets/orders.yaml': ordersDataset })).status).toBe(200);
    expect((await listArchived()).totalCount).toBe(1);
    expect((await put(ordersFiles, { force: true })).status).toBe(200);
    expect((await listArchived()).items).toEqual([]);
  });

  it('does not conflict with a report that was archived and restored in the portal', async () => {
    await archive([report()]);
    await restore([report()]);
    const answer = await put({ ...ordersFiles, 'reports/orders.yaml': `${ordersReport}# later\n` });
    expect([answer.status, answer.json().changes]).toMatchObject([
      200,
      [{ change: 'unchanged' }, { change: 'update', conflict: false }],
    ]);
  });
});

describe('contributors', () => {
  it('archive and restore reports of their workspaces only, with the right to edit, and no datasets', async () => {
    const { portal, contributor, limited } = stage;
    const other = report(portal.acme.groupReportId);
    const { done, failed } = await archive([report(), other, dataset()], undefined, limited);
    expect(done).toEqual([{ ...report(), name: 'Order overview' }]);
    expect(failed.map(({ kind, id }) => [kind, id])).toEqual([
      ['report', other.id],
      ['dataset', stage.datasetId],
    ]);
    const unknown = await archive([report(randomUUID())], undefined, limited);
    expect(failed[0]!.detail).toBe(unknown.failed[0]!.detail);
    await archive([other]);
    expect((await listArchived(limited)).items).toMatchObject([{ name: 'Order overview' }]);
    expect((await listArchived(contributor)).totalCount).toBe(2);
    expect((await restore([other], limited)).done).toEqual([]);
    expect((await restore([report()], limited)).failed).toEqual([]);
    expect((await restore([other], contributor)).failed).toEqual([]);

    await stage.setFlags('cora@acme.example', { can_edit_report: false });
    const refused = await archive([report()], undefined, contributor);
    expect(refused.failed).toMatchObject([{ detail: expect.stringContaining('edit reports') }]);
    expect(await listArchived(contributor)).toMatchObject({ canRestore: false });
    for (const action of ['deletion', 'delete'])
      expectProblem(
        await contributor.send('POST', stage.at(`/items/${action}`), {
          json: { items: [report()] },
        }),
        'missing_permission',
      );
  });

  it('move reports to their own workspaces, and copy with the right to create', async () => {
    const { limited } = stage;
    const move = (workspace: string) =>
      arrange(limited, 'move', { reportIds: [stage.reportId], workspace });
    expect((await move('Leads')).failed).toMatchObject([
      { detail: expect.stringContaining('your own workspaces') },
    ]);
    expect((await move('Sales')).failed).toEqual([]);
    await stage.setFlags('will@acme.example', { can_create_report: false });
    expect((await arrange(limited, 'duplicate', { items: [report()] })).failed).toMatchObject([
      { detail: expect.stringContaining('create reports') },
    ]);
    expect(
      (await arrange(limited, 'rename', { items: [{ ...report(), name: 'Mine' }] })).done,
    ).toMatchObject([{ name: 'Mine' }]);
  });
});

it('items of another organization are answered like unknown ones', async () => {
  const { foreignReportId, portal } = stage;
  const foreign = [report(foreignReportId), dataset(portal.globex.datasetId)];
  const unknown = [report(randomUUID()), dataset(randomUUID())];
  for (const action of ['archive', 'restore', 'duplicate', 'delete']) {
    const [theirs, none] = [
      await arrange(stage.admin, action, { items: foreign }),
      await arrange(stage.admin, action, { items: unknown }),
    ];
    expect(theirs.done).toEqual([]);
    expect(theirs.failed.map(({ detail }) => detail).toSorted()).toEqual(
      none.failed.map(({ detail }) => detail).toSorted(),
    );
  }
  const { rows } = await sql`
    SELECT FROM reports WHERE organization_id = ${portal.globex.id} AND archived_at IS NOT NULL
  `.execute(portal.db);
  expect(rows).toEqual([]);
});

describe('several at once', () => {
  it('are renamed and moved in their definitions, and what fails is named', async () => {
    const { portal, admin, reportId } = stage;
    const other = report(portal.acme.groupReportId);
    const unknown = report(randomUUID());
    const renamed = await arrange(admin, 'rename', {
      items: [
        { ...report(), name: 'Overview of orders' },
        { ...unknown, name: 'Nothing' },
        { ...other, name: 'Leads and orders' },
        { ...dataset(), name: 'All orders' },
      ],
    });
    expect(renamed.done.map(({ name }) => name)).toEqual([
      'All orders',
      'Overview of orders',
      'Leads and orders',
    ]);
    expect(renamed.failed).toMatchObject([{ ...unknown, detail: expect.any(String) }]);
    const moved = await arrange(admin, 'move', {
      reportIds: [reportId, other.id],
      workspace: 'New one',
    });
    expect(moved.failed).toEqual([]);
    const { items } = await stage.read(admin, '/reports?search=orders');
    expect(
      items.map(({ name, workspaceName }: Record<string, string>) => [name, workspaceName]),
    ).toEqual(
      expect.arrayContaining([
        ['Leads and orders', 'New one'],
        ['Overview of orders', 'New one'],
      ]),
    );
    const { text } = await stage.read(admin, `/definitions/reports/${reportId}`);
    expect(text).toContain('name: Overview of orders\nworkspace: New one\n');
    expect(text).toContain('x: Ordered by month');
    await arrange(admin, 'move', { reportIds: [other.id], workspace: 'Leads' });
  });

  it('copies of a report and a dataset have free names, no readers and no holders', async () => {
    const { portal, admin, reportId } = stage;
    const { done, failed } = await arrange(admin, 'duplicate', {
      items: [report(), report(), dataset()],
    });
    expect(failed).toEqual([]);
    expect(done.map(({ kind, name }) => [kind, name])).toEqual([
      ['dataset', 'Orders (2)'],
      ['report', 'Order overview (2)'],
      ['report', 'Order overview (3)'],
    ]);
    const [copiedDataset, copy] = done;
    expect(await stage.read(admin, `/reports/${copy!.id}`)).toMatchObject({
      readers: 0,
      isEdited: true,
      dataset: { id: stage.datasetId },
    });
    const copied = await stage.read(admin, `/datasets/${copiedDataset!.id}`);
    expect(copied.roles).toMatchObject([
      { name: 'East', users: 0, groups: 0 },
      { name: 'West', users: 0, groups: 0 },
    ]);
    const text = async (id: string) =>
      (await stage.read(admin, `/definitions/reports/${id}`)).text as string;
    expect(await text(copy!.id)).toBe(
      (await text(reportId)).replace('name: Order overview', 'name: Order overview (2)'),
    );
    await archive(done.map(({ kind, id }) => ({ kind, id })));
    const deleted = await arrange(admin, 'delete', {
      items: done.map(({ kind, id }) => ({ kind, id })),
    });
    expect(deleted.failed).toEqual([]);
    const data = path.join(portal.datasetFolder, portal.acme.id, 'orders.csv');
    expect(fs.existsSync(data)).toBe(true);
  });

  it('a copy of a report with a fixed id has another one', async () => {
    const { portal, admin } = stage;
    const id = randomUUID();
    await apply(portal.acme.ctx, portal.datasetFolder, {
      files: { 'reports/fixed.yaml': `id: ${id}\n${ordersReport}` },
    });
    const { done } = await arrange(admin, 'duplicate', { items: [report(id)] });
    expect(done[0]!.id).not.toBe(id);
    const items = [report(id), report(done[0]!.id)];
    await archive(items);
    await arrange(admin, 'delete', { items });
  });

  it('more than a hundred are refused', async () => {
    const items = Array.from({ length: 101 }, () => report(randomUUID()));
    const answer = await stage.admin.send('POST', stage.at('/items/archive'), { json: { items } });
    expectProblem(answer, 'invalid_request');
  });
});

describe('deleting for good', () => {
  /** Makes a dataset with a report, which a user has opened. */
  async function addTwin() {
    const { portal } = stage;
    const { acme, datasetFolder } = portal;
    writeFiles(path.join(datasetFolder, acme.id), {
      'twin.csv': `${ordersCsv}West,,Chairs,2024-01-01,1\n`,
    });
    const { changes } = await apply(acme.ctx, datasetFolder, {
      files: {
        'datasets/twin.yaml': ordersDataset
          .replace('orders.csv', 'twin.csv')
          .replace('name: Orders', 'name: Twin'),
        'reports/twin.yaml': ordersReport
          .replace('dataset: orders', 'dataset: twin')
          .replace('Order overview', 'Twin overview'),
      },
    });
    const idOf = (kind: string) => changes.find((change) => change.kind === kind)!.id;
    const [datasetId, reportId] = [idOf('dataset'), idOf('report')];
    const userEmail = acme.emails.west;
    await portal.api('PUT', '/api/user/link-reports', { json: { userEmail, reports: [reportId] } });
    await portal.api('PUT', '/api/datasets/rls/link-users', {
      json: { usersEmails: [userEmail], datasetId, role: 'West' },
    });
    const session = await startSession(portal, acme, { userEmail, reportId });
    return { datasetId, reportId, session, items: [dataset(datasetId), report(reportId)] };
  }

  /** The stored versions that a dataset reads. */
  async function versionsOf(datasetId: string): Promise<string[]> {
    const { rows } = await sql<{ files: string[] }>`
      SELECT source -> 'files' AS files FROM datasets WHERE id = ${datasetId}`.execute(
      stage.portal.db,
    );
    return rows[0]!.files;
  }

  const areThere = (names: string[]): boolean[] => {
    const { acme, datasetFolder } = stage.portal;
    return names.map((name) => fs.existsSync(path.join(datasetFolder, acme.id, name)));
  };

  /** Lets all stored versions be unused for more than an hour. */
  async function passHours(): Promise<void> {
    const { portal } = stage;
    const folder = path.join(portal.datasetFolder, portal.acme.id, '.versions');
    const then = new Date(Date.now() - 2 * 3_600_000);
    for (const name of fs.readdirSync(folder)) fs.utimesSync(path.join(folder, name), then, then);
    await sql`UPDATE files SET last_used_at = now() - interval '2 hours'`.execute(portal.db);
  }

  it('shows what goes, and removes it with its files, links and roles, but not its name in the access log', async () => {
    const { portal, admin } = stage;
    const { acme } = portal;
    const { datasetId, reportId, session, items } = await addTwin();
    const refused = await arrange(admin, 'delete', { items });
    expect(refused.done).toEqual([]);
    expect(refused.failed).toHaveLength(2);
    await archive([dataset(datasetId)], [reportId]);
    const describeThem = async (some: ItemKey[]) =>
      (await admin.send('POST', stage.at('/items/deletion'), { json: { items: some } })).json();
    const shown = await describeThem(items);
    expect(shown).toEqual({
      items: [
        {
          ...dataset(datasetId),
          name: 'Twin',
          file: 'datasets/twin.yaml',
          users: 1,
          groups: 0,
          roles: ['East', 'West'],
          reports: [],
        },
        {
          ...report(reportId),
          name: 'Twin overview',
          file: 'reports/twin.yaml',
          users: 1,
          groups: 0,
          roles: [],
          reports: [],
        },
      ],
      files: ['twin.csv'],
      bytes: expect.any(Number),
    });
    expect(shown.bytes).toBeGreaterThan(ordersCsv.length);
    expect(await describeThem([dataset(datasetId)])).toMatchObject({
      items: [{ reports: ['Twin overview'] }],
    });
    const alone = await arrange(admin, 'delete', { items: [dataset(datasetId)] });
    expect(alone.failed).toMatchObject([{ detail: expect.stringContaining('"Twin overview"') }]);

    const versions = await versionsOf(datasetId);
    const others = await versionsOf(stage.datasetId);
    await passHours();
    expect(await arrange(admin, 'delete', { items })).toMatchObject({
      done: [{ name: 'Twin overview' }, { name: 'Twin' }],
      failed: [],
    });
    expect(areThere([...versions, ...others, 'twin.csv', 'orders.csv'])).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(await listNewest(portal, 2)).toMatchObject([
      {
        action: 'deleteItems',
        subject: 'Twin',
        details: { id: datasetId, files: ['twin.csv'], roles: ['East', 'West'], users: 1 },
      },
      { action: 'deleteItems', subject: 'Twin overview', details: { id: reportId, users: 1 } },
    ]);
    const { rows } = await sql<{ left: number }>`SELECT
      (SELECT count(*) FROM report_users WHERE report_id = ${reportId})
      + (SELECT count(*) FROM rls_roles WHERE dataset_id = ${datasetId})
      + (SELECT count(*) FROM content_versions WHERE item_id IN (${datasetId}, ${reportId}))
      + (SELECT count(*) FROM identity_urls WHERE report_id = ${reportId}) AS left`.execute(
      portal.db,
    );
    expect(rows[0]!.left).toBe(0);
    const log = (await portal.api('GET', `/api/report-audit?reportId=${reportId}`)).json().data;
    expect(log).toMatchObject([{ reportName: 'Twin overview', userEmail: acme.emails.west }]);
    const found = await stage.read(admin, '/access-log?reportName=twin%20over');
    expect(JSON.stringify(found)).toContain('Twin overview');
    expect((await view(acme.address, session.bearer, reportId)).status).toBeOneOf([401, 403]);
    expect((await listArchived()).items).not.toMatchObject([{ name: 'Twin overview' }]);
    expect((await restore(items)).failed).toHaveLength(2);
  });

  it('keeps the files that another dataset reads', async () => {
    const { portal, admin } = stage;
    const { reportId, datasetId, items } = await addTwin();
    const { done } = await arrange(admin, 'duplicate', { items: [dataset(datasetId)] });
    await archive([dataset(datasetId)], [reportId]);
    const answer = await admin.send('POST', stage.at('/items/deletion'), { json: { items } });
    expect(answer.json()).toMatchObject({ files: [], bytes: 0 });
    await passHours();
    const versions = await versionsOf(datasetId);
    expect((await arrange(admin, 'delete', { items })).failed).toEqual([]);
    expect(areThere([...versions, 'twin.csv'])).toEqual([true, true]);
    const copy = dataset(done[0]!.id);
    const userEmail = portal.acme.emails.west;
    await portal.api('PUT', '/api/datasets/rls/link-users', {
      json: { usersEmails: [userEmail], datasetId: copy.id, role: 'West' },
    });
    const user = (await portal.api('GET', `/api/user?email=${userEmail}`)).json().data[0];
    const sample = await stage.read(admin, `/datasets/${copy.id}/sample?asUserId=${user.id}`);
    expect(sample.rowCount).toBeGreaterThan(0);
    await archive([copy]);
    await passHours();
    await arrange(admin, 'delete', { items: [copy] });
    expect(areThere([...versions, 'twin.csv'])).toEqual([false, false]);
  });

  it('frees the name of its file: the next apply creates another item without access', async () => {
    const { portal, admin } = stage;
    const { datasetId, reportId, items } = await addTwin();
    await archive([dataset(datasetId)], [reportId]);
    await arrange(admin, 'delete', { items });
    const twin = await addTwin();
    expect(twin.reportId).not.toBe(reportId);
    await archive([dataset(twin.datasetId)], [twin.reportId]);
    expect((await arrange(admin, 'delete', { items: twin.items })).failed).toEqual([]);
    expect(portal.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
