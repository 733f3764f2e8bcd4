import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import type { Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import { applyFiles, readContent } from '../../src/content/service.ts';
import { listNewest } from '../support/activity.ts';
import { ordersDataset, ordersFiles, ordersReport, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': ordersCsv });
});
afterAll(() => portal.close());

interface Item {
  kind: string;
  slug: string;
  id: string;
  change: string;
  conflict: boolean;
}

const put = (json: object, key?: string): Promise<Answer> =>
  portal.api('PUT', '/api/content', key === undefined ? { json } : { json, key });

/** Applies and returns the change of each item. */
async function putChanges(json: object): Promise<Record<string, string>> {
  const answer = await put(json);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return Object.fromEntries(
    (answer.json().changes as Item[]).map((item) => [`${item.kind}s/${item.slug}`, item.change]),
  );
}

async function findId(kind: string, slug: string): Promise<string> {
  const answer = await put({ files: ordersFiles, dryRun: true });
  return (answer.json().changes as Item[]).find((item) => item.kind === kind && item.slug === slug)!
    .id;
}

describe('applying content', () => {
  it('creates items, then updates what differs and leaves the rest', async () => {
    expect(await putChanges({ files: ordersFiles })).toEqual({
      'datasets/orders': 'create',
      'reports/orders': 'create',
    });
    expect(await putChanges({ files: ordersFiles })).toEqual({
      'datasets/orders': 'unchanged',
      'reports/orders': 'unchanged',
    });
    const renamed = ordersReport.replace('name: Order overview', 'name: Order details');
    expect(await putChanges({ files: { ...ordersFiles, 'reports/orders.yaml': renamed } })).toEqual(
      {
        'datasets/orders': 'unchanged',
        'reports/orders': 'update',
      },
    );
    expect(await putChanges({ files: ordersFiles })).toMatchObject({ 'reports/orders': 'update' });
    const [latest] = await listNewest(portal, 1);
    expect(latest).toMatchObject({
      action: 'applyContent',
      actor: { kind: 'api-key' },
      details: { changes: [{ kind: 'report', slug: 'orders', change: 'update' }] },
    });
  });

  it('makes a report that its readers see by their roles', async () => {
    const { acme } = portal;
    const [reportId, datasetId] = [
      await findId('report', 'orders'),
      await findId('dataset', 'orders'),
    ];
    const userEmail = acme.emails.west;
    await linkReports(acme.ctx, { userEmail, reports: [reportId] });
    const total = async () => {
      const url = await mint(portal, acme, { userEmail, reportId });
      const { bearer } = readSession(await open(url));
      const answer = await view(acme.address, bearer, reportId);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.json().rowCount as number;
    };
    expect(await total()).toBe(0);
    await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [userEmail] });
    expect(await total()).toBe(2);
  });

  it('answers 422 with file, line and column of each mistake, and changes nothing', async () => {
    const before = await dumpTables(portal.db);
    const answer = await put({
      files: {
        'datasets/orders.yaml': ordersDataset.replace('sum(Sales)', 'sum(Sals)'),
        'reports/orders.yaml': ordersReport.replace('metric: Sales', 'metrik: Sales'),
      },
    });
    expect([answer.status, answer.json().code]).toEqual([422, 'invalid_content']);
    expect(answer.json().errors).toEqual([
      {
        path: 'datasets/orders.yaml:9:21',
        message: 'Sales: unknown field "Sals"; did you mean "Sales"?',
      },
      {
        path: 'reports/orders.yaml:11:13',
        message: 'Overview, kpi: unknown property "metrik"; did you mean "metric"?',
      },
    ]);
    expect(await dumpTables(portal.db)).toEqual(before);
  });

  it('checks a report although its dataset has a mistake', async () => {
    const answer = await put({
      files: {
        'datasets/orders.yaml': ordersDataset.replace('sum(Sales)', 'sum(Sals)'),
        'reports/orders.yaml': ordersReport.replace('by month', 'by moth'),
      },
    });
    expect(answer.json().errors).toMatchObject([
      { path: 'datasets/orders.yaml:9:21' },
      {
        path: 'reports/orders.yaml:13:16',
        message: 'Overview, line: unknown grain "moth"; did you mean "month"?',
      },
    ]);
  });

  it('checks items that the files lack', async () => {
    const answer = await put({
      files: { 'datasets/orders.yaml': ordersDataset.replace('name: Sales', 'name: Revenue') },
    });
    expect(answer.status).toBe(422);
    expect(answer.json().errors[0]).toEqual({
      path: expect.stringMatching(/^reports\/orders\.yaml:\d+:\d+$/),
      message: expect.stringContaining('this file is in the portal, but not among yours'),
    });
  });

  it('changes nothing on a dry run', async () => {
    const before = await dumpTables(portal.db);
    const files = { ...ordersFiles, 'reports/second.yaml': ordersReport };
    expect(await putChanges({ files, dryRun: true })).toMatchObject({ 'reports/second': 'create' });
    expect(await dumpTables(portal.db)).toEqual(before);
  });

  it('answers 409 if an item was edited in the portal, unless force is set', async () => {
    await sql`UPDATE reports SET edited_at = now(), content = content || '# edited' WHERE slug = 'orders'`.execute(
      portal.db,
    );
    const answer = await put({ files: ordersFiles });
    expect([answer.status, answer.json().code]).toEqual([409, 'content_conflict']);
    expect(answer.json().detail).toContain('reports/orders.yaml was edited in the portal');
    expect(answer.json().errors).toEqual([
      { path: 'reports/orders.yaml', message: 'was edited in the portal' },
    ]);
    const dry = await put({ files: ordersFiles, dryRun: true });
    expect(dry.json().changes).toContainEqual(
      expect.objectContaining({ kind: 'report', change: 'update', conflict: true }),
    );
    expect(await putChanges({ files: ordersFiles, force: true })).toMatchObject({
      'reports/orders': 'update',
    });
    expect(await putChanges({ files: ordersFiles })).toMatchObject({
      'reports/orders': 'unchanged',
    });
  });

  it('pruning answers 409 if the item was edited in the portal, unless force is set', async () => {
    await sql`UPDATE reports SET edited_at = now() WHERE slug = 'orders'`.execute(portal.db);
    const files = { 'datasets/orders.yaml': ordersDataset };
    const answer = await put({ files, prune: true });
    expect([answer.status, answer.json().code]).toEqual([409, 'content_conflict']);
    expect(answer.json().errors).toMatchObject([{ path: 'reports/orders.yaml' }]);
    expect(await putChanges({ files, prune: true, force: true })).toMatchObject({
      'reports/orders': 'archive',
    });
    expect(await putChanges({ files: ordersFiles })).toMatchObject({ 'reports/orders': 'restore' });
  });

  it('keeps the last 20 versions of an item', async () => {
    for (let index = 0; index < 25; index += 1)
      await put({
        files: { ...ordersFiles, 'reports/orders.yaml': `${ordersReport}# ${index}\n` },
      });
    const { rows } = await sql<{ content: string }>`
      SELECT content_versions.content FROM content_versions JOIN reports ON reports.id = item_id
      WHERE slug = 'orders' AND kind = 'report' ORDER BY content_versions.version`.execute(
      portal.db,
    );
    expect(rows).toHaveLength(20);
    expect(rows.at(-1)!.content).toContain('# 24');
    expect(rows[0]!.content).toContain('# 5\n');
    await put({ files: ordersFiles });
  });

  it('with an API key names the key as the author of a version', async () => {
    const { acme, db } = portal;
    const key = await createApiKey(acme.ctx, { name: 'ci', permissions: ['content:write'] });
    const text = `${ordersReport}# by a key\n`;
    await put({ files: { ...ordersFiles, 'reports/orders.yaml': text } }, key.key);
    const found = db.selectFrom('content_versions').where('content', '=', text);
    expect(await found.select(['author', 'origin']).execute()).toEqual([
      { author: key.id, origin: 'files' },
    ]);
    await put({ files: ordersFiles });
  });

  it('needs the permission content:write', async () => {
    const { key } = await createApiKey(portal.acme.ctx, { name: 'no', permissions: ['rls:write'] });
    const answer = await put({ files: {} }, key);
    expect([answer.status, answer.json().code]).toEqual([403, 'missing_permission']);
  });
});

