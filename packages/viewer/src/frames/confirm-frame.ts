import { ServiceError } from 'page-kit/service-error';

import type { Viewer } from '../create-viewer.ts';
import { readHeld } from './held.ts';

/** Failures that end without a change by the reader or an administrator. */
const temporary: ReadonlySet<string> = new Set([
  'unreachable',
  'overloaded',
  'rate_limited',
  'database_unavailable',
]);

const isTemporary = (error: unknown) => error instanceof ServiceError && temporary.has(error.code);

/**
 * Confirms that the reader may still see the frame, and renews its token. Returns whether the portal has
 * answered. A temporary failure is not shown while the token is valid.
 *
 * @param deadline when no answer counts as a failure
 */
export async function confirmFrame(
  { getState, frameParts }: Pick<Viewer, 'getState' | 'frameParts'>,
  deadline: AbortSignal,
): Promise<boolean> {
  const { view, reportId, loading } = getState();
  if (loading || view?.kind !== 'frame') return false;
  const { beginRequest, viewReport, showAnswer, fail } = frameParts;
  const signal = beginRequest();
  try {
    const request = { intent: 'refresh', held: readHeld(view) } as const;
    const answer = await viewReport(reportId!, request, AbortSignal.any([signal, deadline]));
    if (!signal.aborted) showAnswer(answer);
    return true;
  } catch (error) {
    const isShown = isTemporary(error) && readHeld(view)!.secondsLeft > 0;
    if (!signal.aborted && !isShown) fail(error);
    return false;
  }
}
