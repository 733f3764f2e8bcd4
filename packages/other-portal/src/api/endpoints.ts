import type { Answer } from '../answer.ts';
import { listAudit } from './audit.ts';
import { mintUrl } from './identity.ts';
import { listReports } from './reports.ts';
import type { ApiRequest } from './request.ts';
import { linkGroups, linkUsers, listRoles, unlinkGroups, unlinkUsers } from './rls.ts';
import { createUser, linkReports, listUsers, removeUser, unlinkReports } from './users.ts';

/** What a key may do. This portal splits its API by subject, not by reading and writing. */
export const permissions = ['Directory', 'Catalogue', 'Security', 'Journal', 'Embedding'] as const;
export type Permission = (typeof permissions)[number];

export interface Endpoint {
  permission: Permission;
  handle: (request: ApiRequest) => Answer;
}

/** The endpoints by method and path. `*` stands for the path parameter. */
export const endpoints: Record<string, Endpoint> = {
  'GET /api/user': { permission: 'Directory', handle: listUsers },
  'POST /api/user': { permission: 'Directory', handle: createUser },
  'DELETE /api/user/*': { permission: 'Directory', handle: removeUser },
  'PUT /api/user/link-reports': { permission: 'Catalogue', handle: linkReports },
  'PUT /api/user/unlink-reports': { permission: 'Catalogue', handle: unlinkReports },
  'GET /api/report': { permission: 'Catalogue', handle: listReports },
  'GET /api/datasets/rls': { permission: 'Security', handle: listRoles },
  'PUT /api/datasets/rls/link-users': { permission: 'Security', handle: linkUsers },
  'PUT /api/datasets/rls/link-groups': { permission: 'Security', handle: linkGroups },
  'PUT /api/datasets/rls/unlink-users': { permission: 'Security', handle: unlinkUsers },
  'PUT /api/datasets/rls/unlink-groups': { permission: 'Security', handle: unlinkGroups },
  'GET /api/report-audit': { permission: 'Journal', handle: listAudit },
  'POST /api/identity/url': { permission: 'Embedding', handle: mintUrl },
};
