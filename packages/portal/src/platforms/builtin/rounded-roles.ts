import {
  listRoundedFields,
  type FlatPredicate,
  type ResolvedDataset,
  type RowPredicate,
} from '@portal-embed/report-model';

import type { RoleRows } from '../platform.ts';

type Fields = Pick<ResolvedDataset, 'fields'>;

/** Whether a role compares rounded numbers, so that it would show rows of other readers. */
export function hasRoundedFields(
  rows: RoleRows,
  { fields }: Fields,
  lookedUp: ReadonlyMap<string, Fields>,
): boolean {
  const typeOf = (field: string) => fields.get(field)?.type;
  if (!isNotFlat(rows)) return listColumns(rows).some((column) => typeOf(column) === 'number');
  const typeIn = (dataset: string, field: string) => lookedUp.get(dataset)?.fields.get(field)?.type;
  return listRoundedFields(rows, typeOf, typeIn).length > 0;
}

/** The columns that a role without a content file compares. */
function listColumns(rows: FlatPredicate): string[] {
  if ('all' in rows) return rows.all.flatMap(listColumns);
  return 'any' in rows ? rows.any.flatMap(listColumns) : [rows.column];
}

export const isNotFlat = (rows: RoleRows): rows is RowPredicate | 'all' =>
  rows === 'all' || !isFlat(rows);

const isFlat = (rows: RowPredicate | FlatPredicate): rows is FlatPredicate =>
  'column' in rows || 'all' in rows || 'any' in rows;
