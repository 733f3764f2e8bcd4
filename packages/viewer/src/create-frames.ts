import { ServiceError } from 'page-kit/service-error';

import { readHeld } from './frames/held.ts';
import type { FrameAbilities, ShownFrame } from './frames/shown-frame.ts';
import type { ViewAnswer } from './requests/viewer.ts';
import type { PortalApi } from './session/portal-api.ts';
import { maxFrameViewLength } from './view-text.ts';
import type { ViewerState } from './viewer-state.ts';

/**
 * Why a frame shows no report, as the reason of a `report_failed`. `isolated`: the page around the
 * portal requires isolated frames, and this browser cannot isolate that of another product.
 */
export type FrameFailure = 'frame_failed' | 'frame_timeout' | 'isolated';

/** Nothing of a report. */
export const emptyPage = { view: null, frame: null, viewedAt: null };

/** Failures that pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  'unreachable',
  'overloaded',
  'rate_limited',
  'database_unavailable',
]);

const isPassing = (error: unknown) => error instanceof ServiceError && passing.has(error.code);

interface FramesParts {
  getState: () => ViewerState;
  change: (part: Partial<ViewerState>) => void;
  fail: (error: unknown) => void;
  /** Aborts the request in flight. */
  beginRequest: () => AbortSignal;
  settleAnswer: (answer: ViewAnswer) => void;
  viewReport: PortalApi['viewReport'];
  /** Tells the host that the reader has changed the view. */
  noteView: () => void;
}

/** The frame of another product that the page shows. Its code loads with the first one. */
export function createFrames({ getState, change, fail, ...parts }: FramesParts) {
  let shown: ShownFrame | undefined;

  return {
    /** Shows another frame, which has not drawn its report yet. Returns a function that forgets it. */
    attach(next: ShownFrame) {
      shown = next;
      change({ frame: null });
      return () => {
        if (shown === next) shown = undefined;
      };
    },
    /** Has the product save a file or print. */
    take: (...copy: Parameters<ShownFrame['take']>) => shown?.take(...copy),
    /**
     * Confirms that the reader may still see the frame, and renews its token. Returns whether the portal
     * has answered. A passing failure is not shown while the token admits the reader.
     *
     * @param deadline when no answer counts as a failure
     */
    async confirm(deadline: AbortSignal): Promise<boolean> {
      const { view, reportId, loading } = getState();
      if (loading || view?.kind !== 'frame') return false;
      const signal = parts.beginRequest();
      const request = { intent: 'refresh', held: readHeld(view) } as const;
      try {
        const either = AbortSignal.any([signal, deadline]);
        const answer = await parts.viewReport(reportId!, request, either);
        if (!signal.aborted) parts.settleAnswer(answer);
        return true;
      } catch (error) {
        const isShown = isPassing(error) && readHeld(view)!.secondsLeft > 0;
        if (!signal.aborted && !isShown) fail(error);
        return false;
      }
    },
    /** Whether a problem ends the frame: a decision at once, a failure with the token. */
    isOver: ({ reason }: ServiceError) =>
      reason === 'not_set_up' || (readHeld(getState().view)?.secondsLeft ?? 1) <= 0,
    noteDrawn: (abilities: FrameAbilities) => change({ frame: abilities }),
    /** The reader has changed page or filters inside the frame. */
    noteView(text: string) {
      const frameView = text.length <= maxFrameViewLength ? text : '';
      if (frameView === getState().frameView) return;
      change({ frameView });
      parts.noteView();
    },
    /** The frame cannot show its report. */
    fail(reason: FrameFailure) {
      // A confirmation would remove the problem.
      parts.beginRequest();
      change(emptyPage);
      fail(new ServiceError('report_failed', { reason }));
    },
  };
}
