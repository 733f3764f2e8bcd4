import type { FrameView, ReportView, ViewAnswer, ViewRequest } from '../requests/viewer.ts';

/** Longest text that a platform keeps of a reader's choices in its frame, in characters. */
export const maxFrameViewLength = 4_000;

/** No answer about a shown frame within this time, in milliseconds, counts as a failure. */
export const answerTimeoutMs = 10_000;

/** The shown frame, for a request that confirms or renews it; `undefined` for other reports. */
export function readHeld(view: ReportView | null): ViewRequest['held'] {
  if (view?.kind !== 'frame') return undefined;
  const secondsLeft = Math.floor((Date.parse(view.expiresAt) - Date.now()) / 1000);
  return { key: view.key, secondsLeft };
}

/**
 * Limits the time of a request about a shown frame, because nothing confirms the frame until it has an
 * answer.
 */
export const limitAnswer = (held: ViewRequest['held'], signal: AbortSignal): AbortSignal =>
  held ? AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]) : signal;

/** The view with the end of its token by the clock of this browser. */
export const toLocalClock = (view: ReportView): ReportView =>
  view.kind === 'frame'
    ? { ...view, expiresAt: new Date(Date.now() + view.secondsLeft * 1000).toISOString() }
    : view;

/** The view with a token that has ended. */
export const toExpired = (view: FrameView): FrameView => ({
  ...view,
  expiresAt: new Date().toISOString(),
});

/** Whether the answer keeps or renews the shown frame. */
export function isSameFrame(shown: ReportView | null, answer: ViewAnswer): boolean {
  if (shown?.kind !== 'frame') return false;
  if (answer.kind === 'kept') return true;
  const isSameReport = answer.kind === 'frame' && answer.report.id === shown.report.id;
  return isSameReport && answer.key === shown.key;
}
