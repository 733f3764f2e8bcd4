import { useViewer } from './viewer-context.ts';

/** What went wrong and what to do; offers another try where one can help. */
export function Problem() {
  const { viewer, problem, loading, view, filters, viewedFilters } = useViewer();
  if (!problem) return null;
  const isFinal = ['report_not_accessible', 'filters_not_applied'].includes(problem.code);
  // Messages say what happened, and then what to do.
  const [, title, advice] = /^(.*?)(?:\. (.*)|\.?)$/s.exec(problem.message)!;
  return (
    <div className="problem" role="alert">
      <div>
        <h2 className="problem-title">{title}</h2>
        <p>
          {advice}
          {view &&
            (filters === viewedFilters
              ? ' What you see is from before.'
              : ' What you see is from before: the filters asked for since are not applied.')}
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
