import type { Response } from 'express';

import { Refusal } from './refusal.ts';

interface TimeLimit extends Disposable {
  signal: AbortSignal;
}

/** A signal that fires when time is up. */
export function limitTime(
  timeoutMs: number,
  message = 'The portal took too long.',
): TimeLimit & { abort: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException(message, 'TimeoutError')),
    timeoutMs,
  );
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

// A visit that portalCsp has held up is not held up as long once more.
const spentMs = new WeakMap<Response, number>();

/**
 * A signal that fires when time is up, or when nobody waits for the answer any more. What earlier
 * limits of the same answer took counts.
 */
export function limitVisit(res: Response, timeoutMs: number): TimeLimit {
  const startedAt = performance.now();
  const spent = spentMs.get(res) ?? 0;
  const time = limitTime(Math.max(0, timeoutMs - spent));
  if (res.destroyed) time.abort();
  res.once('close', time.abort);
  return {
    signal: time.signal,
    [Symbol.dispose]() {
      time[Symbol.dispose]();
      res.off('close', time.abort);
      spentMs.set(res, spent + performance.now() - startedAt);
    },
  };
}

/**
 * Waits for work no longer than the signal allows, and leaves the work to itself then.
 *
 * @param what names the work for the log; default: what the signal says
 */
export function beforeDeadline<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  what?: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      const late =
        what && new DOMException(`Time was up while waiting for ${what}.`, 'TimeoutError');
      reject(new Refusal('portal_timeout', { cause: late ?? signal.reason }));
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
