import type { Rows } from '#platform';

import type { Database } from '../db/connection/open.ts';
import { findRowAccess, type RowAccess } from './visible-rows-store.ts';

/** What a user may see of a dataset, and what is known about the user. */
export interface VisibleRows extends Omit<RowAccess, 'rowAccess' | 'roles'> {
  rows: Rows;
}

/**
 * Returns which rows of a dataset a user may see: the union of their roles' rows. A dataset whose
 * `rowAccess` is `everyone` shows all rows to each reader, as long as it has no roles. Returns
 * `undefined` if the dataset was deleted.
 */
export async function findVisibleRows(
  db: Database,
  reader: { organizationId: string; userId: string | null; datasetId: string },
): Promise<VisibleRows | undefined> {
  const access = await findRowAccess(db, reader);
  if (!access) return undefined;
  const { rowAccess, roles, ...rest } = access;
  if (rowAccess === 'everyone' && roles.length === 0)
    return { ...rest, rows: { access: 'everyone' } };
  const held = roles.filter((role) => role.held);
  return {
    ...rest,
    rows: {
      access: 'by-role',
      roles: held.map(({ name, definition }) => ({ name, definition })),
    },
  };
}
