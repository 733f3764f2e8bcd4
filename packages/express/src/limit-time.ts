import type { Response } from 'express';

import { Refusal } from './refusal.ts';

/** A signal that fires when time is up, or when nobody waits for the answer any more. */
export function limitTime(res: Response, timeoutMs: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const leave = () => controller.abort();
  const timer = setTimeout(
    () => controller.abort(new DOMException('The portal took too long.', 'TimeoutError')),
    timeoutMs,
  );
  if (res.destroyed) leave();
  res.once('close', leave);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      res.off('close', leave);
    },
  };
}

/** Waits for work no longer than the signal allows, and leaves the work to itself then. */
export function beforeDeadline<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Refusal('portal_timeout', { cause: signal.reason }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
