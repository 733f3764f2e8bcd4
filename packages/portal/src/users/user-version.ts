import { sha256 } from '../secrets.ts';
import { presentUser } from './presenter.ts';
import type { UserRow } from './user-columns.ts';

/** Changes whenever a field of the user's form does. */
export function versionOf(row: UserRow): string {
  const { reports: _, groups: __, ...fields } = presentUser(row);
  return sha256(JSON.stringify(fields)).toString('base64url');
}
