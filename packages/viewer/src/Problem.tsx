import { describeProblem } from './describe-problem.ts';
import type { FrameFailure } from './frames/frame-failure.ts';
import { HomeLink } from './HomeLink.tsx';
import { pageIndexOf } from './page-index.ts';
import { useViewer } from './viewer-context.ts';

/** What went wrong and what to do, with a retry button where a retry can help. */
export function Problem() {
  const { viewer, problem, loading, view, pageIndex, formats } = useViewer();
  const { formatMessage } = formats;
  if (!problem) return null;
  const { title, advice } = describeProblem(problem, formats);
  const isFinal =
    ['report_not_accessible', 'filters_not_applied'].includes(problem.code) ||
    problem.reason === ('isolated' satisfies FrameFailure);
  return (
    <div className="problem" role="alert">
      <div>
        <h2 className="problem-title">{title}</h2>
        <p>{advice}</p>
        {pageIndexOf(view) === pageIndex && <p>{formatMessage('problem.stale')}</p>}
        {problem.requestId && (
          <p className="problem-request">
            {formatMessage('problem.request', { id: problem.requestId })}
          </p>
        )}
      </div>
      {isFinal ? (
        <HomeLink />
      ) : (
        <button type="button" className="button" disabled={loading} onClick={viewer.refresh}>
          {formatMessage('problem.retry')}
        </button>
      )}
    </div>
  );
}
