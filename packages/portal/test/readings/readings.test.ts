import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import type { TilesView } from '#viewer/requests';

import { createMetrics } from '../../src/http/metrics.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listValues, startSession, view } from '../support/viewer.ts';

const metrics = createMetrics(() => ({ max: 1, total: 0, idle: 0, waiting: 0 }));

let portal: TestPortal;
let admin: AdminBrowser;
let operator: AdminBrowser;
let text: string;
beforeAll(async () => {
  portal = await startTestPortal({ metrics });
  admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
  operator = await signInAs(portal, portal.acme, 'operator', 'op@portal.example');
  const at = `/organizations/${portal.acme.id}/definitions/reports/${portal.acme.reportId}`;
  ({ text } = (await admin.send('GET', at)).json());
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;

const preview = (browser: AdminBrowser, json: object = {}) =>
  browser.send('POST', at(`/reports/${portal.acme.reportId}/preview`), { json: { text, ...json } });

const sample = (browser: AdminBrowser) =>
  browser.send('GET', at(`/datasets/${portal.acme.datasetId}/sample`));

const upload = () =>
  admin.send('POST', `${at('/uploads')}?fileName=orders.csv`, { body: ordersCsv });

async function findUserId(email: string): Promise<string> {
  const { id } = await portal.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', portal.acme.id)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

/** How many reports and files the metrics have counted. */
async function countMeasured(): Promise<number> {
  const found = /^portal_report_duration_seconds_count\{.*\} (\d+)$/gm;
  const page = await metrics.read();
  return [...page.matchAll(found)].reduce((sum, [, count]) => sum + Number(count), 0);
}

it('a report and a file are measured; values, previews, samples and uploads are not', async () => {
  const { acme } = portal;
  const { reportId } = acme;
  const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
  const before = await countMeasured();
  expect((await view(acme.address, bearer, reportId)).status).toBe(200);
  expect(await countMeasured()).toBe(before + 1);
  const values = { field: 'Region' };
  await listValues(acme.address, bearer, reportId, values);
  for (const answer of [await preview(admin), await sample(admin), await upload()])
    expect(answer.status).toBe(200);
  expect(await countMeasured()).toBe(before + 1);
});

it('a preview, a sample and an upload write nothing', async () => {
  await preview(admin);
  const before = await dumpTables(portal.db);
  for (const answer of [await preview(admin), await sample(admin), await upload()])
    expect(answer.status).toBe(200);
  expect(await dumpTables(portal.db)).toEqual(before);
});

it('an operator, who is no user, sees all rows of a preview, a sample and an upload, or those of a user', async () => {
  const rowsOf = ({ rowAccess, roles, rowCount }: TilesView) => [rowAccess, roles, rowCount];
  const computed: TilesView = (await preview(operator)).json();
  expect(rowsOf(computed)).toEqual(['everyone', [], 4]);
  expect((await sample(operator)).json()).toMatchObject({ rowCount: 4 });
  const asUserId = await findUserId(portal.acme.emails.west);
  const asWest: TilesView = (await preview(operator, { asUserId })).json();
  expect(rowsOf(asWest)).toEqual(['by-role', ['West'], 2]);
  expect((await upload()).json().sample).toMatchObject({ rowCount: 4 });
});

it('the queries of a report take the turns of its reader', async () => {
  const compute = vi.spyOn(portal.tiles, 'compute');
  onTestFinished(() => compute.mockRestore());
  const { acme } = portal;
  const { id: organizationId, emails, reportId } = acme;
  for (const userEmail of [emails.west, emails.east]) {
    const { bearer } = await startSession(portal, acme, { userEmail });
    await view(acme.address, bearer, reportId);
    const queue = await findUserId(userEmail);
    expect(compute.mock.lastCall).toMatchObject([{ organizationId, queue }]);
  }
});

it('the queries of a preview take the turns of its author, not those of the chosen reader', async () => {
  const compute = vi.spyOn(portal.tiles, 'compute');
  onTestFinished(() => compute.mockRestore());
  await preview(admin, { asUserId: await findUserId(portal.acme.emails.west) });
  await sample(admin);
  await upload();
  const queue = await findUserId('ada@acme.example');
  const owner = { organizationId: portal.acme.id, queue };
  expect(compute.mock.calls).toMatchObject([[owner], [owner], [owner]]);
});

it('a preview of a dataset that changes at that moment is refused, not drawn with other roles', async () => {
  const compute = vi.spyOn(portal.tiles, 'compute');
  onTestFinished(() => compute.mockRestore());
  const { db, acme } = portal;
  const change = (by: number) =>
    db
      .updateTable('datasets')
      .set((row) => ({ version: row('version', '+', by) }))
      .where('id', '=', acme.datasetId)
      .execute();
  const access = await import('../../src/access/visible-rows-store.ts');
  const read = access.findRowAccess;
  const spy = vi.spyOn(access, 'findRowAccess').mockImplementation(async (...args) => {
    await change(1);
    return read(...args);
  });
  onTestFinished(async () => {
    spy.mockRestore();
    await change(-1);
  });
  const answer = await preview(admin);
  expectProblem(answer, 'overloaded');
  expect(answer.headers['retry-after']).toBe('1');
  expect(compute).not.toHaveBeenCalled();
});
