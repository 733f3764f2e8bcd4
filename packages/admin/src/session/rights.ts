import { useAnswer } from '../api/queries.ts';
import type { Rights } from '../requests/reports.ts';
import { useIdentity } from './identity.ts';
import { useOrganizationId } from './organization.ts';

const all: Rights = { canCreate: true, canEdit: true, canOverwrite: true, isLimited: false };

/** Whether the person defines data, roles and access: an administrator or an operator. */
export function useIsAdministrator(): boolean {
  const { role } = useIdentity();
  return role === null || role === 1;
}

/** What the person may do with reports; `undefined` until it is known. */
export function useRights(): Rights | undefined {
  const organizationId = useOrganizationId();
  const isAdministrator = useIsAdministrator();
  const { data } = useAnswer('readRights', { organizationId }, { enabled: !isAdministrator });
  return isAdministrator ? all : data;
}