describe('archiving', () => {
  it('hides a report from its readers, and restores its id and access with its file', async () => {
    const { acme } = portal;
    const userEmail = acme.emails.west;
    const reportId = await findId('report', 'orders');
    const list = async () => (await portal.api('GET', '/api/report?pageSize=200')).json();
    const before = await list();
    const onlyDataset = { 'datasets/orders.yaml': ordersDataset };
    expect(await putChanges({ files: onlyDataset })).toEqual({ 'datasets/orders': 'unchanged' });
    expect(await putChanges({ files: onlyDataset, prune: true })).toEqual({
      'datasets/orders': 'unchanged',
      'reports/orders': 'archive',
    });
    const after = await list();
    expect(after.data).toEqual(
      before.data.filter((report: { id: string }) => report.id !== reportId),
    );
    const users = (await portal.api('GET', `/api/user?email=${userEmail}`)).json();
    expect(users.data[0].reports).not.toContain(reportId);
    const link = { userEmail: acme.emails.east, reports: [reportId] };
    expect((await portal.api('PUT', '/api/user/link-reports', { json: link })).status).toBe(422);
    const json = { userEmail, baseUrl: acme.address, organizationId: acme.id, reportId };
    expect((await portal.api('POST', '/api/identity/url', { json })).json().code).toBe(
      'report_not_accessible',
    );
    expect(await putChanges({ files: ordersFiles })).toMatchObject({ 'reports/orders': 'restore' });
    expect(await list()).toEqual(before);
    expect((await portal.api('POST', '/api/identity/url', { json })).status).toBe(200);
  });

  it('an archived item that was edited in the portal returns with another text without a conflict', async () => {
    await sql`UPDATE reports SET edited_at = now() WHERE slug = 'orders'`.execute(portal.db);
    const onlyDataset = { 'datasets/orders.yaml': ordersDataset };
    await putChanges({ files: onlyDataset, prune: true, force: true });
    const files = { ...ordersFiles, 'reports/orders.yaml': `${ordersReport}# another text\n` };
    expect(await putChanges({ files })).toMatchObject({ 'reports/orders': 'restore' });
    await putChanges({ files: ordersFiles });
  });

  it('a save that is based on an item that an apply has archived is stale', async () => {
    const { acme, datasetFolder } = portal;
    const { id, version } = await portal.db
      .selectFrom('reports')
      .where('organization_id', '=', acme.id)
      .where('slug', '=', 'orders')
      .select(['id', 'version'])
      .executeTakeFirstOrThrow();
    const edit = { kind: 'report', slug: 'orders', base: { id, version } } as const;
    const file = { 'reports/orders.yaml': `${ordersReport}# ours\n` };
    const save = () => applyFiles(acme.ctx, { datasetFolder }, { files: file }, [edit]);
    await putChanges({ files: { 'datasets/orders.yaml': ordersDataset }, prune: true });
    await expect(save()).rejects.toMatchObject({ code: 'stale_version' });
    const archived = await portal.db
      .selectFrom('reports')
      .where('id', '=', id)
      .select(['archived_at', 'version'])
      .executeTakeFirstOrThrow();
    expect(archived).toEqual({ archived_at: expect.any(Date), version });
    await putChanges({ files: ordersFiles });
  });

  it('hides the roles of a dataset, and restores them with its file', async () => {
    const datasetId = await findId('dataset', 'orders');
    const list = async () =>
      (await portal.api('GET', '/api/datasets/rls?pageSize=200')).json() as {
        data: { datasetId: string }[];
        totalCount: number;
      };
    const usersEmails = [portal.acme.emails.west];
    const link = () =>
      portal.api('PUT', '/api/datasets/rls/link-users', {
        json: { usersEmails, datasetId, role: 'West' },
      });
    expect((await link()).status).toBe(204);
    const before = await list();
    const other = { 'datasets/other.yaml': ordersDataset };
    expect(await putChanges({ files: other, prune: true })).toMatchObject({
      'datasets/orders': 'archive',
    });
    expect((await list()).data.map((role) => role.datasetId)).not.toContain(datasetId);
    expect(
      (await portal.api('GET', `/api/datasets/rls?datasetId=${datasetId}`)).json().data,
    ).toEqual([]);
    expect((await link()).json().code).toBe('role_not_found');
    await putChanges({ files: ordersFiles, prune: true });
    expect(await list()).toEqual(before);
  });

  it('refuses to archive a dataset that a report uses', async () => {
    const files = { 'reports/orders.yaml': ordersReport };
    const answer = await put({ files, prune: true });
    expect(answer.json().errors[0].message).toContain('unknown dataset "orders"');
  });
});

