import { endpoints } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { listQuery, search, type AdminList, type Named } from './lists.ts';

export interface ListedGroup extends Named {
  members: number;
  reports: number;
}

export interface GroupDetails extends Named {
  reports: (Named & { workspaceName: string })[];
  roles: NamedRole[];
}

export interface NamedRole extends Named {
  datasetName: string;
}

const groups = '/organizations/{organizationId}/groups';
const group = `${groups}/{groupId}` as const;
const { name } = endpoints.createUser.body.shape;

/** A change of a name, and the name on which it is based. */
export const renaming = z.strictObject({ name, baseName: name });

export const groupEndpoints = {
  listGroups: {
    method: 'GET',
    path: groups,
    access: 'administrator',
    query: z.strictObject(listQuery),
  },
  createGroup: {
    method: 'POST',
    path: groups,
    access: 'administrator',
    body: z.strictObject({ name }),
  },
  readGroup: { method: 'GET', path: group, access: 'administrator' },
  renameGroup: { method: 'PUT', path: group, access: 'administrator', body: renaming },
  deleteGroup: { method: 'DELETE', path: group, access: 'administrator' },
  addGroupMember: { method: 'PUT', path: `${group}/members/{userId}`, access: 'administrator' },
  removeGroupMember: {
    method: 'DELETE',
    path: `${group}/members/{userId}`,
    access: 'administrator',
  },
  linkGroupReport: { method: 'PUT', path: `${group}/reports/{reportId}`, access: 'administrator' },
  unlinkGroupReport: {
    method: 'DELETE',
    path: `${group}/reports/{reportId}`,
    access: 'administrator',
  },
  linkGroupRole: { method: 'PUT', path: `${group}/roles/{roleId}`, access: 'administrator' },
  unlinkGroupRole: { method: 'DELETE', path: `${group}/roles/{roleId}`, access: 'administrator' },
  /** The first reports and roles that can be linked. */
  searchReports: {
    method: 'GET',
    path: '/organizations/{organizationId}/choices/reports',
    access: 'administrator',
    query: z.strictObject({ search }),
  },
  searchRoles: {
    method: 'GET',
    path: '/organizations/{organizationId}/choices/roles',
    access: 'administrator',
    query: z.strictObject({ search }),
  },
} as const satisfies Record<string, AdminEndpoint>;

export interface GroupAnswers {
  listGroups: AdminList<ListedGroup>;
  createGroup: { id: string };
  readGroup: GroupDetails;
  renameGroup: object;
  deleteGroup: object;
  addGroupMember: object;
  removeGroupMember: object;
  linkGroupReport: object;
  unlinkGroupReport: object;
  linkGroupRole: object;
  unlinkGroupRole: object;
  searchReports: { items: (Named & { workspaceName: string })[] };
  searchRoles: { items: NamedRole[] };
}
