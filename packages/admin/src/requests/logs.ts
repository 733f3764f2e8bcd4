import { storableText, type AuditEntry, type PagedList } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';

/** `userName` is the current name of the user; `null` if the user is deleted. */
export type AdminAccess = AuditEntry & { userName: string | null };

export interface AdminActivity {
  id: number;
  createdAt: string;
  /** `name` is `null` for a deleted key, and for `anonymous`. */
  actor: { kind: 'api-key' | 'user' | 'operator' | 'anonymous'; name: string | null };
  /** Name of the operation. */
  action: string;
  subject: string;
  /** Current name of the item with the id `subject`; `null` if there is none. */
  subjectName: string | null;
  details: unknown;
  /** Code of the error; `null` if the request succeeded. */
  refusal: string | null;
  /** Number of equal refusals in this entry; `lastAt` is the time of the latest. */
  count: number;
  lastAt: string;
}

/** Operations of the activity log that no request of the API or of the pages has. */
export const otherOperations = [
  'createOrganization',
  'deleteOrganization',
  'setOrigins',
  'setLogRetention',
  'setUnappliedFilters',
  'setHomeUrl',
  'setOidc',
  'removeOidc',
  'useEndedApiKey',
  'inviteAdministrator',
  'addGroupMembers',
  'removeGroupMembers',
  'linkGroupReports',
  'unlinkGroupReports',
  'grantConnection',
  'revokeConnection',
  'connectPlatform',
  'changePlatform',
  'disconnectPlatform',
  'declareRoles',
  'syncPlatform',
  'replaceData',
  'appendData',
  'pruneAudit',
  'pruneActivity',
] as const;

/** Entries of one day of the organization's time zone. */
export interface DayCount {
  /** `2026-01-31`. */
  day: string;
  count: number;
}

const moment = z.iso.datetime({ offset: true });

export const accessFilter = {
  /** A part of the name or e-mail of users, or a whole e-mail that a user had. */
  user: storableText(320).optional(),
  reportName: storableText(200).optional(),
  reportId: z.uuid().optional(),
  action: z.coerce.number().int().min(1).max(3).optional(),
  from: moment.optional(),
  to: moment.optional(),
};

const ofOrganization = '/organizations/{organizationId}';

export const logEndpoints = {
  listAccess: {
    method: 'GET',
    path: `${ofOrganization}/access-log`,
    access: 'administrator',
    query: z.strictObject({ ...accessFilter, page: z.coerce.number().int().min(1).default(1) }),
  },
  exportAccess: {
    method: 'GET',
    path: `${ofOrganization}/access-log/export`,
    access: 'administrator',
    isFile: true,
    query: z.strictObject(accessFilter),
  },
  /** Of the last 30 days. */
  countAccess: {
    method: 'GET',
    path: `${ofOrganization}/access-log/days`,
    access: 'administrator',
  },
  listActivity: {
    method: 'GET',
    path: `${ofOrganization}/activity-log`,
    access: 'administrator',
    query: z.strictObject({
      action: storableText(100).optional(),
      refused: z.stringbool().optional(),
      from: moment.optional(),
      to: moment.optional(),
      /** Only entries older than this one. */
      beforeId: z.coerce.number().int().optional(),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;

export interface LogAnswers {
  listAccess: PagedList<AdminAccess>;
  exportAccess: unknown;
  countAccess: { opened: DayCount[]; refused: DayCount[] };
  listActivity: { entries: AdminActivity[]; isEnd: boolean };
}
