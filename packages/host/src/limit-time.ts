import { Refusal } from './refusal.ts';

interface TimeLimit extends Disposable {
  signal: AbortSignal;
}

/**
 * Creates a signal that fires when time is up, or together with `closed`.
 *
 * @param message why, for the log
 */
export function limitTime(
  timeoutMs: number,
  {
    closed,
    message = 'The portal took too long.',
  }: { closed?: AbortSignal; message?: string } = {},
): TimeLimit {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(
    () => controller.abort(new DOMException(message, 'TimeoutError')),
    timeoutMs,
  );
  if (closed?.aborted) abort();
  closed?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      closed?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Waits for work until the signal fires. The work itself goes on.
 *
 * @param what names the work for the log; default: the signal's reason
 * @throws Refusal `portal_timeout` when the signal fires
 */
export function beforeDeadline<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  what?: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      const late =
        what && new DOMException(`Time was up while waiting for ${what}.`, 'TimeoutError');
      reject(new Refusal('portal_timeout', { cause: late ?? signal.reason }));
    };
    if (signal.aborted) stopWaiting();
    signal.addEventListener('abort', stopWaiting, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopWaiting));
  });
}
