import { randomUUID } from 'node:crypto';

import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { invalidApiKey } from '../../src/api-keys/authenticate.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import type { Database } from '../../src/db/connection/open.ts';
import type { PortalError } from '../../src/errors.ts';
import { leasePermits, type Holder } from '../../src/limits/rate-limit-store.ts';
import { createRateLimiter, type RateLimit } from '../../src/limits/rate-limit.ts';
import { limits } from '../../src/limits/table.ts';
import { insertUser } from '../../src/users/store.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { waitForWindow } from '../support/rate-limits.ts';
import { startSession, view } from '../support/viewer.ts';

// A window longer than any test. A test that starts near its end waits for the next one.
const windowSeconds = 3_600;
const limit = 40;

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ rateLimit: { limit, windowSeconds } });
});
beforeEach(() => waitForWindow(portal.db, windowSeconds, 20));
afterAll(() => portal.close());

const newKey = async ({ acme } = portal) =>
  (await createApiKey(acme.ctx, { name: 'limited', permissions })).key;

/** Requests the list of reports, as the viewer page does. */
const listReports = (bearer: string, { acme } = portal) =>
  send(`${acme.address}/viewer/reports`, { headers: { authorization: `Bearer ${bearer}` } });

async function sendMany(count: number, key: string): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => portal.api('GET', '/api/report', { key })),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the rate limit of an API key', () => {
  it('admits requests up to the limit and answers 429 to the rest, even if they are simultaneous', async () => {
    const key = await newKey();
    expect(await sendMany(limit + 25, key)).toEqual({ 200: limit, 429: 25 });
  });

  it('tells when to retry, and admits requests then', async () => {
    const brief = await startTestPortal({ rateLimit: { limit: 3, windowSeconds: 2 } });
    try {
      const key = await newKey(brief);
      const sendOne = () => brief.api('GET', '/api/report', { key });
      const refused = await vi.waitUntil(
        async () => {
          const answer = await sendOne();
          return answer.status === 200 ? undefined : answer;
        },
        { timeout: 30_000, interval: 1 },
      );
      expect([refused.status, refused.json().code]).toEqual([429, 'rate_limited']);
      expect(refused.json().detail).toMatch(
        /^This API key has made all 3 requests allowed in 2 seconds\. Try again in [12] s\.$/,
      );
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(2);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      expect((await sendOne()).status).toBe(200);
    } finally {
      await brief.close();
    }
  });

  it('applies to each key separately', async () => {
    const [busy, other] = [await newKey(), await newKey()];
    await sendMany(limit + 1, busy);
    expect((await portal.api('GET', '/api/report', { key: other })).status).toBe(200);
  });

  it('counts neither requests without a valid key nor those of readers', async () => {
    const { acme } = portal;
    const key = await newKey();
    const flipped = (key.at(-1) === '0' ? '1' : '0').padStart(key.length, key.slice(0, -1));
    expect(await sendMany(limit + 5, flipped)).toEqual({ 401: limit + 5 });
    const minting = { ...acme, apiKey: key };
    const { bearer } = await startSession(portal, minting, { userEmail: acme.emails.west });
    for (let sent = 0; sent < limit + 5; sent++) await listReports(bearer);
    // The mint took one permit.
    expect(await sendMany(limit, key)).toEqual({ 200: limit - 1, 429: 1 });
  });
});

