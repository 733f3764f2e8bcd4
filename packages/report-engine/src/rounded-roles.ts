import { listRoundedFields, type ResolvedDataset } from '@portal-embed/report-model';

import type { RoleRows } from './request.ts';

type Fields = Pick<ResolvedDataset, 'fields'>;

/** Whether a role compares rounded numbers, so that it would show rows of other readers. */
export function hasRoundedFields(
  rows: RoleRows,
  { fields }: Fields,
  lookedUp: ReadonlyMap<string, Fields>,
): boolean {
  const typeIn = (dataset: string, field: string) => lookedUp.get(dataset)?.fields.get(field)?.type;
  return listRoundedFields(rows, (field) => fields.get(field)?.type, typeIn).length > 0;
}
