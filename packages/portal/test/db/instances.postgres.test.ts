import http from 'node:http';

import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { send, type Answer } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { waitForWindow, windowNumber } from '../support/rate-limits.ts';
import { readSession } from '../support/viewer.ts';

const rateLimit = 100;
const rounds = chooseRepetitions(2, 50);

let database: TestDatabase;
let instances: PortalProcess[];
let opened: OpenDatabase;
let acme: TestOrganization;
beforeAll(async () => {
  database = await createTestDatabase();
  const env = { PORTAL_RATE_LIMIT: String(rateLimit), PORTAL_LOG_LEVEL: 'info' };
  instances = await Promise.all(
    Array.from({ length: 4 }, () => startPortalProcess(database, { env })),
  );
  opened = await openDatabase(database);
  acme = await createTestOrganization(
    { db: opened.db, dataDir: database.dataDir, publicUrl: instances[0]!.publicUrl },
    'acme',
  );
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await opened.close();
  await database.remove();
});

// Few enough at once for an instance on a slow machine.
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const at = (index: number) => instances[index % instances.length]!.publicUrl;

/** A new key for each test, so that tests do not share a rate limit. */
let apiKey: string;
beforeEach(async () => {
  ({ key: apiKey } = await createApiKey(acme.ctx, { name: 'one test', permissions }));
});

const call = (index: number, method: string, path: string, json?: unknown, key = apiKey) =>
  send(at(index) + path, { method, json, agent, headers: { 'x-api-key': key } });

const mintAt = async (index: number, userEmail = acme.emails.west): Promise<string> => {
  const body = {
    userEmail,
    baseUrl: acme.address,
    organizationId: acme.id,
    reportId: acme.reportId,
  };
  const answer = await call(index, 'POST', '/api/identity/url', body);
  if (answer.status !== 200) throw new Error(`The mint failed: ${answer.body}`);
  return answer.json().embedUrl;
};

/** Sends a request for the organization's address to one of the instances. */
const sendAt = (index: number, url: string, options: Parameters<typeof send>[1] = {}) => {
  const { host, pathname, search } = new URL(url);
  const headers = { host, ...options.headers };
  return send(at(index) + pathname + search, { ...options, agent, headers });
};

const tally = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('four instances that start together on one empty PostgreSQL database', () => {
  it('migrate it once', async () => {
    const { rows } = await sql<{ name: string; transactions: number }>`
      SELECT count(*) AS migrations, count(DISTINCT name) AS names,
        count(DISTINCT xmin::text) AS transactions
      FROM schema_migrations`.execute(opened.db);
    const [counts] = rows as unknown as {
      migrations: number;
      names: number;
      transactions: number;
    }[];
    expect(counts!.migrations).toBeGreaterThan(0);
    expect(counts!.names).toBe(counts!.migrations);
    expect(counts!.transactions).toBe(1);
  });

  it(`answer 200 to exactly one of 100 simultaneous openings, in each of ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round++) {
      const url = await mintAt(round);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => sendAt(index, url)),
      );
      expect(tally(answers)).toEqual({ 200: 1, 410: 99 });
    }
  });

  it('redeem URLs that another instance has minted, each with its audit entry', async () => {
    const { east } = acme.emails;
    const countEntries = async () => {
      const { rows } = await sql<{ entries: number }>`
        SELECT count(*) AS entries FROM audit_entries WHERE user_email = ${east}`.execute(
        opened.db,
      );
      return rows[0]!.entries;
    };
    const before = await countEntries();
    const urls = await Promise.all(Array.from({ length: 60 }, (_, index) => mintAt(index, east)));
    expect(new Set(urls).size).toBe(60);
    const answers = await Promise.all(urls.map((url, index) => sendAt(index + 1, url)));
    expect(tally(answers)).toEqual({ 200: 60 });
    expect((await countEntries()) - before).toBe(60);
  });

  it('share sessions and revocations', async () => {
    const { both } = acme.emails;
    const links = { userEmail: both, reports: [acme.reportId] };
    expect((await call(0, 'PUT', '/api/user/link-reports', links)).status).toBe(204);
    const { bearer } = readSession(await sendAt(1, await mintAt(0, both)));
    const viewAt = (index: number) =>
      sendAt(index, `${acme.address}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        json: { intent: 'refresh' },
        headers: { authorization: `Bearer ${bearer}` },
      });
    expect(
      (
        await sendAt(2, `${acme.address}/viewer/reports`, {
          headers: { authorization: `Bearer ${bearer}` },
        })
      ).json().reports,
    ).toHaveLength(1);
    expect((await call(2, 'PUT', '/api/user/unlink-reports', links)).status).toBe(204);
    expect((await viewAt(3)).status).toBe(403);
    expect((await viewAt(1)).status).toBe(403);
  });

  it('enforce the rate limit of a key exactly, together', async () => {
    const windowSeconds = 10;
    // On a slow machine the requests may span windows. Then only the upper bound is known.
    for (let attempt = 1; ; attempt++) {
      const { key } = await createApiKey(acme.ctx, { name: `busy ${attempt}`, permissions });
      await waitForWindow(opened.db, windowSeconds, 9);
      const first = await windowNumber(opened.db, windowSeconds);
      // Each instance gets enough requests to use what it leases, since unused leases are lost.
      const answers = await Promise.all(
        Array.from({ length: instances.length * rateLimit }, (_, index) =>
          call(index, 'GET', '/api/datasets/rls', undefined, key),
        ),
      );
      const windows = (await windowNumber(opened.db, windowSeconds)) - first + 1;
      // On a starved machine, connecting to the database may take longer than a request waits.
      const { 200: served = 0, 429: refused = 0, 503: failed = 0 } = tally(answers);
      expect(served + refused + failed).toBe(answers.length);
      expect(served).toBeLessThanOrEqual(windows * rateLimit);
      const isExact = windows === 1 && failed === 0;
      expect(served).toBeGreaterThanOrEqual(isExact ? rateLimit : 0);
      if (isExact || attempt === 3) break;
    }
  });
});
