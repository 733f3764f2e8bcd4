import path from 'node:path';

import { sql } from 'kysely';
import { readerView } from 'report-engine/testing/reader-view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ordersDataset, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listValues, startSession } from '../support/viewer.ts';
import { publish, startReader } from '../support/warehouse.ts';

let portal: TestPortal;
let reportId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, datasetFolder } = portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  ({ reportId } = await publish(portal, acme, ordersDataset));
});
afterAll(() => portal.close());

const list = (bearer: string, field = 'Region', view = readerView(), id = reportId) =>
  listValues(portal.acme.address, bearer, id, { field, view });
const [east, west] = ['East', 'West'].map((key) => ({ key, count: 2 }));

describe('the values of a filter', () => {
  it('are those of the rows that the reader’s roles allow', async () => {
    const { acme } = portal;
    const both = await list(await startReader(portal, acme, 'both', reportId));
    expect([both.status, both.json()]).toEqual([200, { values: [east, west], valueCount: 2 }]);
    const answer = await list(await startReader(portal, acme, 'west', reportId));
    expect(answer.json()).toEqual({ values: [west], valueCount: 1 });
  });

  it('are those of the rows that the host’s filters leave', async () => {
    const { acme } = portal;
    const customFilters = [{ key: 'Orders/Region', value: 'East' }];
    const userEmail = acme.emails.both;
    const { bearer } = await startSession(portal, acme, { userEmail, reportId, customFilters });
    expect((await list(bearer)).json()).toEqual({ values: [east], valueCount: 1 });
  });

  it('are refused for a field without a filter, and with a filter on a hidden field', async () => {
    const bearer = await startReader(portal, portal.acme, 'both', reportId);
    const hidden = readerView({ field: 'Owner', values: ['west@acme.example'] });
    for (const answer of [await list(bearer, 'Owner'), await list(bearer, 'Region', hidden)])
      expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  it('are searched for a text of up to 200 characters', async () => {
    const { acme } = portal;
    const bearer = await startReader(portal, acme, 'both', reportId);
    const search = (text: string) =>
      listValues(acme.address, bearer, reportId, { field: 'Region', search: text });
    expect((await search('EAS')).json()).toEqual({ values: [east], valueCount: 1 });
    expect((await search('x'.repeat(200))).json()).toEqual({ values: [], valueCount: 0 });
    expect((await search('x'.repeat(201))).status).toBe(400);
  });

  it('reading the values of a filter logs no opening of the report', async () => {
    const { acme, db } = portal;
    const bearer = await startReader(portal, acme, 'both', reportId);
    // Access that began after an opening would be logged at the next one.
    await sql`UPDATE report_users SET granted_at = now() - interval '1 day'`.execute(db);
    await sql`UPDATE session_openings SET opened_at = now() - interval '2 minutes'`.execute(db);
    const readLog = async () => (await portal.api('GET', '/api/report-audit')).json().data;
    const before = await readLog();
    expect((await list(bearer)).status).toBe(200);
    expect(await readLog()).toEqual(before);
  });

  it('need a session that may open the report', async () => {
    const { acme } = portal;
    const bearer = await startReader(portal, acme, 'both', reportId);
    expect((await list('unknown')).status).toBe(401);
    expect((await list(bearer, 'Region', readerView(), acme.reportId)).status).toBe(403);
  });
});
