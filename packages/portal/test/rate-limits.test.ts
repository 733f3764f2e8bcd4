import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createApiKey } from '../src/api-keys/service.ts';
import { createRateLimiter } from '../src/rate-limits/service.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { waitForWindow } from './support/rate-limits.ts';

// A window that no machine is too slow for; a test that starts near its end waits for the next.
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

async function sendMany(count: number, key: string): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => portal.api('GET', '/api/report', { key })),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the rate limit of an API key', () => {
  it('lets through what the limit says and answers 429 to the rest, however they come', async () => {
    const key = await newKey();
    expect(await sendMany(limit + 25, key)).toEqual({ 200: limit, 429: 25 });
  });

  it('says when to come back, and serves then', async () => {
    const brief = await startTestPortal({ rateLimit: { limit: 3, windowSeconds: 2 } });
    try {
      const key = await newKey(brief);
      const ask = () => brief.api('GET', '/api/report', { key });
      const refused = await vi.waitUntil(
        async () => {
          const answer = await ask();
          return answer.status === 200 ? undefined : answer;
        },
        { timeout: 30_000, interval: 1 },
      );
      expect([refused.status, refused.json().code]).toEqual([429, 'rate_limited']);
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(2);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      expect((await ask()).status).toBe(200);
    } finally {
      await brief.close();
    }
  });

  it('is that key’s alone', async () => {
    const [busy, other] = [await newKey(), await newKey()];
    await sendMany(limit + 1, busy);
    expect((await portal.api('GET', '/api/report', { key: other })).status).toBe(200);
  });

  it('counts neither requests without a valid key nor those of readers', async () => {
    expect(await sendMany(limit + 5, 'pek_wrong')).toEqual({ 401: limit + 5 });
  });
});

describe('leases', () => {
  it('are shared: any number of instances let the limit through, together', async () => {
    const { id } = await portal.db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    const instances = Array.from({ length: 4 }, () =>
      createRateLimiter(portal.db, { limit: 1_000, windowSeconds }),
    );
    await sql`DELETE FROM rate_limit_windows`.execute(portal.db);
    // Each is asked for all of them: what one has leased and nobody asks it for is let through nowhere.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4_000 }, (_, index) => instances[index % 4]!(id)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_000);
  });

  it('take one write for many requests', async () => {
    const { id } = await portal.db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    let statements = 0;
    const counted = portal.db.withPlugin({
      transformQuery: ({ node }) => (statements++, node),
      transformResult: async ({ result }) => result,
    });
    const takePermit = createRateLimiter(counted, { limit: 10_000, windowSeconds });
    await sql`DELETE FROM rate_limit_windows`.execute(portal.db);
    for (let request = 0; request < 1_000; request++) await takePermit(id);
    expect(statements).toBe(1);
    const rest = Array.from({ length: 9_500 }, () => takePermit(id));
    await Promise.allSettled(rest);
    expect(statements).toBeLessThan(80);
  });

  it('are none when the limit is off', async () => {
    const takePermit = createRateLimiter(portal.db, { limit: 0, windowSeconds: 60 });
    const { id } = await portal.db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    await sql`DELETE FROM rate_limit_windows`.execute(portal.db);
    await takePermit(id);
    expect(await portal.db.selectFrom('rate_limit_windows').selectAll().execute()).toEqual([]);
  });
});
