import { groupByWorkspace } from './group-by-workspace.ts';
import { Problem } from './Problem.tsx';
import { useViewer } from './viewer-context.ts';

/** All reports of this user as cards. */
export function Overview({ open }: { open: (reportId: string) => void }) {
  const { reports, problem, formats } = useViewer();
  const { formatMessage } = formats;
  return (
    <div className="overview">
      <h1 className="overview-title">{formatMessage('page.reports')}</h1>
      {problem && <Problem />}
      {reports.length === 0 && (
        <div className="empty">
          <h2>{formatMessage('overview.empty.title')}</h2>
          <p>{formatMessage('overview.empty.text')}</p>
        </div>
      )}
      {groupByWorkspace(reports).map(([workspace, members], index) => (
        <div key={workspace}>
          <h2 id={`cards-${index}`} className="overview-workspace">
            {workspace}
          </h2>
          <ul className="cards" aria-labelledby={`cards-${index}`}>
            {members.map(({ id, name, description }) => (
              <li key={id}>
                <button type="button" className="card" onClick={() => open(id)}>
                  <span className="card-name">{name}</span>
                  {description && <span className="card-description">{description}</span>}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
