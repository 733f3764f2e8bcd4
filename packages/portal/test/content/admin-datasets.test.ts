import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from '../../src/access/role-links.ts';
import { createUser } from '../../src/users/service.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { apply, ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
let contributor: AdminBrowser;
let limited: AdminBrowser;
let datasetId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, datasetFolder } = portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  datasetId = changes.find(({ kind }) => kind === 'dataset')!.id;
  admin = await signInAs(portal, acme, 1, 'ada@acme.example');
  contributor = await signInAs(portal, acme, 2, 'cora@acme.example');
  limited = await signInAs(portal, acme, 4, 'will@acme.example');
  await linkUsers(acme.ctx, { datasetId, role: 'East', usersEmails: ['cora@acme.example'] });
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;
const get = async (browser: AdminBrowser, rest: string) =>
  (await browser.send('GET', at(rest))).json();

/** Sends a file as the page does. */
const upload = (browser: AdminBrowser, fileName: string, body: string) =>
  browser.send('POST', `${at('/uploads')}?fileName=${encodeURIComponent(fileName)}`, { body });

describe('a dataset', () => {
  it('shows its fields, roles and reports', async () => {
    expect(await get(admin, `/datasets/${datasetId}`)).toMatchObject({
      name: 'Orders',
      file: 'datasets/orders.yaml',
      source: 'orders.csv',
      fields: expect.arrayContaining([
        { name: 'Region', type: 'text', expression: null, currency: null },
      ]),
      metrics: [{ name: 'Sales', expression: 'sum(Sales)' }],
      reports: [{ name: 'Order overview' }],
      roles: [
        { name: 'East', users: 1, groups: 0 },
        { name: 'West', users: 0, groups: 0 },
      ],
    });
  });

  it('shows a contributor their own rows, and not who holds roles; an administrator all', async () => {
    expect(await get(contributor, `/datasets/${datasetId}`)).toMatchObject({ roles: null });
    const sample = await get(contributor, `/datasets/${datasetId}/sample`);
    expect(sample).toMatchObject({ rowCount: 2, dataAsOf: '2024-03-01' });
    expect(sample.rows.map(([region]: string[]) => region)).toEqual(['East', 'East']);
    expect(await get(admin, `/datasets/${datasetId}/sample`)).toMatchObject({ rowCount: 4 });
  });

  it('the sample of a dataset shows an administrator the rows of any user', async () => {
    const { items } = await get(admin, '/users?search=cora%40');
    const asCora = `/datasets/${datasetId}/sample?asUserId=${items[0].id}`;
    expect(await get(admin, asCora)).toMatchObject({ rowCount: 2 });
  });

  it('counts the users and the groups of each role separately', async () => {
    const { ctx, groupId } = portal.acme;
    const groups = { datasetId, role: 'West', groups: [groupId] };
    await linkGroups(ctx, groups);
    expect((await get(admin, `/datasets/${datasetId}`)).roles).toMatchObject([
      { name: 'East', users: 1, groups: 0 },
      { name: 'West', users: 0, groups: 1 },
    ]);
    await unlinkGroups(ctx, groups);
  });

  it('names three holders of each role, groups first', async () => {
    const { ctx, groupId } = portal.acme;
    const usersEmails = ['ada@acme.example', 'cora@acme.example', 'will@acme.example'];
    await linkGroups(ctx, { datasetId, role: 'West', groups: [groupId] });
    await linkUsers(ctx, { datasetId, role: 'West', usersEmails });
    const { roles } = await get(admin, `/datasets/${datasetId}`);
    const nameOf = async (search: string) =>
      (await get(admin, `/holders?search=${search}`)).holders[0].name;
    const [ada, cora] = [await nameOf('ada%40'), await nameOf('cora%40')];
    expect(roles).toMatchObject([
      { name: 'East', firstHolders: [cora] },
      { name: 'West', users: 3, groups: 1, firstHolders: [expect.any(String), ada, cora] },
    ]);
    await unlinkUsers(ctx, { datasetId, role: 'West', usersEmails });
    await unlinkGroups(ctx, { datasetId, role: 'West', groups: [groupId] });
  });

  it('does not exist for a workspace contributor without a workspace', async () => {
    expectProblem(await limited.send('GET', at(`/datasets/${datasetId}`)), 'dataset_not_found');
  });
});

