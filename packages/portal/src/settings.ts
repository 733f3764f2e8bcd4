import os from 'node:os';
import path from 'node:path';

import { z } from 'zod';

import { databaseLimits } from './db/connection/limits.ts';
import { minQueryMb } from './engine-size.ts';
import { limits, queues } from './limits/table.ts';
import {
  databaseAddress,
  httpsOrigin,
  listenAddress,
  onOff,
  origin,
  port,
  trustProxy,
  wholeNumber,
} from './setting-schemas.ts';

/** One setting: its environment variable, and the schema that parses its text. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  variable: string;
  /** Reads the text of the variable. Its description is the meaning, in Markdown. */
  schema: Schema;
  /** Default in the reference, in Markdown. */
  byDefault: string;
  /** Whether the reference lists it in a table of its own, because its default fits nearly everyone. */
  isAdvanced?: boolean;
}

/** Settings by their fields in `Config`; groups can be nested. */
export interface Settings {
  readonly [field: string]: Setting | Settings;
}

/** The parsed values of settings. */
export type SettingValues<Group> = {
  -readonly [Field in keyof Group]: Group[Field] extends Setting<infer Schema>
    ? z.output<Schema>
    : SettingValues<Group[Field]>;
};

/**
 * @param meaning in the reference
 * @param byDefault default in the reference, if it is not that of the schema
 */
const setting = <Schema extends z.ZodType>(
  variable: string,
  meaning: string,
  schema: Schema,
  byDefault?: string,
): Setting<Schema> => ({
  variable,
  schema: schema.describe(meaning),
  byDefault: byDefault ?? findDefault(schema),
});

const advanced = <Schema extends z.ZodType>(declared: Setting<Schema>): Setting<Schema> => ({
  ...declared,
  isAdvanced: true,
});

const findDefault = (schema: z.core.$ZodType): string => {
  if (schema instanceof z.ZodPipe) return findDefault(schema.def.in);
  return schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : 'none';
};

/** In a container, the user may have no name. */
function systemUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'operator';
  }
}

