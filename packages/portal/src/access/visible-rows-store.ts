import { sql, type RawBuilder } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';

/**
 * What decides which rows of a dataset a user sees, in a fixed order, so that two results can be
 * compared.
 */
export interface RowAccess {
  /** Version of the dataset to which the roles belong. */
  version: number;
  rowAccess: 'by-role' | 'everyone';
  /** The dataset's roles in the shape of its platform, each with whether the user has it. */
  roles: { name: string; definition: unknown; held: boolean }[];
  /** `null` if nobody has the id. */
  reader: {
    /** The stored address. */
    email: string;
    /** Whether another user's address differs only in its sigmas. */
    hasEmailTwin: boolean;
    department: string;
  } | null;
  /** Names of the user's groups and companies. */
  groups: string[];
  companies: string[];
}

/** Selects the columns of `RowAccess` for a user, in a statement with the table `datasets`. */
export const selectRowAccess = (userId: RawBuilder<string | null>) => sql`
  datasets.version, datasets.row_access AS "rowAccess",
  (
    SELECT coalesce(json_agg(json_build_object(
      'name', role.name, 'definition', predicate, 'held', EXISTS (
        SELECT FROM held_rls_roles AS held
        WHERE held.organization_id = role.organization_id AND role_id = role.id
          AND user_id = ${userId}
      )) ORDER BY role.name COLLATE "C"), '[]')
    FROM rls_roles AS role
    WHERE role.organization_id = datasets.organization_id AND role.dataset_id = datasets.id
  ) AS roles,
  (
    SELECT json_build_object('email', email, 'department', department, 'hasEmailTwin',
      email_key ~ '[σς]' AND EXISTS (
        SELECT FROM users AS twin
        WHERE twin.organization_id = users.organization_id AND twin.id <> users.id
          AND twin.email_key ~ '[σς]'
          AND replace(twin.email_key, 'ς', 'σ') = replace(users.email_key, 'ς', 'σ')
      ))
    FROM users WHERE users.organization_id = datasets.organization_id AND users.id = ${userId}
  ) AS reader,
  ARRAY(
    SELECT companies.name FROM company_users AS link
    JOIN companies ON companies.organization_id = link.organization_id
      AND companies.id = link.company_id
    WHERE link.organization_id = datasets.organization_id AND link.user_id = ${userId}
    ORDER BY companies.name COLLATE "C"
  ) AS companies,
  ARRAY(
    SELECT groups.name FROM group_members AS member
    JOIN groups ON groups.organization_id = member.organization_id
      AND groups.id = member.group_id
    WHERE member.organization_id = datasets.organization_id AND member.user_id = ${userId}
    ORDER BY groups.name COLLATE "C"
  ) AS groups`;

interface DatasetReader {
  organizationId: string;
  userId: string | null;
  datasetId: string;
}

const runFindRowAccess = prepareStatement<DatasetReader, RowAccess>(
  'find_row_access',
  (value) => sql<RowAccess>`
    SELECT ${selectRowAccess(value('userId'))} FROM datasets
    WHERE organization_id = ${value('organizationId')} AND id = ${value('datasetId')}`,
);

/** Returns `undefined` if the dataset does not exist. */
export const findRowAccess = async (
  db: Database,
  reader: DatasetReader,
): Promise<RowAccess | undefined> => (await runFindRowAccess(db, reader))[0];
