import type { ReactNode } from 'react';

import { useViewer } from '../viewer-context.ts';

interface NoRowsProps {
  isFiltered: boolean;
  /** What to do. Default: the advice for a reader. */
  children?: ReactNode;
}

/** Shown instead of tiles when no row remains. */
export function NoRows({ isFiltered, children }: NoRowsProps) {
  const { formatMessage } = useViewer().formats;
  return (
    <div className="empty">
      <h2>{formatMessage('report.no_rows.title')}</h2>
      {children || (
        <p>{formatMessage(isFiltered ? 'report.no_rows.filtered' : 'report.no_rows.unshared')}</p>
      )}
    </div>
  );
}
