import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, startSession } from './support/viewer.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await startTestPortal();
});
afterEach(() => portal.close());

const listRoles = (key: string) => portal.api('GET', '/api/datasets/rls', { key });
const mintBody = () => ({ userEmail: portal.globex.emails.west });

it('mint and redeem go ahead of queued list requests', async () => {
  const { acme, globex } = portal;
  const order: string[] = [];
  const note = (name: string, work: Promise<unknown>) => work.then(() => order.push(name));
  // Caches the key look-up, so that only the lists, the mint and the redeem wait.
  await startSession(portal, globex, mintBody());
  const url = await mint(portal, globex, mintBody());
  let all: Promise<unknown>[] = [];
  await portal.db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction);
    const lists = Array.from({ length: 30 }, () => note('list', listRoles(acme.apiKey)));
    await expect.poll(() => portal.usage().waiting).toBe(30);
    all = [...lists, note('mint', mint(portal, globex, mintBody())), note('redeem', open(url))];
    await expect.poll(() => portal.usage().waiting).toBe(32);
  });
  await Promise.all(all);
  expect(order.indexOf('mint')).toBeLessThan(15);
  expect(order.indexOf('redeem')).toBeLessThan(15);
});

it('a link opened while the portal is overloaded gets a page with Retry-After, and is not spent', async () => {
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