describe('roles', () => {
  const dataset = (roles: string) => ({
    'datasets/orders.yaml': ordersDataset.replace(/roles:[^]*/, roles),
  });

  it('keep their id and links under the same name', async () => {
    const { acme } = portal;
    const datasetId = await findId('dataset', 'orders');
    const list = async () =>
      (await portal.api('GET', `/api/datasets/rls?datasetId=${datasetId}`)).json().data;
    await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
    const [, west] = await list();
    await put({ files: dataset('roles:\n  - name: West\n    rows: all\n') });
    expect(await list()).toEqual([west]);
  });

  it('that an apply adds, changes and removes are in the activity log, and no other ones', async () => {
    const all = (name: string) => `  - name: ${name}\n    rows: all\n`;
    await put({ files: dataset(`roles:\n${all('Kept')}${all('Changed')}${all('Removed')}`) });
    const changed = '  - name: Changed\n    rows: { field: Region, in: [West] }\n';
    await put({ files: dataset(`roles:\n${all('Kept')}${changed}${all('Added')}`) });
    const [{ details } = { details: null }] = await listNewest(portal, 1);
    expect(details).toMatchObject({
      changes: [{ roles: { added: ['Added'], changed: ['Changed'], removed: ['Removed'] } }],
    });
    await put({ files: ordersFiles });
  });

  it('leave the dataset closed when the last one is removed', async () => {
    const { acme } = portal;
    const reportId = await findId('report', 'orders');
    expect(await putChanges({ files: dataset('') })).toEqual({ 'datasets/orders': 'update' });
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId });
    const { bearer } = readSession(await open(url));
    expect((await view(acme.address, bearer, reportId)).json().rowCount).toBe(0);
    await put({ files: dataset('rowAccess: everyone') });
    expect((await view(acme.address, bearer, reportId)).json().rowCount).toBe(4);
    await put({ files: ordersFiles });
  });
});

