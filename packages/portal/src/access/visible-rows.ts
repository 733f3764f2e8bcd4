import { rowPredicateSchema } from '@portal-embed/report-model';
import { z } from 'zod';

import type { RoleRows } from '#platform';

import type { Database } from '../db/connection/open.ts';
import { findRowAccess } from './visible-rows-store.ts';

/** What a user may see of a dataset. */
export interface VisibleRows {
  /** Version of the dataset to which the rows belong. */
  version: number;
  rowAccess: 'by-role' | 'everyone';
  /** Names of the user's roles. */
  roles: string[];
  /** The rows of any of these. */
  rows: RoleRows[];
  /** The user's stored address, whatever spelling a mint has; empty if the user does not exist. */
  email: string;
  /** Whether another user's address differs only in its sigmas. */
  hasEmailTwin: boolean;
  department: string;
  groups: string[];
  companies: string[];
}

/** A stored role whose rows are not known. Ignoring it could show a wrong number. */
export class UnreadableRoleError extends Error {
  override name = 'UnreadableRoleError';
}

const roleRowsSchema = z.union([z.literal('all'), rowPredicateSchema]);

/**
 * Returns which rows of a dataset a user may see: the union of their roles' rows. A dataset whose
 * `rowAccess` is `everyone` shows all rows to each reader, as long as it has no roles. Returns
 * `undefined` if the dataset was deleted.
 *
 * @throws `UnreadableRoleError` if the stored predicate of a role that the user holds is not valid
 */
export async function findVisibleRows(
  db: Database,
  reader: { organizationId: string; userId: string | null; datasetId: string },
): Promise<VisibleRows | undefined> {
  const access = await findRowAccess(db, reader);
  if (!access) return undefined;
  const { roles, ...rest } = access;
  if (rest.rowAccess === 'everyone' && roles.length === 0)
    return { ...rest, roles: [], rows: ['all'] };
  const held = roles.filter((role) => role.held);
  return {
    ...rest,
    rowAccess: 'by-role',
    roles: held.map(({ name }) => name),
    rows: held.map((role) => readRows(reader.datasetId, role)),
  };
}

function readRows(datasetId: string, { name, rows }: { name: string; rows: unknown }): RoleRows {
  const { data, error } = roleRowsSchema.safeParse(rows);
  if (data) return data;
  throw new UnreadableRoleError(
    `The stored role "${name}" of the dataset ${datasetId} has a predicate that this release cannot read.`,
    { cause: error },
  );
}
