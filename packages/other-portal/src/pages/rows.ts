import type { Dataset, Grant, PortalState, Row, User } from '../state.ts';

/** The rows of a dataset a user sees. A user without a role of the dataset sees none. */
export function visibleRows(state: PortalState, dataset: Dataset, user: User): Row[] {
  const roles = state.roles.filter(
    (role) =>
      role.datasetId === dataset.id &&
      (role.users.has(user.id) || [...user.groups].some((id) => role.groups.has(id))),
  );
  return dataset.rows.filter((row) =>
    roles.some(({ column, values }) => values.includes(String(row[column]))),
  );
}

/**
 * A filter's key is a column and its value a value of it. Two filters of one column widen each
 * other; a key that is no column is ignored and named on the page.
 */
export function applyFilters(
  rows: Row[],
  columns: string[],
  filters: Grant['filters'],
): { rows: Row[]; ignored: string[] } {
  const wanted = new Map<string, string[]>();
  for (const { key, value } of filters) wanted.set(key, [...(wanted.get(key) ?? []), value]);
  return {
    rows: rows.filter((row) =>
      [...wanted].every(
        ([column, values]) => !columns.includes(column) || values.includes(String(row[column])),
      ),
    ),
    ignored: [...wanted.keys()].filter((column) => !columns.includes(column)),
  };
}