it('an apply without files archives nothing, unless it is forced', async () => {
  await put({ files: ordersFiles });
  const refused = await put({ files: {}, prune: true });
  expect([refused.status, refused.json().code]).toEqual([400, 'invalid_request']);
  expect(await putChanges({ files: {}, prune: true, force: true, dryRun: true })).toMatchObject({
    'reports/orders': 'archive',
  });
});

it('the message of a mistake is short, however long the text that it quotes', async () => {
  const long = ordersDataset.replace('source:', `rowAccess: ${'x'.repeat(5_000)}\nsource:`);
  const answer = await put({ files: { 'datasets/orders.yaml': long } });
  const [error] = answer.json().errors;
  expect([answer.status, error.message]).toEqual([422, expect.stringMatching(/^.{1000}…$/)]);
});

it('versions that nothing names are removed also after dry runs and refusals', async () => {
  await put({ files: ordersFiles });
  const version = path.join(portal.datasetFolder, portal.acme.id, '.versions', 'unnamed.parquet');
  for (const request of [
    { files: ordersFiles, dryRun: true },
    { files: { 'reports/orders.yaml': ordersReport.replace('dataset: orders', 'dataset: none') } },
  ]) {
    fs.writeFileSync(version, '');
    fs.utimesSync(version, 0, 0);
    await put(request);
    expect(fs.existsSync(version)).toBe(false);
  }
});

it('a stored version whose file is missing is stored again', async () => {
  await put({ files: ordersFiles });
  const folder = path.join(portal.datasetFolder, portal.acme.id, '.versions');
  const listVersions = () => fs.readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  const before = listVersions();
  for (const name of before) fs.rmSync(path.join(folder, name));
  await put({ files: ordersFiles });
  expect(before).toEqual(expect.arrayContaining(listVersions()));
  expect(listVersions()).not.toEqual([]);
});

