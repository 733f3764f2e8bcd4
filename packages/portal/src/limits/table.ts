import type { ErrorCode } from '@portal-embed/contract';

/**
 * The limits of the portal that answer 429 or 503. The guide `packages/docs/guides/limits.md` lists
 * them, those of the database (`db/connection/limits.ts`) and those of the report engine
 * (`report-engine/src/limits/limits.ts`).
 */
export interface Limit {
  /** What is limited, as the guide calls it. */
  what: string;
  /** Who has a count of their own. */
  per: string;
  /** Whether all instances count together. Otherwise, each counts for itself. */
  isShared?: boolean;
  /** In a window, or at the same time if there is no window. The default, if there is a setting. */
  max: number;
  windowSeconds?: number;
  /** The setting for `max`. */
  setting?: string;
  code: ErrorCode;
  /** Seconds. Default: until the window ends. */
  retryAfter?: number;
}

/** Authors of one organization who may use up their own limits at the same time. */
export const authorsAtOnce = 3;

const authorRate = 300;
const quarterHour = 900;

export const limits = {
  apiRequests: {
    what: 'requests to the API',
    per: 'API key',
    isShared: true,
    max: 10_000,
    windowSeconds: 10,
    setting: 'PORTAL_RATE_LIMIT',
    code: 'rate_limited',
  },
  pageRequests: {
    what: "data requests of the readers' pages",
    per: 'user',
    isShared: true,
    max: 120,
    windowSeconds: 60,
    setting: 'PORTAL_VIEWER_RATE_LIMIT',
    code: 'rate_limited',
  },
  viewsAtOnce: {
    what: 'reports that load, with the values of their filters and their downloads',
    per: 'user',
    max: 10,
    code: 'rate_limited',
    retryAfter: 1,
  },
  authorRequests: {
    what: 'checks, previews, saves and applies of content',
    per: 'user or API key',
    max: authorRate,
    windowSeconds: 60,
    setting: 'PORTAL_AUTHOR_RATE_LIMIT',
    code: 'rate_limited',
  },
  organizationAuthorRequests: {
    what: 'checks, previews, saves and applies of content',
    per: 'organization',
    max: authorRate * authorsAtOnce,
    windowSeconds: 60,
    setting: `${authorsAtOnce} × PORTAL_AUTHOR_RATE_LIMIT`,
    code: 'rate_limited',
  },
  refusedRequests: {
    what: 'refused requests: unknown token, invalid key or bearer',
    per: 'client address',
    max: 60,
    windowSeconds: 10,
    setting: 'PORTAL_REFUSAL_LIMIT',
    code: 'rate_limited',
  },
  passwordsOfClient: {
    what: 'passwords that are tried for an account from a client address',
    per: 'account and client address',
    isShared: true,
    max: 10,
    windowSeconds: quarterHour,
    code: 'rate_limited',
  },
  signInsOfClient: {
    what: 'passwords that are tried',
    per: 'client address',
    isShared: true,
    max: 100,
    windowSeconds: quarterHour,
    code: 'rate_limited',
  },
  signInsOfAccount: {
    what: 'passwords that are tried from client addresses where the account has not signed in',
    per: 'account',
    isShared: true,
    max: 100,
    windowSeconds: 3_600,
    code: 'rate_limited',
  },
  providerSignIns: {
    what: 'sign-ins with an identity provider',
    per: 'client address',
    isShared: true,
    max: 100,
    windowSeconds: quarterHour,
    code: 'rate_limited',
  },
  uploads: {
    what: 'uploaded files that are not datasets yet',
    per: 'organization',
    max: 10,
    code: 'overloaded',
    retryAfter: 600,
  },
} as const satisfies Record<string, Limit>;

/** A fair queue: organizations take turns, and the users of each. */
export interface Queue {
  what: string;
  /** Running at the same time. The default, if there is a setting. */
  concurrency: number;
  /** The largest default, if the default follows from the number of cores. */
  maxConcurrency?: number;
  setting?: string;
  /** Running for one organization. Default: three quarters of all. */
  perOrganization?: number;
  perUser: number;
  userSetting?: string;
  /** Waiting for one organization. Default: as the report engine's. */
  maxWaiting?: number;
  maxWaitMs?: number;
  code: ErrorCode;
  /** Seconds. */
  retryAfter: number;
}

const user = { perUser: 2, userSetting: 'PORTAL_USER_QUERIES' } as const;
const ofReports = { code: 'overloaded', retryAfter: 5 } as const;

export const queues = {
  queries: {
    what: 'report queries over files',
    concurrency: 4,
    maxConcurrency: 16,
    setting: 'PORTAL_ENGINE_QUERIES',
    ...user,
    ...ofReports,
  },
  statements: {
    what: 'report queries at each connection',
    concurrency: 8,
    setting: 'PORTAL_SOURCE_QUERIES',
    ...user,
    ...ofReports,
  },
  /** A workbook takes one core for seconds and hundreds of megabytes. */
  workbooks: { what: 'workbooks that are written', concurrency: 1, perUser: 1, ...ofReports },
  /** Each organization has one task at a time, so that it leaves a process to the others. */
  contentChecks: {
    what: 'texts of content that are checked',
    concurrency: 2,
    perOrganization: 1,
    perUser: 1,
    maxWaiting: 100,
    maxWaitMs: 30_000,
    ...ofReports,
  },
} as const satisfies Record<string, Queue>;

/** What the portal answers if the report engine converts too many data files already. */
export const conversions = { code: 'overloaded', retryAfter: 60 } as const;
