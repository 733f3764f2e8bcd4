import http from 'node:http';

import { Connections, createPostgresConnection } from 'report-engine/testing/internals';
import { readerView } from 'report-engine/testing/reader-view';
import { send, type Answer } from 'test-support';
import { startStopwatch } from 'test-support/stopwatch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startFreezableProxy, type FreezableProxy } from '../support/freezable-proxy.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, view } from '../support/viewer.ts';
import {
  datasetOver,
  grant,
  publish,
  startReader,
  startWarehouse,
  type Warehouse,
} from '../support/warehouse.ts';

const password = 'correct-horse';
/** How long a statement of Acme may run. */
const statementLimitMs = 1_000;

/** Acme's data is behind the network, and Globex's on another server. */
let acmeServer: Warehouse;
let globexServer: Warehouse;
let network: FreezableProxy;
let portal: TestPortal;
let acme: { reportId: string; bearers: string[] };
let globex: { reportId: string; bearer: string };
beforeAll(async () => {
  [acmeServer, globexServer] = await Promise.all([startWarehouse(), startWarehouse()]);
  network = await startFreezableProxy(Number(new URL(acmeServer.urlOf('acme')).port));
  const url = (warehouse: Warehouse, user: string, port?: number) =>
    warehouse.urlOf(user, port).replace(`${user}@`, `${user}:${password}@`);
  const all = [
    { name: 'acme-db', url: url(acmeServer, 'acme', network.port), statementLimitMs },
    { name: 'globex-db', url: url(globexServer, 'globex') },
    { name: 'shared-db', url: url(globexServer, 'portal') },
  ].map((settings) => createPostgresConnection({ ...settings, connections: 4 }));
  portal = await startTestPortal({
    connections: new Connections(all, { sourceQueries: 4, userQueries: 2 }),
  });
  for (const name of ['acme-db', 'shared-db']) await grant(portal, portal.acme, name);
  for (const name of ['globex-db', 'shared-db']) await grant(portal, portal.globex, name);
  acme = await publishAcme('connection: acme-db, table: orders');
  globex = await publishGlobex('connection: globex-db, table: orders');
});
afterAll(async () => {
  await portal.close();
  await network.close();
  await Promise.all([acmeServer.close(), globexServer.close()]);
});

/** Answers are not kept, and no statement is the same for all readers. */
const writeDataset = (source: string) =>
  datasetOver(`${source}, freshness: 0 seconds`).replace('time: Ordered\n', '');

async function publishAcme(source: string) {
  const { reportId } = await publish(portal, portal.acme, writeDataset(source));
  const names = ['west', 'both'] as const;
  const start = (name: 'west' | 'both') => startReader(portal, portal.acme, name, reportId);
  return { reportId, bearers: await Promise.all(names.map(start)) };
}

async function publishGlobex(source: string) {
  const { reportId } = await publish(portal, portal.globex, writeDataset(source));
  return { reportId, bearer: await startReader(portal, portal.globex, 'both', reportId) };
}

let views = 0;
/** Each view has its own statements, because equal ones are computed once. */
const viewAcme = (index = 0): Promise<Answer> =>
  view(portal.acme.address, acme.bearers[index]!, acme.reportId, {
    view: readerView({ field: 'Ordered', values: [`..${(views += 1) + 2100}-01-01`] }),
  });
const viewRows = async () => (await viewAcme()).json().rowCount;
const viewGlobex = () => view(portal.globex.address, globex.bearer, globex.reportId);

/** Ten readers' requests of Acme at once. */
const startAcmeViews = () => Array.from({ length: 10 }, (_, index) => viewAcme(index % 2));
const viewAcmeAtOnce = () => Promise.all(startAcmeViews());

async function expectGlobexRows(): Promise<void> {
  const answer = await viewGlobex();
  expect([answer.status, answer.json().rowCount]).toEqual([200, 4]);
}

/** Mints of both organizations and views of Globex: all must succeed. Returns the slowest in ms. */
async function exerciseOthers(): Promise<number> {
  let slowest = 0;
  for (let round = 0; round < 5; round += 1) {
    const stop = startStopwatch();
    const { emails } = portal.acme;
    await Promise.all([
      mint(portal, portal.acme, { userEmail: emails.west, reportId: acme.reportId }),
      mint(portal, portal.globex, { userEmail: portal.globex.emails.west }),
      expectGlobexRows(),
    ]);
    slowest = Math.max(slowest, stop());
  }
  return slowest;
}

/** Asks for Acme's reports while the others work, and returns Acme's answers. */
async function exerciseAll(): Promise<Answer[]> {
  const control = await exerciseOthers();
  const answers = startAcmeViews();
  const slowest: number[] = [];
  for (const answer of answers) {
    slowest.push(await exerciseOthers());
    await answer;
  }
  expect(Math.max(...slowest)).toBeLessThan(5 * control + 1_000);
  return Promise.all(answers);
}

function expectUnavailable(answers: readonly Answer[]): void {
  for (const answer of answers) {
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ code: 'report_failed', reason: 'unavailable' });
    expect(answer.body).toContain('The data source is unavailable.');
    for (const secret of ['acme-db', '127.0.0.1', 'postgres', password])
      expect(answer.body).not.toContain(secret);
  }
}

