import { startStopwatch } from 'test-support/stopwatch';
import { expect, it } from 'vitest';

import { retryConflicts } from './conflicts.ts';

/** Runs work that fails with `code` until the given attempt, and counts the attempts. */
async function runUntil(successfulAttempt: number, code: string) {
  let attempts = 0;
  const outcome = await retryConflicts(async () => {
    attempts += 1;
    if (attempts < successfulAttempt) throw Object.assign(new Error('failed'), { code });
    return 'done';
  }).catch((error: Error) => error.message);
  return { attempts, outcome };
}

it.each(['23503', '40P01', '40001'])('a conflict %s is retried four times', async (code) => {
  expect(await runUntil(5, code)).toEqual({ attempts: 5, outcome: 'done' });
  expect(await runUntil(6, code)).toEqual({ attempts: 5, outcome: 'failed' });
});

it('an error other than a conflict is not retried', async () => {
  expect(await runUntil(2, '23505')).toEqual({ attempts: 1, outcome: 'failed' });
});

it('the pauses before four retries take less than a second', async () => {
  const stop = startStopwatch();
  await runUntil(5, '40001');
  expect(stop()).toBeLessThan(1_000);
});
