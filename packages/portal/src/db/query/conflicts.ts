import { setTimeout as delay } from 'node:timers/promises';

const attempts = 5;

/**
 * Whether a concurrent transaction interfered: it deleted a row that was found (23503), or both waited
 * for each other (40P01, 40001).
 */
export const isConflict = (error: unknown): boolean =>
  /^(23503|40P01|40001)$/.test(String((error as { code?: unknown } | null)?.code));

/**
 * Runs `work`, a transaction or statement, and repeats it after a conflict with a concurrent change,
 * whose result the next run sees.
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
