import type { Rows } from '#platform';

import type { Database } from '../db/connection/open.ts';
import { findRowAccess, type RowAccess } from './visible-rows-store.ts';

/** What a user may see of a dataset, and what is known about the user. */
export interface VisibleRows
  extends Pick<RowAccess, 'version' | 'groups' | 'companies'>, NonNullable<RowAccess['reader']> {
  rows: Rows;
}

/** Returns which rows of a dataset a user may see; `undefined` if the dataset was deleted. */
export async function findVisibleRows(
  db: Database,
  reader: { organizationId: string; userId: string | null; datasetId: string },
): Promise<VisibleRows | undefined> {
  const access = await findRowAccess(db, reader);
  return access && toVisibleRows(access);
}

/** The reader whose id nobody has: the user was deleted, or nobody reads. */
const nobody = { email: '', hasEmailTwin: false, department: '' };

/**
 * Returns the union of the rows of the user's roles. A dataset whose `rowAccess` is `everyone` shows all
 * rows to each reader, as long as it has no roles.
 */
export function toVisibleRows({
  version,
  rowAccess,
  roles,
  reader,
  groups,
  companies,
}: RowAccess): VisibleRows {
  const held = roles.filter((role) => role.held);
  return {
    ...(reader ?? nobody),
    version,
    groups,
    companies,
    rows:
      rowAccess === 'everyone' && roles.length === 0
        ? { access: 'everyone' }
        : {
            access: 'by-role',
            roles: held.map(({ name, definition }) => ({ name, definition })),
          },
  };
}
