import { useViewer } from '../../viewer-context.ts';

interface TableToggleProps {
  title: string;
  isTable: boolean;
  onToggle: () => void;
}

/** Switches between a drawing and the table of its values. */
export function TableToggle({ title, isTable, onToggle }: TableToggleProps) {
  const { formatMessage } = useViewer().formats;
  return (
    <button
      type="button"
      className="tile-toggle"
      aria-pressed={isTable}
      aria-label={formatMessage('tile.show_table', { title })}
      onClick={onToggle}
    >
      {formatMessage('tile.table')}
    </button>
  );
}
