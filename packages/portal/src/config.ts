import { isIP, isIPv4 } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { z } from 'zod';

import type {
  CacheSettings,
  ConnectionLimits,
  EngineSettings,
  ConnectionSettings,
} from '#report-engine';

import { isConfidential } from './confidential.ts';
import { connectionPrefix, connectionVariables } from './connections/config.ts';
import { databaseLimits } from './db/connection/limits.ts';
import { ConfigurationError } from './errors.ts';
import { limits, queues } from './limits/table.ts';
import { parseOrigin } from './organizations/origins.ts';
import { oidcVariables, secretPrefix } from './sign-in/oidc/config.ts';
import { findUnknownVariables, isServiceLink, serviceAddress } from './variables.ts';

const origin = z.string().transform((value, ctx) => {
  const parsed = parseOrigin(value);
  if (parsed) return parsed;
  ctx.addIssue(
    'must be an origin such as https://portal.example.com: http or https, a host name of letters, ' +
      'digits, dots and hyphens (no underscore), perhaps a port, and no user, path or query',
  );
  return z.NEVER;
});

/** `true`, a number of proxies, or a list of their addresses, as in Express. */
const trustProxy = z
  .string()
  .refine(
    (value) =>
      /^(true|\d+)$/.test(value) ||
      value
        .split(',')
        .every(
          (part) => /^(loopback|linklocal|uniquelocal)$/.test(part.trim()) || isSubnet(part.trim()),
        ),
    'must be true, a number of proxies, or a list of addresses such as loopback,10.0.0.0/8',
  )
  .transform((value) => (value === 'true' ? true : /^\d+$/.test(value) ? Number(value) : value));

/** An address, alone or with the length of its prefix or a netmask. */
function isSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  if (prefix === undefined || (bits === 32 && isIPv4(prefix))) return true;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits;
}

const wholeNumber = (unit: string, min: number, max: number) =>
  z.coerce.number(`must be a number of ${unit}`).int().min(min).max(max);

const port = z
  .string()
  .refine((value) => !serviceAddress.test(value), {
    error:
      'has the address of a Kubernetes Service, which is named like this setting. Set `enableServiceLinks: false` in the spec of the pod, or give the Service another name.',
    abort: true,
  })
  .pipe(z.coerce.number<string>('must be a port number').int().min(0).max(65_535));

const environment = z.object({
  PORTAL_PORT: port.default(4000),
  PORTAL_HOST: z.string().default('127.0.0.1'),
  PORTAL_DATA_DIR: z.string().default('.portal'),
  PORTAL_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
    .optional(),
  PORTAL_DATABASE_CONNECTIONS: wholeNumber('connections', 3, 1_000).default(10),
  PORTAL_DATABASE_CONNECT_LIMIT: wholeNumber('seconds', 1, 60).default(
    databaseLimits.connect.ms / 1_000,
  ),
  PORTAL_MIGRATE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  PORTAL_PUBLIC_URL: origin.optional(),
  PORTAL_ADMIN_URL: origin.optional(),
  PORTAL_TRUST_PROXY: trustProxy.optional(),
  PORTAL_RATE_LIMIT: z.coerce
    .number('must be a number of requests')
    .int()
    .min(0)
    .max(100_000_000)
    .default(limits.apiRequests.max),
  PORTAL_REFUSAL_LIMIT: z.coerce
    .number('must be a number of requests')
    .int()
    .min(0)
    .max(1_000_000)
    .default(limits.refusedRequests.max),
  PORTAL_VIEWER_RATE_LIMIT: wholeNumber('requests', 0, 100_000_000).default(
    limits.pageRequests.max,
  ),
  PORTAL_AUTHOR_RATE_LIMIT: wholeNumber('requests', 0, 100_000_000).default(
    limits.authorRequests.max,
  ),
  PORTAL_ENGINE_QUERIES: wholeNumber('queries', 1, 256).default(queues.queries.concurrency),
  PORTAL_ENGINE_THREADS: wholeNumber('threads', 1, 1_024).default(() =>
    Math.min(4, os.availableParallelism()),
  ),
  PORTAL_ENGINE_MEMORY: wholeNumber('MiB', 64, 1_048_576).default(512),
  PORTAL_USER_QUERIES: wholeNumber('queries', 1, 256).default(queues.queries.perUser),
  PORTAL_SOURCE_QUERIES: wholeNumber('queries', 1, 256).default(queues.statements.concurrency),
  PORTAL_CACHE_MEMORY: wholeNumber('MiB', 0, 1_048_576).default(64),
  PORTAL_METRICS_PORT: port.optional(),
  PORTAL_METRICS_HOST: z.string().default('127.0.0.1'),
  PORTAL_DRAIN_NOTICE: wholeNumber('seconds', 0, 3_600).default(7),
  PORTAL_DRAIN_LIMIT: wholeNumber('seconds', 0, 3_600).default(10),
  PORTAL_MINT_LOG_DAYS: wholeNumber('days', 0, 36_500).default(90),
  PORTAL_OPERATOR: z.string().max(200).optional(),
  PORTAL_LOG_CLIENT_ADDRESS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  PORTAL_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info'),
});

