import { refuse } from './refuse.ts';
import { limits } from './table.ts';

/**
 * Reports that one user may load at the same time, in all of their tabs. Limits what one user can
 * queue; the engine limits how much of it runs at once.
 */
const maxAtOnce = limits.viewsAtOnce.max;

/** Computes a report unless the user is loading too many. */
export type LimitViews = <Result>(
  user: { organizationId: string; userId: string },
  view: () => Promise<Result>,
) => Promise<Result>;

export function createViewLimit(): LimitViews {
  const running = new Map<string, number>();

  return async ({ organizationId, userId }, view) => {
    const key = `${organizationId} ${userId}`;
    const count = running.get(key) ?? 0;
    if (count >= maxAtOnce)
      throw refuse(limits.viewsAtOnce, `You are loading ${maxAtOnce} reports already.`, {
        advice: 'Try again when one of them has loaded.',
      });
    running.set(key, count + 1);
    try {
      return await view();
    } finally {
      const left = running.get(key)! - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}