const readLog = () => portal.log.splice(0).join('');

const countStatements = async ({ admin }: Warehouse) => {
  const { rows } = await admin.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'portal-embed' AND state = 'active'`,
  );
  return Number(rows[0]?.count);
};

/** Runs `work` while no statement can read the orders. */
async function whileLocked(warehouse: Warehouse, schema: string, work: () => Promise<void>) {
  const locker = await warehouse.connect();
  await locker.query(`BEGIN; LOCK TABLE ${schema}.orders`);
  try {
    await work();
  } finally {
    await locker.end().catch(() => {});
  }
}

/** The connection is used again a second after the last failure. */
async function expectRecovery(): Promise<void> {
  await expect.poll(viewRows, { timeout: 10_000 }).toBe(2);
  expect(readLog()).not.toContain(password);
}

describe('other organizations and mints go on while a database', () => {
  it('refuses connections, and it is used again when it accepts them', async () => {
    await acmeServer.server.halt();
    const answers = await exerciseAll();
    await acmeServer.server.restart();
    acmeServer.admin = await acmeServer.connect();
    expectUnavailable(answers);
    expect(readLog()).toContain('The connection \\"acme-db\\" failed: ');
    await expectRecovery();
  });

  it('does not answer, and it is used again when it does', { timeout: 60_000 }, async () => {
    network.freeze();
    const answers = await exerciseAll().finally(network.thaw);
    expectUnavailable(answers);
    expect(readLog()).toContain('The connection \\"acme-db\\" failed: ');
    await expectRecovery();
  });

  it('has no more connections', async () => {
    await acmeServer.admin.query(`
      ALTER ROLE acme CONNECTION LIMIT 0;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'acme'`);
    const answers = await exerciseAll();
    await acmeServer.admin.query('ALTER ROLE acme CONNECTION LIMIT -1');
    expectUnavailable(answers);
    expect(readLog()).toContain('too many connections for role \\"acme\\" (53300)');
    await expectRecovery();
  });

  it('is slow', { timeout: 60_000 }, async () => {
    await whileLocked(acmeServer, 'acme', async () => {
      for (const answer of await exerciseAll()) {
        expect([answer.status, answer.json().code]).toEqual([502, 'report_failed']);
        expect(answer.body).toContain('The report could not be computed.');
      }
    });
    expect(readLog()).toContain('canceling statement due to statement timeout (57014)');
    await expectRecovery();
  });

  it('dies during statements', async () => {
    let answers: Promise<Answer[]> = Promise.resolve([]);
    await whileLocked(acmeServer, 'acme', async () => {
      answers = viewAcmeAtOnce();
      await expect.poll(() => countStatements(acmeServer)).toBe(3);
      await acmeServer.server.kill();
      await exerciseOthers();
    });
    expectUnavailable(await answers);
    await acmeServer.server.restart();
    acmeServer.admin = await acmeServer.connect();
    await expectRecovery();
  });
});

it('a reader who leaves cancels the statement in the server', async () => {
  await whileLocked(acmeServer, 'acme', async () => {
    const agent = new http.Agent();
    const asked = send(`${portal.publicUrl}/viewer/reports/${acme.reportId}/view`, {
      method: 'POST',
      headers: {
        host: new URL(portal.acme.address).host,
        authorization: `Bearer ${acme.bearers[0]}`,
      },
      json: { intent: 'open', view: readerView({ field: 'Ordered', values: ['..2099-01-01'] }) },
      agent,
    }).catch(() => {});
    await expect.poll(() => countStatements(acmeServer)).toBeGreaterThan(0);
    agent.destroy();
    await asked;
    await expect.poll(() => countStatements(acmeServer)).toBe(0);
  });
  expect((await viewAcme()).json().rowCount).toBe(2);
});

it('an organization leaves statements of a shared connection to another one', async () => {
  acme = await publishAcme('connection: shared-db, table: acme.orders');
  globex = await publishGlobex('connection: shared-db, table: globex.orders');
  let answers: Promise<Answer[]> = Promise.resolve([]);
  await whileLocked(globexServer, 'acme', async () => {
    answers = viewAcmeAtOnce();
    await expect.poll(() => countStatements(globexServer)).toBe(3);
    for (let round = 0; round < 5; round += 1) expect((await viewGlobex()).json().rowCount).toBe(4);
    expect(await countStatements(globexServer)).toBe(3);
  });
  for (const answer of await answers) expect(answer.status).toBe(200);
});

it('an organization whose SELECT ends its own connection leaves a shared connection to another one', async () => {
  const end = 'SELECT *, pg_terminate_backend(pg_backend_pid()) AS gone FROM acme.orders';
  acme = await publishAcme(`connection: shared-db, sql: "${end}"`);
  globex = await publishGlobex('connection: shared-db, table: globex.orders');
  for (let round = 0; round < 20; round += 1) {
    expectUnavailable(await Promise.all([viewAcme(0), viewAcme(1)]));
    await expectGlobexRows();
  }
  expect(readLog()).toContain('The connection \\"shared-db\\" failed: ');
});