export interface Config {
  /** Port to listen on. `PORTAL_PORT`, default 4000. */
  port: number;
  /** Address to listen on. `PORTAL_HOST`, default 127.0.0.1. */
  host: string;
  /** Where the embedded database and, in `datasets/`, the dataset files are. `PORTAL_DATA_DIR`. */
  dataDir: string;
  /** A PostgreSQL to use in place of the embedded database. `PORTAL_DATABASE_URL`. */
  databaseUrl: string | undefined;
  /**
   * Connections of this instance to PostgreSQL; the readiness check has one more. A third is
   * reserved for minting, redeeming and sessions. `PORTAL_DATABASE_CONNECTIONS`, default 10.
   */
  databaseConnections: number;
  /**
   * Seconds within which a connection to PostgreSQL must open. `PORTAL_DATABASE_CONNECT_LIMIT`,
   * default 5.
   */
  databaseConnectSeconds: number;
  /** Whether `serve` migrates an older schema or refuses it. `PORTAL_MIGRATE`, default `on`. */
  migrate: boolean;
  /** Origin at which the service itself is reached. `PORTAL_PUBLIC_URL`, default localhost. */
  publicUrl: string;
  /**
   * Origin of the administration pages; `undefined` for none. `PORTAL_ADMIN_URL`, default the public
   * URL if it is https or on this machine.
   */
  adminUrl: string | undefined;
  /** Express's `trust proxy`, for a portal behind one. `PORTAL_TRUST_PROXY`, default none. */
  trustProxy: boolean | number | string | undefined;
  /**
   * Requests that one API key may make in ten seconds, at all instances together; 0 for no limit.
   * `PORTAL_RATE_LIMIT`, default 10,000.
   */
  rateLimit: number;
  /**
   * Refused requests (unknown token, invalid key or bearer) of one client address in ten seconds, at
   * this instance. Further requests get 429 without a look-up. 0 for no limit.
   * `PORTAL_REFUSAL_LIMIT`, default 60.
   */
  refusalLimit: number;
  /**
   * Requests that the pages of one user may make in a minute, at all instances together; 0 for no
   * limit. `PORTAL_VIEWER_RATE_LIMIT`, default 120.
   */
  viewerRateLimit: number;
  /**
   * Checks, previews, saves and applies of content of one user or API key in a minute, at this instance;
   * 0 for no limit. `PORTAL_AUTHOR_RATE_LIMIT`, default 300.
   */
  authorRateLimit: number;
  /** Databases that hold rows of datasets. `PORTAL_CONNECTION_NAME`, default none. */
  connections: readonly ConnectionSettings[];
  /**
   * Secrets of the portal at the identity providers of organizations, by their slugs.
   * `PORTAL_OIDC_SECRET_SLUG`, default none.
   */
  oidcSecrets: ReadonlyMap<string, string>;
  /** Limits of the report engine. */
  engine: EngineSettings & CacheSettings & ConnectionLimits;
  /** Port of `/metrics`. `PORTAL_METRICS_PORT`, default none. */
  metricsPort: number | undefined;
  /** Address of `/metrics`. `PORTAL_METRICS_HOST`, default 127.0.0.1. */
  metricsHost: string;
  /**
   * Seconds after SIGTERM in which the portal still accepts requests while `/readyz` answers 503.
   * `PORTAL_DRAIN_NOTICE`, default 7.
   */
  drainNoticeSeconds: number;
  /** Seconds that requests in flight then have to finish. `PORTAL_DRAIN_LIMIT`, default 10. */
  drainLimitSeconds: number;
  /**
   * Days after which entries of successful mints leave the activity log; 0 for never.
   * `PORTAL_MINT_LOG_DAYS`, default 90.
   */
  mintLogDays: number;
  /**
   * Who runs commands, as the activity log names them. `PORTAL_OPERATOR`, default the name of the
   * system's user.
   */
  operator: string;
  /**
   * Whether the log lines of refused requests have the client's address.
   * `PORTAL_LOG_CLIENT_ADDRESS`, default `off`.
   */
  logClientAddress: boolean;
  logLevel: string;
  /** Variables that begin with `PORTAL_` and are not settings. */
  unknownVariables: string[];
  /** Settings whose variable is set, but empty. */
  emptyVariables: string[];
}