describe('an uploaded file', () => {
  it('becomes a dataset and a report that can be drawn', async () => {
    const uploaded = (await upload(admin, '../Sales 2024.csv', ordersCsv)).json();
    expect(uploaded).toMatchObject({
      name: 'Sales 2024',
      columns: expect.arrayContaining([{ name: 'Ordered', type: 'date' }]),
      sample: { rowCount: 4 },
    });
    const json = { name: 'Sales 2024', workspace: 'Reports' };
    const created = await admin.send('POST', at(`/uploads/${uploaded.uploadId}`), { json });
    const { reportId } = created.json();
    expect(await get(admin, `/reports/${reportId}`)).toMatchObject({
      file: 'reports/sales-2024.yaml',
      workspaceName: 'Reports',
      savedFrom: 'pages',
    });
    const { text } = await get(admin, `/definitions/reports/${reportId}`);
    const preview = await admin.send('POST', at(`/reports/${reportId}/preview`), {
      json: { text },
    });
    expect(preview.json()).toMatchObject({ rowCount: 4, rowAccess: 'everyone' });
    const folder = path.join(portal.datasetFolder, portal.acme.id);
    expect(fs.readdirSync(folder)).toContain('sales-2024.csv');
    expect(fs.readdirSync(path.join(folder, '.uploads'))).toEqual([]);
    const again = await admin.send('POST', at(`/uploads/${uploaded.uploadId}`), { json });
    expectProblem(again, 'not_found');
  });

  it('names the datasets with the same content or name, whose data it can replace', async () => {
    const find = async (name: string, content: string) => {
      const { uploadId, existing } = (await upload(admin, name, content)).json();
      await admin.send('DELETE', at(`/uploads/${uploadId}`));
      return existing as object[];
    };
    const [same] = await find('Again.csv', ordersCsv);
    expect(same).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      file: expect.stringMatching(/^datasets\//),
      isSame: true,
    });
    const other = `${ordersCsv}West,w@acme.example,Lamps,2024-05-05,1\n`;
    expect(await find('New.csv', other)).toEqual([]);
    const named = (await upload(admin, 'sales 2024.csv', other)).json();
    expect(named.existing).toEqual([
      {
        id: expect.any(String),
        name: 'Sales 2024',
        file: 'datasets/sales-2024.yaml',
        isSame: false,
      },
    ]);
    // It replaces the data of the dataset without being sent again.
    const [{ id }] = named.existing;
    const data = at(`/datasets/${id}/data/${named.uploadId}`);
    const compared = await admin.send('POST', data, { json: { mode: 'replace' } });
    expect(compared.json().datasets).toMatchObject([
      { id, change: 'update', rows: { before: 4, after: 5 } },
    ]);
    const { version } = compared.json();
    const json = { mode: 'replace', version };
    expect((await admin.send('PUT', data, { json })).status).toBe(200);
    expect(await get(admin, `/datasets/${id}/sample`)).toMatchObject({ rowCount: 5 });
  });

  it('has a sample of its first ten columns and of 20 rows', async () => {
    const line = (cell: string) => Array.from({ length: 12 }, (_, n) => `${cell}${n}`).join(',');
    const lines = Array.from({ length: 25 }, (_, row) => `${line(`${row + 10}.`)}\n`);
    const answer = await upload(admin, 'wide.csv', `${line('Column ')}\n${lines.join('')}`);
    const { columns, sample, uploadId } = answer.json();
    expect(columns).toHaveLength(12);
    expect(sample.columns).toEqual(Array.from({ length: 10 }, (_, n) => `Column ${n}`));
    expect([sample.rows.length, sample.rowCount]).toEqual([20, 25]);
    await admin.send('POST', at(`/uploads/${uploadId}`), {
      json: { name: 'Wide', workspace: 'Reports' },
    });
  });

  it('datasets are listed by their names', async () => {
    for (const name of ['Zones', 'Agents']) {
      const { uploadId } = (await upload(admin, `${name}.csv`, ordersCsv)).json();
      const json = { name, workspace: 'Reports' };
      expect((await admin.send('POST', at(`/uploads/${uploadId}`), { json })).status).toBe(200);
    }
    const { datasets } = await get(admin, '/datasets');
    const names = datasets.map(({ name }: { name: string }) => name) as string[];
    expect(names).toEqual(expect.arrayContaining(['Agents', 'Zones']));
    expect(names).toEqual(names.toSorted());
  });

  it('never replaces a file that another dataset uses', async () => {
    const uploaded = (await upload(admin, 'orders.csv', 'Region\nNorth\n')).json();
    const json = { name: 'Orders', workspace: 'Reports' };
    const created = await admin.send('POST', at(`/uploads/${uploaded.uploadId}`), { json });
    expect(await get(admin, `/datasets/${created.json().datasetId}`)).toMatchObject({
      file: 'datasets/orders-2.yaml',
      source: 'orders-2.csv',
    });
    const folder = path.join(portal.datasetFolder, portal.acme.id);
    expect(fs.readFileSync(path.join(folder, 'orders.csv'), 'utf8')).toBe(ordersCsv);
  });

  it('never replaces a file that no dataset uses', async () => {
    const spare = path.join(portal.datasetFolder, portal.acme.id, 'spare.csv');
    fs.writeFileSync(spare, ordersCsv);
    const uploaded = (await upload(admin, 'new.csv', 'Region\nNorth\n')).json();
    const json = { name: 'Spare', workspace: 'Reports' };
    const created = await admin.send('POST', at(`/uploads/${uploaded.uploadId}`), { json });
    expect(await get(admin, `/datasets/${created.json().datasetId}`)).toMatchObject({
      file: 'datasets/spare.yaml',
      source: 'spare-2.csv',
    });
    expect(fs.readFileSync(spare, 'utf8')).toBe(ordersCsv);
  });

  it('gets another name than a dataset without a report', async () => {
    const { ctx, id } = portal.acme;
    writeFiles(path.join(portal.datasetFolder, id), { 'alone.csv': ordersCsv });
    const definition = ordersDataset.replace('orders.csv', 'alone.csv');
    await apply(ctx, portal.datasetFolder, { files: { 'datasets/alone.yaml': definition } });
    const { uploadId } = (await upload(admin, 'other.csv', ordersCsv)).json();
    const json = { name: 'Alone', workspace: 'Reports' };
    const created = (await admin.send('POST', at(`/uploads/${uploadId}`), { json })).json();
    expect(await get(admin, `/datasets/${created.datasetId}`)).toMatchObject({
      file: 'datasets/alone-2.yaml',
    });
  });

  it.each([
    ['report.xlsx', 'a,b\n1,2\n', 'invalid_request'],
    ['empty.csv', '', 'invalid_request'],
    ['no.parquet', 'this is text', 'invalid_request'],
    ['survey.csv', `Region,${'x'.repeat(201)}\nWest,2.5\n`, 'invalid_request'],
  ] as const)(
    'the uploaded file %s is refused, and nothing is kept',
    async (name, content, code) => {
      expectProblem(await upload(admin, name, content), code);
      const folder = path.join(portal.datasetFolder, portal.acme.id, '.uploads');
      expect(fs.readdirSync(folder)).toEqual([]);
    },
  );

  it('is removed if the browser disconnects while its sample is computed', async () => {
    const computing = vi.spyOn(portal.tiles, 'compute').mockImplementation(({ signal }) =>
      once(signal, 'abort').then(() => {
        throw signal.reason;
      }),
    );
    onTestFinished(() => computing.mockRestore());
    const { host, port } = new URL(portal.adminUrl);
    const agent = new http.Agent();
    const outcome = send(`http://127.0.0.1:${port}/admin/api${at('/uploads')}?fileName=a.csv`, {
      method: 'POST',
      headers: { host, cookie: admin.cookie(), origin: portal.adminUrl },
      body: ordersCsv,
      agent,
    }).catch((error: NodeJS.ErrnoException) => error.code);
    await expect.poll(() => computing.mock.calls.length).toBe(1);
    agent.destroy();
    expect(await outcome).toBe('ECONNRESET');
    const folder = path.join(portal.datasetFolder, portal.acme.id, '.uploads');
    await expect.poll(() => fs.readdirSync(folder)).toEqual([]);
  });

  it('of one long line is refused with advice', async () => {
    const answer = await upload(admin, 'line.csv', 'x,'.repeat(1_000_000));
    expect(answer.status).toBe(400);
    expect(answer.json().detail).toContain('write each row on a line of its own');
  });

  it('is refused to contributors', async () => {
    expectProblem(await upload(contributor, 'a.csv', 'a\n1\n'), 'missing_permission');
  });

  it('whose removal fails is refused for its own reason, and the log has the failure', async () => {
    const uploads = await import('../../src/content/uploads.ts');
    const failure = new Error('for a test');
    const removing = vi.spyOn(uploads, 'removeUpload').mockRejectedValueOnce(failure);
    onTestFinished(() => removing.mockRestore());
    const answer = await upload(admin, 'survey.csv', `Region,${'x'.repeat(201)}\nWest,2.5\n`);
    expectProblem(answer, 'invalid_request');
    expect(removing).toHaveBeenCalledOnce();
    expect(portal.log.join('')).toContain('for a test');
  });

  it('of another organization is not found', async () => {
    const other = await signInAs(portal, portal.globex, 1, 'gus@globex.example');
    const { uploadId } = (await upload(admin, 'a.csv', 'a\n1\n')).json();
    const json = { name: 'Stolen', workspace: 'Reports' };
    const place = `/organizations/${portal.globex.id}/uploads/${uploadId}`;
    expectProblem(await other.send('POST', place, { json }), 'not_found');
    fs.rmSync(path.join(portal.datasetFolder, portal.acme.id, '.uploads'), { recursive: true });
  });
});

