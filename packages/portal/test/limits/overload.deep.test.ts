import { sql } from 'kysely';
import { send } from 'test-support';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createGlobex } from '../support/command-line.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startPortalProcess } from '../support/processes.ts';
import { mint, open, startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await startTestPortal();
});
afterEach(() => portal.close());

const listRoles = (key: string) => portal.api('GET', '/api/datasets/rls', { key });
const mintBody = () => ({ userEmail: portal.globex.emails.west });

it('mints and redemptions go ahead of queued lists', async () => {
  const { acme, globex } = portal;
  const order: string[] = [];
  const record = (name: string, work: Promise<unknown>) => work.then(() => order.push(name));
  // Caches the key, so that only the lists, the mint and the redemption wait.
  await startSession(portal, globex, mintBody());
  const url = await mint(portal, globex, mintBody());
  let all: Promise<unknown>[] = [];
  await portal.db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction);
    const lists = Array.from({ length: 30 }, () => record('list', listRoles(acme.apiKey)));
    await expect.poll(() => portal.usage().waiting).toBe(30);
    all = [...lists, record('mint', mint(portal, globex, mintBody())), record('redeem', open(url))];
    await expect.poll(() => portal.usage().waiting).toBe(32);
  });
  await Promise.all(all);
  expect(order.indexOf('mint')).toBeLessThan(15);
  expect(order.indexOf('redeem')).toBeLessThan(15);
});

it('a request that arrives while queries wait is read before all of them have run', async () => {
  // A separate process, since this test's own requests would wait for the queries here too.
  const { database, globex } = await createGlobex();
  const { db, close } = await openDatabase(database);
  await sql`
    INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${globex.id}::uuid, gen_random_uuid(), n || '@many.example', n || '@many.example',
      repeat('n', 150), 3, false, false, false
    FROM generate_series(1, 400) AS n`.execute(db);
  await close();
  const server = await startPortalProcess(database);
  const sendRequest = (path: string, json?: object) =>
    send(server.publicUrl + path, {
      method: json ? 'POST' : 'GET',
      headers: { 'x-api-key': globex.apiKey },
      json,
    });
  const mintOne = () => sendRequest('/api/identity/url', { userEmail: globex.emails.west });
  expect((await mintOne()).status).toBe(200);
  let listed = 0;
  const served = new AbortController();
  const lists = Array.from({ length: 20 }, async () => {
    while (!served.signal.aborted && listed < 60) {
      await sendRequest(`/api/user?pageSize=200&name=${'n'.repeat(90)}`);
      listed += 1;
    }
  });
  await expect.poll(() => listed, { interval: 1 }).toBeGreaterThan(3);
  expect((await mintOne()).status).toBe(200);
  served.abort();
  expect(listed).toBeLessThan(18);
  await Promise.all(lists);
  await server.stop('SIGINT');
  await database.remove();
});

it('a URL that is opened on an overloaded portal gets a page with Retry-After and stays unused', async () => {
  const url = await mint(portal, portal.globex, mintBody());
  const page = await portal.db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction);
    return open(url);
  });
  expect([page.status, page.headers['content-type'], page.headers['retry-after']]).toEqual([
    503,
    'text/html; charset=utf-8',
    '2',
  ]);
  expect(page.body).toContain('data-session-required="unknown"');
  expect((await open(url)).status).toBe(200);
});
