import { useViewer } from './viewer-context.ts';

const titles: Partial<Record<string, string>> = {
  report_not_accessible: 'You may not open this report',
  report_failed: 'The report could not be computed',
  unreachable: 'The portal could not be reached',
};

/** What went wrong and what to do; offers another try where one can help. */
export function Problem() {
  const { viewer, problem, loading, view } = useViewer();
  if (!problem) return null;
  const isFinal = problem.code === 'report_not_accessible';
  return (
    <div className="problem" role="alert">
      <div>
        <h2 className="problem-title">{titles[problem.code] ?? 'Something went wrong'}</h2>
        <p>
          {problem.message}
          {view && ' What you see is from before.'}
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
