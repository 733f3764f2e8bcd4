import { useState } from 'react';

import { groupByWorkspace } from './group-by-workspace.ts';
import { useViewer } from './viewer-context.ts';

export function Sidebar({ open }: { open: (reportId: string | null) => void }) {
  const { session, reports, reportId } = useViewer();
  const [expanded, setExpanded] = useState(false);
  const isWhole = session.reportId === null;

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
    <nav className="sidebar" aria-label="Reports">
      <button
        type="button"
        className="sidebar-toggle"
        aria-expanded={expanded}
        aria-controls="sidebar-content"
        onClick={() => setExpanded(!expanded)}
      >
        Reports
      </button>
      <div id="sidebar-content" className="sidebar-content" data-expanded={expanded}>
        {isWhole && entry(null, 'Overview')}
        {groupByWorkspace(reports).map(([workspace, members], index) => (
          <div key={workspace}>
            <h2 id={`workspace-${index}`} className="sidebar-workspace">
              {workspace}
            </h2>
            <ul aria-labelledby={`workspace-${index}`}>
              {members.map(({ id, name }) => (
                <li key={id}>{entry(id, name)}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
