import type { Selectable } from 'kysely';

import type { ColumnMap, FieldValues } from '../db/query/column-map.ts';
import type { Schema } from '../db/schema.ts';

/** A user with the ids of their reports, groups and companies. */
export type UserRow = Selectable<Schema['users']> & {
  reports: string[];
  groups: string[];
  companies: string[];
};

/** The fields of a user. */
export const userColumns = {
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  reports: 'reports',
  companies: 'companies',
  groups: 'groups',
  /** Id of the report with which the whole portal opens, if the user may open it. */
  reportLandingPage: 'report_landing_page',
  department: 'department',
  /** When the user's access and open sessions expire; `null` for never. */
  expirationDate: 'expiration_date',
  directoryAdUser: 'directory_ad_user',
  canEditReport: 'can_edit_report',
  canCreateReport: 'can_create_report',
  canOverwriteReport: 'can_overwrite_report',
} as const satisfies ColumnMap<UserRow>;

/** Fields of a user that can change. Those that are not given stay. */
export type UserValues = Omit<
  FieldValues<UserRow, typeof userColumns>,
  'id' | 'email' | 'reports' | 'companies' | 'groups' | 'directoryAdUser'
>;

const { id, email, name, role, department, expirationDate } = userColumns;

/** The fields of a user in lists of the administration. */
export const personColumns = { id, email, name, role, department, expirationDate };
