import { useState } from 'react';

import { Folder } from './home/Folder.tsx';
import { groupByWorkspace, manyReports } from './home/group-by-workspace.ts';
import { useViewer } from './viewer-context.ts';

export function Sidebar({ open }: { open: (reportId: string | null) => void }) {
  const { reports, reportId, formats } = useViewer();
  const { formatMessage } = formats;
  const [expanded, setExpanded] = useState(false);

  const entry = (id: string | null, name: string) => (
    <button
      type="button"
      className="sidebar-entry"
      aria-current={id === reportId ? 'page' : undefined}
      onClick={() => {
        setExpanded(false);
        if (id !== reportId) open(id);
      }}
    >
      {name}
    </button>
  );

  return (
    <nav className="sidebar" aria-label={formatMessage('page.reports')}>
      <button
        type="button"
        className="sidebar-toggle"
        aria-expanded={expanded}
        aria-controls="sidebar-content"
        onClick={() => setExpanded(!expanded)}
      >
        {formatMessage('page.reports')}
      </button>
      <div id="sidebar-content" className="sidebar-content" data-expanded={expanded}>
        {entry(null, formatMessage('page.overview'))}
        {groupByWorkspace(reports).map(([workspace, members], index) => (
          <Folder
            key={workspace}
            name={workspace}
            titleId={`workspace-${index}`}
            className="sidebar-workspace"
            count={members.length}
            isOpen={reports.length <= manyReports || members.some(({ id }) => id === reportId)}
          >
            <ul aria-labelledby={`workspace-${index}`}>
              {members.map(({ id, name }) => (
                <li key={id}>{entry(id, name)}</li>
              ))}
            </ul>
          </Folder>
        ))}
      </div>
    </nav>
  );
}