describe('the rate limit of a user’s pages', () => {
  const viewerLimit = 6;
  let limited: TestPortal;
  beforeAll(async () => {
    limited = await startTestPortal({ viewerRateLimit: { limit: viewerLimit, windowSeconds } });
  });
  afterAll(() => limited.close());

  const sessionOf = async (organization: TestOrganization, name: 'west' | 'east') =>
    (await startSession(limited, organization, { userEmail: organization.emails[name] })).bearer;

  it('counts all of their sessions, and its response has Retry-After', async () => {
    const { acme, globex } = limited;
    const tabs = [await sessionOf(acme, 'west'), await sessionOf(acme, 'west')];
    const sent = tabs.flatMap((bearer) =>
      Array.from({ length: viewerLimit }, (_, index) =>
        index % 2
          ? listReports(bearer, limited)
          : view(acme.address, bearer, acme.reportId, { intent: 'open' }),
      ),
    );
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(viewerLimit);
    expect(refused).toHaveLength(viewerLimit);
    for (const answer of refused) {
      expect(answer.json().code).toBe('rate_limited');
      expect(answer.json().detail).toMatch(
        /^You have made all 6 requests allowed in 3600 seconds\. Try again in \d+ s\.$/,
      );
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(windowSeconds);
    }
    const others = [
      { organization: acme, bearer: await sessionOf(acme, 'east') },
      { organization: globex, bearer: await sessionOf(globex, 'west') },
    ];
    for (const { organization, bearer } of others) {
      const answer = await view(organization.address, bearer, organization.reportId);
      expect(answer.status).toBe(200);
    }
    // A new session of the user has the same limit.
    const fresh = await sessionOf(acme, 'west');
    expect((await listReports(fresh, limited)).status).toBe(429);
  });

  it('is checked before the body of any request is read', async () => {
    const { acme } = limited;
    const bearer = await sessionOf(acme, 'east');
    await Promise.all(Array.from({ length: viewerLimit }, () => listReports(bearer, limited)));
    for (const action of ['view', 'values', 'export', 'print', 'favorite']) {
      const answer = await send(`${acme.address}/viewer/reports/${acme.reportId}/${action}`, {
        method: action === 'favorite' ? 'PUT' : 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: 'no JSON',
      });
      expect([action, answer.status]).toEqual([action, 429]);
    }
  });
});

