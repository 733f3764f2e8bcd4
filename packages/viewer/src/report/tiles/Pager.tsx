import { useViewer } from '../../viewer-context.ts';

interface PagerProps {
  title: string;
  /** The rows that are shown, counted from 1. */
  first: number;
  last: number;
  total: number;
  /** Number of rows with those beyond the limit of the tile. Default: `total`. */
  all?: number | undefined;
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

export function Pager({
  title,
  first,
  last,
  total,
  all = total,
  page,
  pages,
  onChange,
}: PagerProps) {
  const { formatMessage } = useViewer().formats;
  return (
    <nav className="pager" aria-label={formatMessage('pager.label', { title })}>
      <span aria-live="polite">
        {all > total
          ? formatMessage('pager.range_of_all', { first, last, shown: total, total: all })
          : formatMessage('pager.range', { first, last, total })}
      </span>
      <button
        type="button"
        className="button"
        disabled={page === 0}
        onClick={() => onChange(page - 1)}
      >
        {formatMessage('pager.previous')}
      </button>
      <button
        type="button"
        className="button"
        disabled={page === pages - 1}
        onClick={() => onChange(page + 1)}
      >
        {formatMessage('pager.next')}
      </button>
    </nav>
  );
}
