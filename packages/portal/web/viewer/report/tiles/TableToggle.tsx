interface TableToggleProps {
  title: string;
  isTable: boolean;
  onToggle: () => void;
}

/** Switches between a drawing and the table of its values. */
export const TableToggle = ({ title, isTable, onToggle }: TableToggleProps) => (
  <button
    type="button"
    className="tile-toggle"
    aria-pressed={isTable}
    aria-label={`Show ${title} as a table`}
    onClick={onToggle}
  >
    Table
  </button>
);
