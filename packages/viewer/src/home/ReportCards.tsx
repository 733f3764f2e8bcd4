import type { ReportSummary } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

interface ReportCardsProps {
  reports: readonly ReportSummary[];
  /** Id of the heading. */
  titleId: string;
  /** Whether each card names its workspace. Default: no. */
  hasWorkspaces?: boolean;
  open: (reportId: string) => void;
}

/** Reports as cards, each with a button that marks it. */
export function ReportCards({ reports, titleId, hasWorkspaces = false, open }: ReportCardsProps) {
  const { viewer, favorites, formats, viewedBy } = useViewer();
  return (
    <ul className="cards" aria-labelledby={titleId}>
      {reports.map(({ id, name, description, workspaceName }) => {
        const label = formats.formatMessage('home.favorite', { report: name });
        return (
          <li key={id}>
            <button type="button" className="card" onClick={() => open(id)}>
              <span className="card-name">{name}</span>
              {hasWorkspaces && <span className="card-workspace">{workspaceName}</span>}
              {description && <span className="card-description">{description}</span>}
            </button>
            {viewedBy === null && (
              <button
                type="button"
                className="star"
                aria-pressed={favorites.includes(id)}
                aria-label={label}
                title={label}
                onClick={() => void viewer.toggleFavorite(id)}
              >
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="m12 3 2.8 5.7 6.2.9-4.5 4.4 1.1 6.2-5.6-2.9-5.6 2.9 1.1-6.2L3 9.6l6.2-.9z" />
                </svg>
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
