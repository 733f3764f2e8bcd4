import fs from 'node:fs';

import { sql } from 'kysely';
import { createTemporaryFolder, findFreePort, send, type Answer } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { signInAs } from '../support/admin.ts';
import { runForResult } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { readSession } from '../support/viewer.ts';

buildFirst();

// Instances start in their own processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let database: TestDatabase;
let opened: OpenDatabase;
let acme: TestOrganization;
/** The port in all addresses, at which the first instance listens. */
let port: number;
let instances: PortalProcess[];
beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database);
  port = await findFreePort();
  acme = await createTestOrganization(
    { db: opened.db, dataDir: database.dataDir, publicUrl: `http://localhost:${port}` },
    'acme',
  );
  // The files of the set-up are in the folder of this machine, and move to the database.
  await runForResult(database, ['files', 'copy', '--to', 'database']);
  instances = await Promise.all([startInstance(port), startInstance()]);
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await opened.close();
  await database.remove();
});

/** Starts an instance on a machine of its own. */
async function startInstance(listening?: number): Promise<PortalProcess> {
  const dataDir = createTemporaryFolder('portal-machine-');
  const instance = await startPortalProcess(
    { ...database, dataDir },
    {
      ...(listening !== undefined && { port: listening }),
      env: {
        PORTAL_PUBLIC_URL: `http://localhost:${port}`,
        PORTAL_ADMIN_URL: `http://admin.localhost:${port}`,
      },
    },
  );
  void instance.exited.then(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  return instance;
}

const listen = (instance: PortalProcess) => `http://127.0.0.1:${instance.port}`;

/** Sends a request for any address of the portal to one instance. */
const sendTo = (
  instance: PortalProcess,
  url: string,
  { headers, ...options }: Parameters<typeof send>[1] = {},
): Promise<Answer> => {
  const { host, pathname, search } = new URL(url);
  return send(listen(instance) + pathname + search, { ...options, headers: { host, ...headers } });
};

/** Opens the report as a reader at one instance, and requests its data at another. */
async function readReport(instance: PortalProcess): Promise<Answer> {
  const minted = await sendTo(instance, `http://localhost:${port}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': acme.apiKey },
    json: {
      userEmail: acme.emails.west,
      baseUrl: acme.address,
      organizationId: acme.id,
      reportId: acme.reportId,
    },
  });
  const page = await sendTo(instance, minted.json().embedUrl, {
    headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  });
  const { bearer } = readSession(page);
  const path = `/viewer/reports/${acme.reportId}/view`;
  return sendTo(instance, acme.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json: { intent: 'open' },
  });
}

const readiness = async (instance: PortalProcess) =>
  (await send(`${listen(instance)}/readyz`)).json() as Record<string, unknown>;

it('instances on two machines show the same report, and are ready', async () => {
  const [one, other] = await Promise.all(instances.map((instance) => readReport(instance)));
  expect([one!.status, other!.status]).toEqual([200, 200]);
  expect(one!.json().rowCount).toBe(2);
  expect(other!.json().rowCount).toBe(2);
  for (const instance of instances) expect(await readiness(instance)).toEqual({ status: 'ok' });
});

it('the two requests of an upload may reach two instances, and only one dataset is made of it', async () => {
  const [one, other] = instances as [PortalProcess, PortalProcess];
  const admin = { adminUrl: `http://admin.localhost:${port}`, db: opened.db };
  const browser = await signInAs(admin, acme, 1, 'ada@acme.example');
  const at = (instance: PortalProcess, path: string, options: Parameters<typeof send>[1]) =>
    sendTo(instance, `http://admin.localhost:${port}/admin/api/organizations/${acme.id}${path}`, {
      method: 'POST',
      ...options,
      headers: { cookie: browser.cookie(), origin: `http://admin.localhost:${port}` },
    });
  const uploaded = await at(one, '/uploads?fileName=regions.csv', { body: ordersCsv });
  expect([uploaded.status, uploaded.json().sample?.rowCount]).toEqual([200, 4]);
  const json = { name: 'Regions', workspace: 'Reports' };
  const path = `/uploads/${uploaded.json().uploadId}`;
  const created = await at(other, path, { json });
  expect(created.status).toBe(200);
  expect((await at(one, path, { json })).status).toBe(404);
  const { datasetId } = created.json();
  for (const instance of instances) {
    const sample = await sendTo(
      instance,
      `http://admin.localhost:${port}/admin/api/organizations/${acme.id}/datasets/${datasetId}/sample`,
      { headers: { cookie: browser.cookie() } },
    );
    expect([sample.status, sample.json().rowCount]).toEqual([200, 4]);
  }
});

it('data that one instance replaces are those of the other one at once', async () => {
  const [one, other] = instances as [PortalProcess, PortalProcess];
  const key = { 'x-api-key': acme.apiKey };
  const put = (instance: PortalProcess, path: string, body: string) =>
    sendTo(instance, `http://localhost:${port}/api/content${path}`, {
      method: 'PUT',
      headers: key,
      body,
    });
  expect((await put(one, '/files/shared.csv', ordersCsv)).status).toBe(200);
  const content = JSON.stringify({
    files: {
      'datasets/shared.yaml':
        'name: Shared\nsource: { file: shared.csv }\nrowAccess: everyone\nmetrics: [{ name: Sales, expression: sum(Sales) }]\n',
    },
  });
  const applied = await sendTo(other, `http://localhost:${port}/api/content`, {
    method: 'PUT',
    headers: { ...key, 'content-type': 'application/json' },
    body: content,
  });
  expect(applied.json()).toMatchObject({ changes: [{ change: 'create' }] });
  const more = `${ordersCsv}West,w,Desks,2024-04-01,1\n`;
  const changed = await put(other, '/files/shared.csv', more);
  expect(changed.json().datasets).toMatchObject([{ rows: { before: 4, after: 5 } }]);
  // The first instance compares with what the other one has stored.
  const again = await put(one, '/files/shared.csv', `${more}East,e,Desks,2024-05-01,2\n`);
  expect(again.json().datasets).toMatchObject([{ rows: { before: 5, after: 6 } }]);
  for (const instance of instances) {
    const dry = await put(instance, '/files/shared.csv?dryRun=true', ordersCsv);
    expect(dry.json().datasets).toMatchObject([{ rows: { before: 6, after: 4 } }]);
  }
});

it('an instance that cannot fetch a file says so in readiness, log and answer, and recovers', async () => {
  const fresh = await startInstance();
  onTestFinished(async () => {
    await fresh.stop();
  });
  await sql`ALTER TABLE file_chunks RENAME TO away`.execute(opened.db);
  const failed = await readReport(fresh);
  expect([failed.status, failed.json()]).toMatchObject([
    502,
    { code: 'report_failed', reason: 'not_fetched' },
  ]);
  expect(failed.json().detail).toBe(
    'The data of this report is not available yet. Try again in a few seconds.',
  );
  expect(failed.body).not.toMatch(/administrator/i);
  expect(fresh.output()).toContain('data file not fetched');
  expect(await readiness(fresh)).toEqual({ status: 'incomplete', notFetchedDataFiles: 1 });
  // The others have the file on their disks.
  expect((await readReport(instances[0]!)).status).toBe(200);
  await sql`ALTER TABLE away RENAME TO file_chunks`.execute(opened.db);
  await expect
    .poll(async () => (await readReport(fresh)).status, { timeout: 60_000, interval: 1_000 })
    .toBe(200);
  expect(await readiness(fresh)).toEqual({ status: 'ok' });
  expect(fresh.output()).toContain('data file fetched again');
});