it('a dataset whose data got a column is updated, without a version of the same text', async () => {
  const folder = path.join(portal.datasetFolder, portal.acme.id);
  await put({ files: ordersFiles });
  const countVersions = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM content_versions JOIN datasets ON datasets.id = item_id
      WHERE slug = 'orders' AND kind = 'dataset'`.execute(portal.db);
    return rows[0]!.count;
  };
  const before = await countVersions();
  writeFiles(folder, { 'orders.csv': ordersCsv.replaceAll('\n', ',x\n').replace(',x', ',Note') });
  expect(await putChanges({ files: ordersFiles })).toMatchObject({ 'datasets/orders': 'update' });
  expect(await countVersions()).toBe(before);
  writeFiles(folder, { 'orders.csv': ordersCsv });
  // The apply has the text that was saved in the portal, so it loses no edit.
  await sql`UPDATE datasets SET edited_at = now() WHERE slug = 'orders'`.execute(portal.db);
  expect(await putChanges({ files: ordersFiles })).toMatchObject({ 'datasets/orders': 'update' });
});

it('a Parquet file that release 0.2 has described is applied again', async () => {
  const folder = path.join(portal.datasetFolder, portal.acme.id);
  const versions = path.join(folder, '.versions');
  const converted = fs.readdirSync(versions).find((name) => name.endsWith('.parquet'));
  fs.copyFileSync(path.join(versions, converted!), path.join(folder, 'orders.parquet'));
  const files = { 'datasets/parquet.yaml': ordersDataset.replace('orders.csv', 'orders.parquet') };
  await put({ files });
  for (const name of fs.readdirSync(versions).filter((each) => each.endsWith('.json'))) {
    const described = JSON.parse(fs.readFileSync(path.join(versions, name), 'utf8')) as object;
    fs.writeFileSync(
      path.join(versions, name),
      JSON.stringify({ ...described, questions: undefined }),
    );
  }
  expect(await putChanges({ files })).toEqual({ 'datasets/parquet': 'unchanged' });
  await sql`DELETE FROM datasets WHERE slug = 'parquet'`.execute(portal.db);
});

it('reading content leaves out archived items', async () => {
  const { ctx } = portal.acme;
  await put({ files: ordersFiles });
  expect(await readContent(ctx)).toMatchObject(ordersFiles);
  await put({ files: { 'datasets/orders.yaml': ordersDataset }, prune: true });
  expect(Object.keys(await readContent(ctx))).toEqual(['datasets/orders.yaml']);
});

it('two files cannot define one item, by its id and by its name', async () => {
  await put({ files: ordersFiles });
  const id = await findId('report', 'orders');
  const before = await dumpTables(portal.db);
  const answer = await put({
    files: {
      'reports/orders.yaml': ordersReport,
      'reports/new.yaml': `id: ${id}\n${ordersReport}`,
    },
  });
  expect([answer.status, answer.json().errors]).toEqual([
    422,
    [
      {
        path: 'reports/orders.yaml:1:1',
        message: expect.stringContaining('reports/new.yaml has the id of this item'),
      },
    ],
  ]);
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('an item keeps its id under another file name, but not under the name of another item', async () => {
  const details = ordersReport.replace('name: Order overview', 'name: Order details');
  await put({ files: { ...ordersFiles, 'reports/details.yaml': details } });
  const listReports = async () =>
    Object.fromEntries(
      (
        await portal.db
          .selectFrom('reports')
          .select(['slug', 'id'])
          .where('organization_id', '=', portal.acme.id)
          .where('slug', 'in', ['orders', 'details', 'overview'])
          .execute()
      ).map(({ slug, id }) => [slug, id]),
    );
  const before = await listReports();
  const refused = await put({
    files: {
      ...ordersFiles,
      'reports/details.yaml': `id: ${before['orders']}\n${ordersReport}`,
      'reports/orders.yaml': `id: ${before['details']}\n${details}`,
    },
  });
  expect([refused.status, refused.json().errors]).toMatchObject([
    422,
    [{ path: 'reports/details.yaml:1:5' }, { path: 'reports/orders.yaml:1:5' }],
  ]);
  expect(await listReports()).toEqual(before);

  const renamed = { 'reports/overview.yaml': `id: ${before['orders']}\n${ordersReport}` };
  expect(await putChanges({ files: renamed })).toEqual({ 'reports/overview': 'update' });
  expect(await listReports()).toEqual({ details: before['details'], overview: before['orders'] });
  const again = { 'reports/orders.yaml': `id: ${before['orders']}\n${ordersReport}` };
  expect(await putChanges({ files: again })).toEqual({ 'reports/orders': 'update' });
  expect(await listReports()).toEqual(before);
});