const settings = {
  names: Object.keys(environment.shape),
  families: {
    [connectionPrefix]: `${connectionPrefix}NAME`,
    [secretPrefix]: `${secretPrefix}SLUG`,
  },
};

/**
 * Reads the configuration from environment variables. Empty and blank variables count as unset.
 *
 * @throws `ConfigurationError`, which names each invalid or mistyped variable and what it must be
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) =>
        value?.trim() !== '' && (settings.names.includes(name) || !isServiceLink(name, value)),
    ),
  );
  const parsed = environment.and(connectionVariables).and(oidcVariables).safeParse(set);
  const unknown = findUnknownVariables(env, settings);
  const problems = [
    ...unknown
      .filter(({ near }) => near.length > 0)
      .map(({ variable, near }) => `${variable} is unknown. Did you mean ${near.join(' or ')}?`),
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
  ];
  if (!parsed.success || problems.length > 0)
    throw new ConfigurationError(
      `The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  const values = parsed.data;
  const publicUrl =
    values.PORTAL_PUBLIC_URL ?? new URL(`http://localhost:${values.PORTAL_PORT}`).origin;
  const given = values.PORTAL_ADMIN_URL;
  if (given !== undefined && !isConfidential(given))
    throw new ConfigurationError(
      'The configuration is not valid:\n  PORTAL_ADMIN_URL must be https, because passwords are sent to it. Plain http is for localhost only.',
    );
  return {
    port: values.PORTAL_PORT,
    host: values.PORTAL_HOST,
    dataDir: path.resolve(values.PORTAL_DATA_DIR),
    databaseUrl: values.PORTAL_DATABASE_URL,
    databaseConnections: values.PORTAL_DATABASE_CONNECTIONS,
    databaseConnectSeconds: values.PORTAL_DATABASE_CONNECT_LIMIT,
    migrate: values.PORTAL_MIGRATE === 'on',
    publicUrl,
    adminUrl: given ?? (isConfidential(publicUrl) ? publicUrl : undefined),
    trustProxy: values.PORTAL_TRUST_PROXY,
    rateLimit: values.PORTAL_RATE_LIMIT,
    refusalLimit: values.PORTAL_REFUSAL_LIMIT,
    viewerRateLimit: values.PORTAL_VIEWER_RATE_LIMIT,
    authorRateLimit: values.PORTAL_AUTHOR_RATE_LIMIT,
    connections: values.connections,
    oidcSecrets: values.oidcSecrets,
    engine: {
      queries: values.PORTAL_ENGINE_QUERIES,
      userQueries: values.PORTAL_USER_QUERIES,
      sourceQueries: values.PORTAL_SOURCE_QUERIES,
      threads: values.PORTAL_ENGINE_THREADS,
      memoryMb: values.PORTAL_ENGINE_MEMORY,
      cacheMb: values.PORTAL_CACHE_MEMORY,
    },
    metricsPort: values.PORTAL_METRICS_PORT,
    metricsHost: values.PORTAL_METRICS_HOST,
    drainNoticeSeconds: values.PORTAL_DRAIN_NOTICE,
    drainLimitSeconds: values.PORTAL_DRAIN_LIMIT,
    mintLogDays: values.PORTAL_MINT_LOG_DAYS,
    operator: values.PORTAL_OPERATOR ?? systemUser(),
    logClientAddress: values.PORTAL_LOG_CLIENT_ADDRESS === 'on',
    logLevel: values.PORTAL_LOG_LEVEL,
    unknownVariables: unknown.map(({ variable }) => variable),
    emptyVariables: settings.names.filter((name) => env[name]?.trim() === ''),
  };
}

/** Returns the folder of all dataset files. */
export const datasetFolderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  path.join(dataDir, 'datasets');

/** In a container, the user may have no name. */
function systemUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'operator';
  }
}
