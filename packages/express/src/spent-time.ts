import type { Response } from 'express';

// Time spent in portalCsp counts toward the deadline of portalEmbed.
const spentMs = new WeakMap<Response, number>();

/** Returns how much of the deadline earlier middleware has used, in milliseconds. */
export const readSpentMs = (res: Response): number => spentMs.get(res) ?? 0;

/** Adds the time of a `using` block to the time spent on a response. */
export function measureSpentMs(res: Response): Disposable {
  const startedAt = performance.now();
  return {
    [Symbol.dispose]() {
      spentMs.set(res, readSpentMs(res) + performance.now() - startedAt);
    },
  };
}
