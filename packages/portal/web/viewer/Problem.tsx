import { useViewer } from './viewer-context.ts';

/** What went wrong and what to do, with a retry button where a retry can help. */
export function Problem() {
  const { viewer, problem, loading, view, pageIndex } = useViewer();
  if (!problem) return null;
  const isFinal = ['report_not_accessible', 'filters_not_applied'].includes(problem.code);
  return (
    <div className="problem" role="alert">
      <div>
        <h2 className="problem-title">{problem.message}</h2>
        <p>
          {problem.advice}
          {view?.page.index === pageIndex && ' What you see is from before.'}
        </p>
        {problem.requestId && <p className="problem-request">Request {problem.requestId}</p>}
      </div>
      {!isFinal && (
        <button type="button" className="button" disabled={loading} onClick={viewer.refresh}>
          Try again
        </button>
      )}
    </div>
  );
}
