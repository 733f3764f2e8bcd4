import { useEffect, type RefObject } from 'react';

import { useFullHeight } from '../../full-view.tsx';

/** Height of what stands below the rows of a table: totals, pages and notes. */
const belowRows = 130;
const leastRows = 5;

interface FitRowsProps {
  table: RefObject<HTMLTableElement | null>;
  /** Called with the number of rows that the full view of the tile has room for. */
  onFit: (rows: number) => void;
}

/** Measures the full view of a table. */
export function FitRows({ table, onFit }: FitRowsProps) {
  const height = useFullHeight();
  useEffect(() => {
    const body = table.current?.tBodies[0];
    const tile = body?.closest('.tile');
    if (height === undefined || !tile || !body?.offsetHeight) return;
    const { top } = tile.getBoundingClientRect();
    const above = body.getBoundingClientRect().top - top + tile.scrollTop;
    const rowHeight = body.offsetHeight / body.rows.length;
    onFit(Math.max(leastRows, Math.floor((height - above - belowRows) / rowHeight)));
  }, [height, table, onFit]);
  return null;
}