/** Each setting of the portal, in the order of the reference in the package's README. */
export const settings = {
  port: setting('PORTAL_PORT', 'port', port.default(4000)),
  host: setting('PORTAL_HOST', 'address to listen on', listenAddress.default('127.0.0.1')),
  dataDir: setting(
    'PORTAL_DATA_DIR',
    'the embedded database, the dataset files in `datasets/`, and the cache of files from the database in `files/`',
    z
      .string()
      .default('.portal')
      .transform((folder) => path.resolve(folder)),
    '`.portal`',
  ),
  databaseUrl: setting(
    'PORTAL_DATABASE_URL',
    'address of a PostgreSQL database (15 or later, in UTF-8) to use instead of the embedded one; any number of instances can share it',
    databaseAddress.optional(),
    'the embedded database',
  ),
  /** The checks of the database use up to two more. A third is reserved for minting, redeeming and sessions. */
  databaseConnections: setting(
    'PORTAL_DATABASE_CONNECTIONS',
    'connections of one instance to PostgreSQL, 3 to 1,000',
    wholeNumber('connections', 3, 1_000).default(10),
  ),
  databaseConnectSeconds: setting(
    'PORTAL_DATABASE_CONNECT_LIMIT',
    'seconds within which a connection to PostgreSQL must open, 1 to 60. If no connection is open and the server does not answer, requests wait this long',
    wholeNumber('seconds', 1, 60).default(databaseLimits.connect.ms / 1_000),
  ),
  /** The function `chooseStorage` has the default. */
  files: setting(
    'PORTAL_FILES',
    'where data files are stored: `database` needs PostgreSQL, and lets several instances share them; `folder` is `datasets/` in the data directory',
    z.enum(['folder', 'database'], 'must be folder or database').optional(),
    '`database` in a PostgreSQL database that was created for this release or a later one, otherwise `folder`',
  ),
  filesCacheMb: setting(
    'PORTAL_FILES_CACHE',
    'MiB of data files from the database that an instance keeps in `files/` of its data directory, 64 or more; a larger file is refused',
    wholeNumber('MiB', 64, 1_048_576).default(4_096),
  ),
  migrate: setting(
    'PORTAL_MIGRATE',
    '`off`: `serve` refuses an older schema instead of migrating it',
    onOff('on'),
  ),
  publicUrl: setting(
    'PORTAL_PUBLIC_URL',
    'origin of the service itself',
    origin.optional(),
    '`http://localhost:` and port',
  ),
  /** `undefined` for no administration pages. */
  adminUrl: setting(
    'PORTAL_ADMIN_URL',
    'origin of the administration pages, `https` beyond this machine; give it a host name that no portal address has',
    origin.optional(),
    'the public URL if it is `https` or on this machine',
  ),
  trustProxy: setting(
    'PORTAL_TRUST_PROXY',
    "Express's `trust proxy`, for a portal behind a proxy",
    trustProxy.optional(),
  ),
  rateLimit: setting(
    'PORTAL_RATE_LIMIT',
    'requests of one API key in ten seconds, at all instances together; 0 for no limit',
    wholeNumber('requests', 0, 100_000_000).default(limits.apiRequests.max),
  ),
  /** Further requests get 429 without a look-up. */
  refusalLimit: setting(
    'PORTAL_REFUSAL_LIMIT',
    'refused requests (unknown token, invalid key or bearer) of one client address in ten seconds, at each instance; 0 for no limit',
    wholeNumber('requests', 0, 1_000_000).default(limits.refusedRequests.max),
  ),
  viewerRateLimit: setting(
    'PORTAL_VIEWER_RATE_LIMIT',
    'requests that the pages of one user may make in a minute, at all instances together; 0 for no limit',
    wholeNumber('requests', 0, 100_000_000).default(limits.pageRequests.max),
  ),
  authorRateLimit: setting(
    'PORTAL_AUTHOR_RATE_LIMIT',
    'checks, previews, saves and applies of content by one user or API key in a minute, at each instance. One organization may make three times as many; 0 for no limit',
    wholeNumber('requests', 0, 100_000_000).default(limits.authorRequests.max),
  ),
  /** What is not set follows from the cores and the memory: `computeEngineSize`. */
  engine: {
    memoryMb: setting(
      'PORTAL_ENGINE_MEMORY',
      'MiB of memory for all report queries over files together, which share it equally',
      wholeNumber('MiB', minQueryMb, 16_777_216).optional(),
      'half of the memory of the machine or container',
    ),
    queries: advanced(
      setting(
        'PORTAL_ENGINE_QUERIES',
        'report queries at the same time, each in its own process, at most three quarters of them for one organization',
        wholeNumber('queries', 1, 256).optional(),
        'the number of cores, 4 to 16; fewer if `PORTAL_ENGINE_MEMORY` has less than 256 MiB (or `PORTAL_ENGINE_QUERY_MEMORY`) for each',
      ),
    ),
    threads: advanced(
      setting(
        'PORTAL_ENGINE_THREADS',
        'threads of one query',
        wholeNumber('threads', 1, 1_024).optional(),
        'the number of cores, at most 4',
      ),
    ),
    queryMemoryMb: advanced(
      setting(
        'PORTAL_ENGINE_QUERY_MEMORY',
        'MiB of memory for one query, also in ClickHouse',
        wholeNumber('MiB', minQueryMb, 1_048_576).optional(),
        '`PORTAL_ENGINE_MEMORY` / `PORTAL_ENGINE_QUERIES`',
      ),
    ),
    userQueries: advanced(
      setting(
        'PORTAL_USER_QUERIES',
        'queries of one user at the same time',
        wholeNumber('queries', 1, 256).default(queues.queries.perUser),
      ),
    ),
    sourceQueries: advanced(
      setting(
        'PORTAL_SOURCE_QUERIES',
        'queries at the same time at each connection, at most three quarters of them for one organization',
        wholeNumber('queries', 1, 256).default(queues.statements.concurrency),
      ),
    ),
    cacheMb: advanced(
      setting(
        'PORTAL_CACHE_MEMORY',
        'MiB of cached query results; 0 caches none',
        wholeNumber('MiB', 0, 1_048_576).default(64),
      ),
    ),
  },
  metricsPort: setting('PORTAL_METRICS_PORT', 'port of `/metrics`', port.optional()),
  metricsHost: setting(
    'PORTAL_METRICS_HOST',
    'address of `/metrics`',
    listenAddress.default('127.0.0.1'),
  ),
  drainNoticeSeconds: setting(
    'PORTAL_DRAIN_NOTICE',
    'seconds after SIGTERM in which `/readyz` answers 503 and requests are still served',
    wholeNumber('seconds', 0, 3_600).default(7),
  ),
  drainLimitSeconds: setting(
    'PORTAL_DRAIN_LIMIT',
    'seconds that requests in flight have to finish after the time of `PORTAL_DRAIN_NOTICE`',
    wholeNumber('seconds', 0, 3_600).default(10),
  ),
  mintLogDays: setting(
    'PORTAL_MINT_LOG_DAYS',
    'days after which entries of successful mints leave the activity log; 0 for never',
    wholeNumber('days', 0, 36_500).default(90),
  ),
  operator: setting(
    'PORTAL_OPERATOR',
    'name in the activity log of the person who runs commands',
    z.string().max(200, 'must have at most 200 characters').default(systemUser),
    "the system user's name",
  ),
  logClientAddress: setting(
    'PORTAL_LOG_CLIENT_ADDRESS',
    "`on`: log lines of refused requests have the client's address as `client`",
    onOff('off'),
  ),
  powerbi: {
    authority: advanced(
      setting(
        'PORTAL_POWERBI_AUTHORITY',
        'for tests: origin of Microsoft Entra ID, in place of that of the cloud',
        httpsOrigin.optional(),
        "the cloud's",
      ),
    ),
    api: advanced(
      setting(
        'PORTAL_POWERBI_API',
        "for tests: origin of Power BI's REST API, in place of that of the cloud",
        httpsOrigin.optional(),
        "the cloud's",
      ),
    ),
  },
  logLevel: setting(
    'PORTAL_LOG_LEVEL',
    "pino's level",
    z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be fatal, error, warn, info, debug, trace or silent',
      )
      .default('info'),
  ),
} satisfies Settings;

const isSetting = (entry: Setting | Settings): entry is Setting => 'schema' in entry;

/** Lists the settings of all groups. */
export const listSettings = (group: Settings): Setting[] =>
  Object.values(group).flatMap((entry) => (isSetting(entry) ? [entry] : listSettings(entry)));

/** Arranges values by the fields of the settings. `values` has them by variable. */
export const arrangeValues = <Group extends Settings>(
  group: Group,
  values: Readonly<Record<string, unknown>>,
): SettingValues<Group> =>
  Object.fromEntries(
    Object.entries(group).map(([field, entry]) => [
      field,
      isSetting(entry) ? values[entry.variable] : arrangeValues(entry, values),
    ]),
  ) as SettingValues<Group>;