describe('a workspace', () => {
  it('is created, given to a workspace contributor, and deleted when it is empty', async () => {
    const created = await admin.send('POST', at('/workspaces'), { json: { name: 'Own' } });
    const { id } = created.json();
    expectProblem(
      await admin.send('POST', at('/workspaces'), { json: { name: 'Own' } }),
      'invalid_request',
    );
    const { holders } = await get(admin, '/holders?search=will%40');
    const link = (userId: string, isLinked: boolean) =>
      admin.send('PUT', at(`/workspaces/${id}/contributors`), { json: { userId, isLinked } });
    expect((await get(limited, '/workspaces')).workspaces).toEqual([]);
    expect((await link(holders[0].id, true)).status).toBe(200);
    expect((await get(limited, '/workspaces')).workspaces).toMatchObject([
      { name: 'Own', reports: 0, contributors: [] },
    ]);
    await admin.send('PUT', at(`/datasets/${datasetId}/workspaces`), {
      json: { workspaceId: id, isOpened: true },
    });
    const json = { name: 'Mine', workspace: 'Own', datasetId };
    const report = await limited.send('POST', at('/reports'), { json });
    expect(report.status).toBe(200);
    const remove = () => admin.send('DELETE', at(`/workspaces/${id}`));
    expectProblem(await remove(), 'invalid_request');
    const { version } = await get(admin, `/reports/${report.json().id}`);
    await admin.send('PUT', at(`/reports/${report.json().id}`), {
      json: { version, name: 'Mine', workspace: 'Sales', description: '' },
    });
    expect((await remove()).status).toBe(200);
    expectProblem(await limited.send('GET', at(`/reports/${report.json().id}`)), 'not_found');
  });

  it('has only contributors with that role', async () => {
    const { workspaces } = await get(admin, '/workspaces');
    const { holders } = await get(admin, '/holders?search=cora%40');
    const json = { userId: holders[0].id, isLinked: true };
    const answer = await admin.send('PUT', at(`/workspaces/${workspaces[0].id}/contributors`), {
      json,
    });
    expectProblem(answer, 'invalid_request');
  });

  it('keeps and can lose a contributor whose role has changed', async () => {
    const json = { name: 'Former' };
    const { id } = (await admin.send('POST', at('/workspaces'), { json })).json();
    const contributors = async () =>
      (await get(admin, '/workspaces')).workspaces.find(
        (workspace: { id: string }) => workspace.id === id,
      ).contributors;
    const people = ['zed', 'abe'].map((name) => `${name}@acme.example`);
    for (const email of people) await createUser(portal.acme.ctx, { email, name: email, role: 4 });
    const link = async (email: string, isLinked: boolean) => {
      const { items } = await get(admin, `/users?search=${encodeURIComponent(email)}`);
      const place = at(`/workspaces/${id}/contributors`);
      return admin.send('PUT', place, { json: { userId: items[0].id, isLinked } });
    };
    for (const email of people) expect((await link(email, true)).status).toBe(200);
    const { db } = portal;
    await db.updateTable('users').set({ role: 2 }).where('email', '=', people[0]!).execute();
    expect(await contributors()).toMatchObject([
      { email: 'abe@acme.example', isActive: true },
      { email: 'zed@acme.example', isActive: false },
    ]);
    expect((await link(people[0]!, false)).status).toBe(200);
    expect(await contributors()).toMatchObject([{ email: 'abe@acme.example' }]);
  });

  it('the log says who contributes to a workspace, and names it after it was deleted', async () => {
    const json = { name: 'Logged' };
    const { id } = (await admin.send('POST', at('/workspaces'), { json })).json();
    const [{ id: userId }] = (await get(admin, '/holders?search=will%40')).holders;
    for (const isLinked of [true, false])
      await admin.send('PUT', at(`/workspaces/${id}/contributors`), { json: { userId, isLinked } });
    await admin.send('DELETE', at(`/workspaces/${id}`));
    const change = { action: 'changeContributor', subject: userId };
    expect(await listNewest(portal, 4)).toMatchObject([
      { action: 'deleteWorkspace', subject: 'Logged' },
      { ...change, details: { workspaceId: id, isLinked: false } },
      { ...change, details: { workspaceId: id, isLinked: true } },
      { action: 'createWorkspace', subject: 'Logged' },
    ]);
  });

  it('with an archived report is not deleted', async () => {
    const json = { name: 'Kept', workspace: 'Kept', datasetId };
    const { id } = (await admin.send('POST', at('/reports'), { json })).json();
    const { workspaceId } = await get(admin, `/reports/${id}`);
    const { db } = portal;
    await db.updateTable('reports').set({ archived_at: new Date() }).where('id', '=', id).execute();
    const answer = await admin.send('DELETE', at(`/workspaces/${workspaceId}`));
    expectProblem(answer, 'invalid_request');
    expect(answer.json().detail).toContain('possibly archived ones');
  });

  it('or a contributor of another organization is not found', async () => {
    const { acme, globex, db } = portal;
    const find = (table: 'workspaces' | 'users', organizationId: string) =>
      db
        .selectFrom(table)
        .select('id')
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
    const [own, foreign] = [await find('workspaces', acme.id), await find('workspaces', globex.id)];
    const json = { userId: (await find('users', globex.id)).id, isLinked: true };
    const link = (id: string) => admin.send('PUT', at(`/workspaces/${id}/contributors`), { json });
    expectProblem(await link(foreign.id), 'not_found');
    expectProblem(await link(own.id), 'user_not_found');
    expectProblem(await admin.send('DELETE', at(`/workspaces/${foreign.id}`)), 'not_found');
    const { workspaces } = await get(admin, '/workspaces');
    expect(JSON.stringify(workspaces)).not.toContain(foreign.id);
  });
});

it('a field with a currency is listed with it, also if it is computed', async () => {
  const { changes } = await apply(portal.acme.ctx, portal.datasetFolder, {
    files: {
      'datasets/costs.yaml': `name: Costs
source: { file: orders.csv }
fields:
  - { name: Sales, format: { style: currency, currency: EUR } }
  - { name: Fee, expression: Sales * 0.1, format: { style: currency, currency: GBP } }
  - { name: Share, expression: Sales / 100, format: percent }
`,
    },
  });
  const { fields } = await get(admin, `/datasets/${changes[0]!.id}`);
  const shown: { name: string; currency: string | null }[] = fields;
  const currencies = Object.fromEntries(shown.map(({ name, currency }) => [name, currency]));
  expect(currencies).toMatchObject({ Sales: 'EUR', Fee: 'GBP', Share: null, Region: null });
});
