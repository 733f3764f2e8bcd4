import { useId, useMemo, useState } from 'react';

import { Problem } from '../Problem.tsx';
import type { ReportSummary } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { findReports } from './find-reports.ts';
import { Folder } from './Folder.tsx';
import { groupByWorkspace, manyReports } from './group-by-workspace.ts';
import { ReportCards } from './ReportCards.tsx';

/** With this number of reports or fewer, those opened last are not listed separately. */
const fewReports = 3;

/** The reports of this user as cards: favorites, then those opened last, then all by workspace. */
export function Overview({ open }: { open: (reportId: string) => void }) {
  const { reports, favorites, recent, problem, loading, formats } = useViewer();
  const { formatMessage } = formats;
  const [query, setQuery] = useState('');
  const titleId = useId();
  const found = useMemo(() => findReports(reports, query), [reports, query]);
  const isSearching = query.trim() !== '';
  const list = (ids: readonly string[]) =>
    ids.flatMap((id) => reports.find((report) => report.id === id) ?? []);
  const shortLists = isSearching
    ? []
    : [
        { name: formatMessage('home.favorites'), members: list(favorites) },
        {
          name: formatMessage('home.recent'),
          members: reports.length > fewReports ? list(recent) : [],
        },
      ].filter(({ members }) => members.length > 0);

  return (
    <div className="overview" aria-busy={loading}>
      <div className="overview-header">
        <h1 className="overview-title">{formatMessage('page.reports')}</h1>
        {reports.length > 1 && (
          <input
            type="search"
            className="search"
            aria-label={formatMessage('home.search')}
            placeholder={formatMessage('home.search')}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        )}
      </div>
      {problem && <Problem />}
      <p className="visually-hidden" aria-live="polite">
        {isSearching && formatMessage('home.found', { count: found.length })}
      </p>
      {reports.length === 0 && (
        <div className="empty">
          <h2>{formatMessage('overview.empty.title')}</h2>
          <p>{formatMessage('overview.empty.text')}</p>
        </div>
      )}
      {reports.length > 0 && found.length === 0 && (
        <div className="empty">
          <h2>{formatMessage('home.none.title')}</h2>
          <p>{formatMessage('home.none.text', { query })}</p>
        </div>
      )}
      {shortLists.map(({ name, members }, index) => (
        <section key={name} aria-labelledby={`${titleId}-list-${index}`}>
          <h2 id={`${titleId}-list-${index}`} className="overview-workspace">
            {name}
          </h2>
          <ReportCards
            reports={members}
            titleId={`${titleId}-list-${index}`}
            hasWorkspaces
            open={open}
          />
        </section>
      ))}
      <Workspaces key={String(isSearching)} reports={found} isOpen={isSearching} open={open} />
    </div>
  );
}

interface WorkspacesProps {
  reports: ReportSummary[];
  /** Whether all of them are open, even if there are many. */
  isOpen: boolean;
  open: (reportId: string) => void;
}

function Workspaces({ reports, isOpen, open }: WorkspacesProps) {
  const titleId = useId();
  return groupByWorkspace(reports).map(([workspace, members], index) => (
    <Folder
      key={workspace}
      name={workspace}
      titleId={`${titleId}-${index}`}
      className="overview-workspace"
      count={members.length}
      isOpen={isOpen || reports.length <= manyReports}
    >
      <ReportCards reports={members} titleId={`${titleId}-${index}`} open={open} />
    </Folder>
  ));
}
