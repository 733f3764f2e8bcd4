const shapes: Readonly<Record<string, string>> = {
  kpi: 'M4 8h4v10M12 8h7v4h-6v6h7',
  line: 'M3 18l5-7 5 4 8-10',
  area: 'M3 18l5-7 5 4 8-9v15H3z',
  column: 'M5 20v-8M10 20V5M15 20v-6M20 20V9',
  bar: 'M4 5h14M4 10h9M4 15h16M4 20h6',
  scatter: 'M5 17h1M9 12h1M12 16h1M14 8h1M18 11h1M19 5h1',
  donut: 'M12 4a8 8 0 1 0 8 8M12 4v4M12 4a8 8 0 0 1 8 8h-4',
  table: 'M4 5h16v15H4zM4 10h16M4 15h16M10 5v15',
  pivot: 'M4 5h16v15H4zM4 10h16M10 5v15M13 15h4',
  text: 'M4 6h16M4 11h16M4 16h10',
};

/** A small drawing of a type of tile. */
export const TypeIcon = ({ type }: { type: unknown }) => (
  <svg
    className="type-icon"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    aria-hidden
  >
    <path d={(typeof type === 'string' ? shapes[type] : undefined) ?? 'M5 5h14v14H5z'} />
  </svg>
);
