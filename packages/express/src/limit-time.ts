import type { Response } from 'express';

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
