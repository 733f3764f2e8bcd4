import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { adminEndpoints, type AdminEndpointName } from '#admin/requests';

import { signInAs } from '../support/admin.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ authorRateLimit: 3 });
});
afterAll(() => portal.close());

it('a user over the limit of checks is refused before the body is read, and others are not', async () => {
  const { acme, globex, datasetFolder } = portal;
  for (const { id, ctx } of [acme, globex]) {
    writeFiles(path.join(datasetFolder, id), { 'orders.csv': ordersCsv });
    await apply(ctx, datasetFolder, { files: ordersFiles });
  }
  const { id } = await portal.db
    .selectFrom('reports')
    .select('id')
    .where('organization_id', '=', acme.id)
    .where('slug', '=', 'orders')
    .executeTakeFirstOrThrow();
  const check = `/organizations/${acme.id}/definitions/reports/${id}/check`;
  const ada = await signInAs(portal, acme, 1, 'ada@acme.example');
  const cora = await signInAs(portal, acme, 2, 'cora@acme.example');
  const json = { text: 'name: Sales' };
  for (let count = 0; count < 3; count += 1)
    expect((await ada.send('POST', check, { json })).status).toBe(200);
  const refused = await ada.send('POST', check, { body: 'not read' });
  expectProblem(refused, 'rate_limited');
  expect(refused.json().detail).toMatch(
    /^You have made all 3 checks, previews, saves and applies allowed in 60 seconds. Try again in \d+ s\.$/,
  );
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await cora.send('POST', check, { json })).status).toBe(200);
  const applyTo = (key: string) =>
    portal.api('PUT', '/api/content', { key, json: { files: ordersFiles, dryRun: true } });
  for (let count = 0; count < 3; count += 1) expect((await applyTo(acme.apiKey)).status).toBe(200);
  expectProblem(await applyTo(acme.apiKey), 'rate_limited');
  for (const expected of [200, 200, 429])
    expect((await cora.send('POST', check, { json })).status).toBe(expected);
  expect((await applyTo(globex.apiKey)).status).toBe(200);
});

it('each request that computes or checks content counts toward the limit of its author', async () => {
  const { globex } = portal;
  const gus = await signInAs(portal, globex, 1, 'gus@globex.example');
  const ask = (name: AdminEndpointName) => {
    const { method, path: pattern } = adminEndpoints[name];
    const address = pattern
      .replace('{organizationId}', globex.id)
      .replace('{kind}', 'reports')
      .replace(/\{\w+\}/g, () => randomUUID());
    return gus.send(method, address);
  };
  for (let count = 0; count < 3; count += 1) expect((await ask('readDefinition')).status).toBe(404);
  const limited = [
    'readDefinition',
    'saveDefinition',
    'checkDefinition',
    'previewReport',
    'previewValues',
    'createReport',
    'importReportFile',
    'updateReport',
    'readDataset',
    'readSample',
    'tryMetrics',
    'tryRole',
    'findFieldValues',
    'findLookUpFields',
    'findUnreadableTexts',
    'uploadDataFile',
    'describeUpload',
    'importDataFile',
    'uploadNewData',
    'compareNewData',
    'changeData',
  ] as const;
  for (const name of limited) expect([name, (await ask(name)).status]).toEqual([name, 429]);
  for (const name of ['findDatasets', 'findReports'] as const)
    expect([name, (await ask(name)).status]).toEqual([name, 200]);
});
