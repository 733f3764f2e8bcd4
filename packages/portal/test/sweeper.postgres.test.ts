import { afterAll, beforeAll, expect, it } from 'vitest';

import { tryLock } from '../src/jobs/store.ts';
import { startSweeper } from '../src/jobs/sweeper.ts';
import { createLogger } from '../src/logger.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it('sweeps at one instance at a time, and at another as soon as that one has ended', async () => {
  let batches = 0;
  const sweeper = startSweeper({
    db: portal.db,
    tasks: [{ name: 'counted', sweep: () => Promise.resolve(++batches && 1) }],
    logger: createLogger('silent'),
    intervalMs: 3_600_000,
  });
  await sweeper.sweep();
  const before = batches;
  expect(before).toBeGreaterThan(0);
  await portal.db.transaction().execute(async (otherInstance) => {
    expect(await tryLock(otherInstance)).toBe(true);
    await sweeper.sweep();
    expect(batches).toBe(before);
  });
  await sweeper.sweep();
  expect(batches).toBe(before + 1);
  await sweeper.stop();
});
