import { isConflict } from './conflicts.ts';

/** Why the database failed a request, as metrics and the log name it. */
export type FailureCause =
  | 'unreachable'
  | 'too_many_connections'
  | 'disk_full'
  | 'out_of_memory'
  | 'read_only'
  | 'timeout'
  | 'conflict';

/** PostgreSQL's codes that mean "try again". */
const causeByCode: Record<string, FailureCause> = {
  '53300': 'too_many_connections',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  // The server is a standby since a failover.
  '25006': 'read_only',
  '57014': 'timeout',
  // The server has no such database yet.
  '3D000': 'unreachable',
};

/** PostgreSQL's codes for connections (08) and for shutting down and starting (57P); the network's. */
const connectionCodes =
  /^(08|57P|ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EAI_AGAIN)/;

/** What `pg` says of a connection without giving the error a code. */
const connectionMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** Why the database failed, or `undefined` for a mistake of ours, which trying again cannot mend. */
export function findFailureCause(error: unknown): FailureCause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const known = causeByCode[String(code)];
  if (known) return known;
  if (isConflict(error)) return 'conflict';
  const isConnection =
    connectionCodes.test(String(code)) ||
    // A socket's file comes with its server.
    (code === 'ENOENT' && syscall === 'connect') ||
    connectionMessages.some((message) => error.message.startsWith(message));
  // PostgreSQL ends itself when its log finds no space.
  if (isConnection) return /No space left/.test(error.message) ? 'disk_full' : 'unreachable';
  return findFailureCause(error.cause);
}

/** Whether a failure is the database's being away, or too busy, rather than a mistake of ours. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  findFailureCause(error) !== undefined;

/** What to tell the caller about each cause. */
export const failureDetails: Record<FailureCause, string> = {
  unreachable: 'The database does not answer at the moment. Try again in a few seconds.',
  too_many_connections:
    'The database accepts no more connections at the moment. Try again in a few seconds; if the problem persists, contact your administrator.',
  disk_full:
    "The database's disk is full, and nothing was written. Contact your administrator, who must free space.",
  out_of_memory: 'The database has no memory left at the moment. Try again in a few seconds.',
  read_only: 'The database accepts no changes at the moment. Try again in a few seconds.',
  timeout: 'The database took too long for this request. Ask for less, or try again later.',
  conflict: 'Other changes kept interrupting this one. Try again in a few seconds.',
};

/** What to tell the operator about each cause, in the log and at the command line. */
export const failureAdvice: Record<FailureCause, string> = {
  unreachable: 'The database does not answer. Check that it runs, and PORTAL_DATABASE_URL.',
  too_many_connections:
    'The database accepts no more connections. Raise its max_connections, or lower PORTAL_DATABASE_CONNECTIONS.',
  disk_full: "The database's disk is full. Free space.",
  out_of_memory: 'The database has no memory left. Give it more, or lower its settings.',
  read_only: 'The database accepts no changes. Check whether PORTAL_DATABASE_URL names a standby.',
  timeout: 'The database took too long for a statement. Check its load and its locks.',
  conflict: 'Other changes kept interrupting this one. Try again.',
};

/** PostgreSQL's codes for a user or password it does not accept (28), and TLS's for a certificate. */
const refusals = /^(28|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether the server is there, and will not have or cannot have the connection as it is asked for. */
export const isConnectionRefused = (error: unknown): error is Error =>
  error instanceof Error &&
  (refusals.test(String((error as { code?: unknown }).code)) ||
    error.message === 'The server does not support SSL connections');
