import { setTimeout as delay } from 'node:timers/promises';

const attempts = 5;

/**
 * Whether another transaction got in between: a row that was found is gone by now (23503), or the
 * two waited for each other (40P01, 40001).
 */
export const isConflict = (error: unknown): boolean =>
  /^(23503|40P01|40001)$/.test(String((error as { code?: unknown } | null)?.code));

/**
 * Runs `work`, one transaction or statement, and again when a concurrent change came in its way:
 * the next run sees what that change made.
 */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
      await delay(Math.random() * 20 * attempt);
    }
  }
}
