import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects or deselects one row. */
  toggle: (id: string) => void;
  /** Selects all rows of the page, or none. */
  toggleAll: () => void;
  clear: () => void;
  isAll: boolean;
}

/** The selected rows of a list. Rows that leave the page are no longer selected. */
export function useSelection(rows: readonly { id: string }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = new Set(rows.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  const isAll = rows.length > 0 && ids.size === rows.length;
  return {
    ids,
    toggle: (id) =>
      setChosen(new Set(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id])),
    toggleAll: () => setChosen(isAll ? new Set() : new Set(rows.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
    isAll,
  };
}
