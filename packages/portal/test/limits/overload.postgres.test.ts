import { sql } from 'kysely';
import { send } from 'test-support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await startTestPortal();
});
afterEach(() => portal.close());

const listRoles = (key: string) => portal.api('GET', '/api/datasets/rls', { key });
const mintBody = () => ({ userEmail: portal.globex.emails.west });

/** Runs `work` during a transaction that has run `statement`. */
async function whileOpen(statement: string, work: () => Promise<void>): Promise<void> {
  await portal.db.transaction().execute(async (transaction) => {
    await sql.raw(statement).execute(transaction);
    await work();
  });
}

describe('64 slow lists of one organization', () => {
  it('do not delay mints, redemptions or lists of another organization', async () => {
    const { acme, globex } = portal;
    let lists: Promise<(string | number)[]>[] = [];
    // Only this filter of the access log reads the table.
    await whileOpen('LOCK TABLE report_names', async () => {
      lists = Array.from({ length: 64 }, async () => {
        const answer = await portal.api('GET', '/api/report-audit?reportName=o', {
          key: acme.apiKey,
        });
        if (answer.status === 200) return [200];
        return [answer.status, answer.json().code, String(answer.headers['retry-after'])];
      });
      await expect.poll(() => portal.usage().waiting).toBe(60);
      // Requests of other organizations are served although 60 requests wait.
      const urls = await Promise.all(
        Array.from({ length: 8 }, () => mint(portal, globex, mintBody())),
      );
      for (const url of urls) expect((await open(url)).status).toBe(200);
      expect((await portal.api('GET', '/api/user', { key: globex.apiKey })).status).toBe(200);
      expect((await portal.api('GET', '/readyz', { key: null })).status).toBe(200);
      expect(portal.usage().waiting).toBe(60);
      expect(await mint(portal, acme, { userEmail: acme.emails.west })).toContain('/identity');
      await expect.poll(() => portal.usage().waiting).toBe(0);
    });
    const answers = await Promise.all(lists);
    expect(answers.filter(([status]) => status === 200)).toHaveLength(4);
    expect(answers.filter(([status]) => status !== 200)).toEqual(
      Array.from({ length: 60 }, () => [503, 'overloaded', '2']),
    );
  });

  it('do not prevent /readyz from answering while every connection is in use', async () => {
    let mints: Promise<unknown>[] = [];
    await whileOpen('LOCK TABLE users', async () => {
      mints = Array.from({ length: 20 }, () => mint(portal, portal.globex, mintBody()));
      await expect.poll(() => portal.usage().waiting).toBeGreaterThan(5);
      expect((await portal.api('GET', '/readyz', { key: null })).status).toBe(200);
    });
    await Promise.all(mints);
  });
});

it('the report lists of one organization leave connections for another', async () => {
  const { acme, globex } = portal;
  const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
  const listReports = async () =>
    (
      await send(`${acme.address}/viewer/reports`, {
        headers: { authorization: `Bearer ${bearer}` },
      })
    ).status;
  let lists: Promise<number>[] = [];
  await whileOpen('LOCK TABLE reports', async () => {
    lists = Array.from({ length: 20 }, listReports);
    await expect.poll(() => portal.usage().waiting).toBe(16);
    expect((await listRoles(globex.apiKey)).status).toBe(200);
  });
  expect(await Promise.all(lists)).toEqual(lists.map(() => 200));
});

it('a flood of mints of one organization does not stop the lists of another', async () => {
  const { acme, globex } = portal;
  const end = new AbortController();
  const flood = Array.from({ length: 64 }, async () => {
    while (!end.signal.aborted) await mint(portal, acme, { userEmail: acme.emails.west });
  });
  await expect.poll(() => portal.usage().waiting).toBeGreaterThan(10);
  const { status } = await listRoles(globex.apiKey);
  end.abort();
  await Promise.all(flood);
  expect(status).toBe(200);
});
