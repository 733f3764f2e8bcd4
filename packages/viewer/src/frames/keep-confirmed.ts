import type { Viewer } from '../create-viewer.ts';
import { confirmFrame } from './confirm-frame.ts';
import { answerTimeoutMs, readHeld, toExpired } from './held.ts';

/** Time between confirmations. Access that is withdrawn ends a visible frame within a minute. */
const intervalMs = 45_000;
/** Time until the next one if the portal has not answered. */
const retryMs = 10_000;
/** A token is renewed when it ends within this time. */
const renewBeforeSeconds = 120;

/**
 * Confirms that the reader may still see the shown frame, while the page is visible: another product's
 * frame works until its token ends, even if the portal has withdrawn access.
 *
 * @param signal ends the confirmations
 * @returns a function that renews a token which the product has refused before its time
 */
export function keepConfirmed(
  viewer: Pick<Viewer, 'frameParts' | 'getState'>,
  signal: AbortSignal,
): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let dueAt = 0;
  let askedAt = 0;

  const schedule = (delayMs: number) => {
    dueAt = Date.now() + delayMs;
    resume();
  };
  /** Waits again. In a hidden page, the next confirmation waits until it is visible. */
  const resume = () => {
    clearTimeout(timer);
    // The clock may have been set back.
    const delayMs = Math.min(dueAt - Date.now(), intervalMs);
    if (!document.hidden) timer = setTimeout(() => void confirm(), delayMs);
  };
  const confirm = async () => {
    askedAt = Date.now();
    dueAt = askedAt + answerTimeoutMs;
    const hasAnswered = await confirmFrame(viewer, AbortSignal.timeout(answerTimeoutMs));
    if (!signal.aborted) schedule(hasAnswered ? pause() : retryMs);
  };
  const pause = () => {
    const secondsLeft = readHeld(viewer.getState().view)?.secondsLeft ?? 0;
    return Math.min(Math.max((secondsLeft - renewBeforeSeconds) * 1000, retryMs), intervalMs);
  };

  schedule(pause());
  document.addEventListener('visibilitychange', resume, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));

  return () => {
    const { view } = viewer.getState();
    if (view?.kind !== 'frame') return;
    viewer.frameParts.change({ view: toExpired(view) });
    // A product that refuses each token must not use up the requests of its reader.
    schedule(Math.max(askedAt + retryMs - Date.now(), 0));
  };
}