describe.each(['api-key', 'user'] as const)('leases of one %s', (kind) => {
  const rateLimiter = (db: Database, rateLimit: RateLimit) =>
    createRateLimiter(db, rateLimit, {
      limit: limits.apiRequests,
      subject: 'The test has',
      gone: invalidApiKey,
    });
  const windows = kind === 'user' ? 'viewer_rate_limit_windows' : 'rate_limit_windows';

  /** Returns a holder that has used no permit. */
  async function newHolder(): Promise<Holder> {
    const { db, acme } = portal;
    await sql`DELETE FROM ${sql.table(windows)}`.execute(db);
    const table = kind === 'user' ? 'users' : 'api_keys';
    const { id } = await db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', acme.id)
      .executeTakeFirstOrThrow();
    return kind === 'user' ? { kind, organizationId: acme.id, id } : { kind, id };
  }

  it('leases are shared: all instances together admit requests up to the limit', async () => {
    const holder = await newHolder();
    const instances = Array.from({ length: 4 }, () =>
      rateLimiter(portal.db, { limit: 1_000, windowSeconds }),
    );
    // Each instance gets enough requests for the whole limit, since unused permits of a lease are lost.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4_000 }, (_, index) => instances[index % 4]!(holder)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_000);
  });

  it('leases have an eighth of the permits left, at least one, and none in a used-up window', async () => {
    const holder = await newHolder();
    let left = limit;
    while (left > 0) {
      const lease = await leasePermits(portal.db, { holder, limit, windowSeconds });
      expect(lease?.permits).toBe(Math.ceil(left / 8));
      left -= lease!.permits;
    }
    const lease = await leasePermits(portal.db, { holder, limit, windowSeconds });
    expect(lease?.permits).toBe(0);
  });

  it('start over with each window, but not if the clock goes back', async () => {
    const holder = await newHolder();
    const lease = () => leasePermits(portal.db, { holder, limit: 80, windowSeconds });
    const moveWindow = (by: number) =>
      sql`UPDATE ${sql.table(windows)} SET window_number = window_number + ${by}::integer`.execute(
        portal.db,
      );
    expect([await lease(), await lease()]).toMatchObject([{ permits: 10 }, { permits: 9 }]);
    await moveWindow(-1);
    expect(await lease()).toMatchObject({ permits: 10 });
    await moveWindow(1);
    expect(await lease()).toMatchObject({ permits: 9 });
  });

  it('leases are refused with the limit and the seconds until the next window', async () => {
    const takePermit = rateLimiter(portal.db, { limit: 1, windowSeconds });
    const holder = await newHolder();
    await takePermit(holder);
    const refusal = await takePermit(holder).catch((error: PortalError) => error);
    const { rows } = await sql<{ left: number }>`
      SELECT (${windowSeconds} - extract(epoch FROM clock_timestamp()) % ${windowSeconds})::float
        AS left`.execute(portal.db);
    expect(refusal).toMatchObject({ code: 'rate_limited' });
    const { message, retryAfter = 0 } = refusal as PortalError;
    expect(message).toContain(`The test has made all 1 requests allowed in ${windowSeconds} s`);
    expect(retryAfter - rows[0]!.left).toBeGreaterThanOrEqual(0);
    expect(retryAfter - rows[0]!.left).toBeLessThan(20);
  });

  it('leases end with their window, also after a slow query', async () => {
    const holder = await newHolder();
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    const begin = 1_000_000;
    clock.mockReturnValue(begin);
    const ends: number[] = [];
    const slow = portal.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        ends.push(result.rows[0]!['windowEndsInMs'] as number);
        clock.mockReturnValue(begin + 1_000);
        return result;
      },
    });
    const takePermit = rateLimiter(slow, { limit: 10_000, windowSeconds });
    await takePermit(holder);
    clock.mockReturnValue(begin + ends[0]!);
    await takePermit(holder);
    expect(ends).toHaveLength(2);
  });

  it('leases need one write for many requests', async () => {
    const holder = await newHolder();
    let statements = 0;
    const counted = portal.db.withPlugin({
      transformQuery: ({ node }) => (statements++, node),
      transformResult: async ({ result }) => result,
    });
    const takePermit = rateLimiter(counted, { limit: 10_000, windowSeconds });
    for (let request = 0; request < 1_000; request++) await takePermit(holder);
    expect(statements).toBe(1);
    const rest = Array.from({ length: 9_500 }, () => takePermit(holder));
    await Promise.allSettled(rest);
    expect(statements).toBeLessThan(80);
  });

  it('leases are kept while leases of other holders expire', async () => {
    await newHolder();
    const table = kind === 'user' ? 'users' : 'api_keys';
    const rows = await portal.db
      .selectFrom(table)
      .select(['organization_id', 'id'])
      .limit(2)
      .execute();
    const [holder, other] = rows.map(({ organization_id: organizationId, id }): Holder =>
      kind === 'user' ? { kind, organizationId, id } : { kind, id },
    ) as [Holder, Holder];
    let statements = 0;
    const counted = portal.db.withPlugin({
      transformQuery: ({ node }) => (statements++, node),
      transformResult: async ({ result }) => result,
    });
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    const begin = 1_000_000;
    clock.mockReturnValue(begin);
    const takePermit = rateLimiter(counted, { limit: 10_000, windowSeconds });
    await takePermit(other);
    clock.mockReturnValue(begin + windowSeconds * 1_000 - 1);
    await takePermit(holder);
    clock.mockReturnValue(begin + windowSeconds * 1_000);
    await takePermit(other);
    await takePermit(holder);
    expect(statements).toBe(3);
  });

  it('leases are not taken if the limit is off', async () => {
    const takePermit = rateLimiter(portal.db, { limit: 0, windowSeconds: 60 });
    await takePermit(await newHolder());
    const { rows } = await sql`SELECT FROM ${sql.table(windows)}`.execute(portal.db);
    expect(rows).toEqual([]);
  });

  it('leases are taken again after a failed lease', async () => {
    const holder = await newHolder();
    let isUnavailable = true;
    const failing = portal.db.withPlugin({
      transformQuery: ({ node }) => {
        if (isUnavailable) throw new Error('the database is unavailable');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const takePermit = rateLimiter(failing, { limit, windowSeconds });
    await expect(takePermit(holder)).rejects.toThrow('the database is unavailable');
    isUnavailable = false;
    await takePermit(holder);
  });

  it('leases are refused for a deleted holder', async () => {
    const gone = { ...(await newHolder()), id: '00000000-0000-4000-8000-000000000000' };
    const takePermit = rateLimiter(portal.db, { limit, windowSeconds });
    await expect(takePermit(gone)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

it('users of two organizations with the same ID have permits of their own', async () => {
  const { db, acme, globex } = portal;
  const id = randomUUID();
  const user = { id, email: 'twin@example.com', name: 'Twin', role: 3, mayAuthor: false };
  for (const { id: organizationId } of [acme, globex])
    await insertUser(db, { ...user, organizationId });
  const lease = (organizationId: string) =>
    leasePermits(db, { holder: { kind: 'user', organizationId, id }, limit: 16, windowSeconds });
  expect(await lease(acme.id)).toMatchObject({ permits: 2 });
  expect(await lease(globex.id)).toMatchObject({ permits: 2 });
});
