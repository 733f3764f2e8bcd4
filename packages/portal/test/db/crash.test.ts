import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { findFreePort, send, startPostgres, type PostgresCluster } from 'test-support';
import { buildFirst } from 'test-support/build';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { CrashClient } from '../support/crash-load.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addItems } from '../support/items.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';

buildFirst();

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const rounds = chooseRepetitions(2, 50);

const random = createRandom(readSeed());

let database: TestDatabase;
/** A separate PostgreSQL that this test kills too; none for the embedded database. */
let cluster: PostgresCluster | undefined;
let portal: PortalProcess;
let clients: CrashClient[];
let port: number;
let acknowledged = 0;

const start = () => startPortalProcess(database, { port, env: { PORTAL_RATE_LIMIT: '0' } });

beforeAll(async () => {
  database = await createTestDatabase();
  if (database.kind === 'postgres') {
    cluster = await startPostgres();
    database = { ...database, databaseUrl: cluster.url('postgres') };
  }
  port = await findFreePort();
  const { db, close } = await openDatabase(database);
  const publicUrl = `http://localhost:${port}`;
  const acme = await createTestOrganization({ db, dataDir: database.dataDir, publicUrl }, 'acme');
  const added = await addItems(acme.ctx, path.join(database.dataDir, 'datasets'), {
    reports: { second: { dataset: 'sales' }, third: { dataset: 'sales' } },
  });
  const reports = [acme.reportId, ...Object.values(added.reports)];
  await close();
  portal = await start();
  clients = ['a', 'b', 'c', 'd'].map((name) => new CrashClient(name, acme, reports, random));
  for (const client of clients) await client.prepare(portal.publicUrl);
});
afterAll(async () => {
  await portal.stop();
  await cluster?.stop();
  await database.remove();
});

/** Kills the portal. With a PostgreSQL server, kills the portal, the server or both, in rotation. */
async function crash(round: number): Promise<void> {
  const victim = cluster ? (['portal', 'server', 'both'] as const)[round % 3] : 'portal';
  await Promise.all([
    victim === 'server' ? undefined : portal.kill(),
    victim === 'portal' ? undefined : cluster?.kill(),
  ]);
  if (victim !== 'portal') await cluster?.restart();
  if (victim === 'server') await waitUntilServed();
  else portal = await start();
}

/** Crashes while the clients write, at a random time after a random number of writes. */
async function crashWhileWriting(round: number): Promise<void> {
  let writesToGo = 1 + Math.floor(random() * 40);
  let finish = () => {};
  const enough = new Promise<void>((resolve) => (finish = resolve));
  const onAcknowledged = () => {
    acknowledged++;
    writesToGo--;
    if (writesToGo === 0) finish();
  };
  const crashed = new AbortController();
  const writing = Promise.all(
    clients.map((client) => client.run(portal.publicUrl, onAcknowledged, crashed.signal)),
  );
  await Promise.race([writing, enough]);
  await delay(random() * 15);
  await crash(round);
  // A client without a request at the time of the crash sees no failure.
  crashed.abort();
  await writing;
}

/** Waits until a portal that was not restarted serves again. */
async function waitUntilServed(): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if ((await send(`${portal.publicUrl}/readyz`)).status === 200) return;
    await delay(20);
  }
  throw new Error('The portal did not recover within a minute.');
}

it(`a portal that is killed ${rounds} times during writes keeps every acknowledged write and no partial one`, async () => {
  for (let round = 0; round < rounds; round++) {
    await crashWhileWriting(round);
    const problems = (
      await Promise.all(clients.map((client) => client.verify(portal.publicUrl)))
    ).flat();
    expect(problems, `round ${round}`).toEqual([]);
  }
  const problems = await Promise.all(clients.map((client) => client.verifyAllUsed()));
  expect(problems.flat()).toEqual([]);

  // An identity URL for a report and its entry of the access log must be written together.
  await portal.stop();
  const { db, close } = await openDatabase(database);
  const { rows } = await sql<{ urls: number; entries: number }>`
    SELECT (SELECT count(*) FROM identity_urls WHERE report_id IS NOT NULL) AS urls,
      (SELECT count(*) FROM audit_entries) AS entries`.execute(db);
  await close();
  expect(rows[0]!.entries).toBe(rows[0]!.urls);
  console.log(`${rounds} crashes, ${acknowledged} acknowledged writes, ${rows[0]!.urls} URLs`);
  expect(acknowledged).toBeGreaterThan(rounds);
}, 1_200_000);
