import type { AdminEndpoint } from './endpoint.ts';
import type { Named } from './lists.ts';

/** How far a synchronization or check is; `failed` also if its process ended. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed';

interface Run {
  id: number;
  state: RunState;
  /** E-mail of a user, or name of an operator; `null` for a synchronization by the portal itself. */
  requestedBy: string | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  failure: string | null;
}

/** What a synchronization does to reports; `datasets` are those that are new, changed or gone. */
export const changeKinds = [
  'added',
  'renamed',
  'moved',
  'changed',
  'returned',
  'gone',
  'datasets',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** The number of changes of a kind, and the first names. */
export type PlatformChanges = Partial<Record<ChangeKind, { count: number; names: string[] }>>;

export interface PlatformSync extends Run {
  changes: PlatformChanges;
  /** The first sentences about what is left out, and their number. */
  notes: string[];
  noteCount: number;
}

export interface PlatformCheck extends Run {
  findings: { level: 'ok' | 'warning' | 'error'; text: string }[];
}

/** The connection of an organization to Power BI. */
export interface PowerbiConnection {
  /** As paths name it. */
  platform: string;
  /** Name of the product. */
  label: string;
  connectedAt: string;
  tenant: string;
  clientId: string;
  cloud: string;
  /** What row-level security sees as the user name. */
  username: 'email' | 'id';
  /** Whether models get the filters of the host. */
  customData: boolean;
  /** `name` is `null` for a workspace without reports in the catalogue. */
  workspaces: { id: string; name: string | null; reports: number }[];
  datasets: (Named & {
    rowAccess: 'by-role' | 'everyone';
    /** Names of the roles that operators declared. */
    roles: string[];
  })[];
  /** The commands with which operators change the connection, and name the roles of a dataset. */
  commands: { change: string; roles: string | null };
  /** The latest; `null` if there was none. */
  check: PlatformCheck | null;
  /** The latest first. */
  syncs: PlatformSync[];
}

const platform = '/organizations/{organizationId}/platforms/{platform}';

export const platformEndpoints = {
  readPlatforms: {
    method: 'GET',
    path: '/organizations/{organizationId}/platforms',
    access: 'administrator',
  },
  requestPlatformCheck: {
    method: 'POST',
    path: `${platform}/check`,
    access: 'administrator',
    isAuthoring: true,
  },
  requestPlatformSync: {
    method: 'POST',
    path: `${platform}/sync`,
    access: 'administrator',
    isAuthoring: true,
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface PlatformAnswers {
  readPlatforms: {
    /** The command with which an operator connects the organization. */
    command: string;
    /** Variables of the portal; one of them has the secret. */
    variables: { secret: string; certificate: string };
    connections: PowerbiConnection[];
  };
  requestPlatformCheck: object;
  requestPlatformSync: object;
}
