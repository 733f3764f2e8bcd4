import { ServiceError } from 'page-kit/service-error';

import type { Viewer } from '../create-viewer.ts';
import { readHeld } from './held.ts';

/** Failures that pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  'unreachable',
  'overloaded',
  'rate_limited',
  'database_unavailable',
]);

const isPassing = (error: unknown) => error instanceof ServiceError && passing.has(error.code);

/**
 * Confirms that the reader may still see the frame, and renews its token. Returns whether the portal has
 * answered. A passing failure is not shown while the token admits the reader.
 *
 * @param deadline when no answer counts as a failure
 */
export async function confirmFrame(
  { getState, frameParts }: Pick<Viewer, 'getState' | 'frameParts'>,
  deadline: AbortSignal,
): Promise<boolean> {
  const { view, reportId, loading } = getState();
  if (loading || view?.kind !== 'frame') return false;
  const { beginRequest, viewReport, settleAnswer, fail } = frameParts;
  const signal = beginRequest();
  try {
    const request = { intent: 'refresh', held: readHeld(view) } as const;
    const answer = await viewReport(reportId!, request, AbortSignal.any([signal, deadline]));
    if (!signal.aborted) settleAnswer(answer);
    return true;
  } catch (error) {
    const isShown = isPassing(error) && readHeld(view)!.secondsLeft > 0;
    if (!signal.aborted && !isShown) fail(error);
    return false;
  }
}
