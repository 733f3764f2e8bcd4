import { explainTlsFailure } from '#server-kit';

import { isConflict } from '../query/conflicts.ts';

/** Why a request to the database failed: a label of the metrics and the log. */
export type FailureCause =
  | 'unreachable'
  | 'too_many_connections'
  | 'disk_full'
  | 'out_of_memory'
  | 'read_only'
  | 'timeout'
  | 'conflict';

/** PostgreSQL's codes of failures that can pass. */
const causeByCode: Record<string, FailureCause> = {
  '53300': 'too_many_connections',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  // After a failover, the server is a standby.
  '25006': 'read_only',
  '57014': 'timeout',
  // The database does not exist yet.
  '3D000': 'unreachable',
};

/** PostgreSQL's codes for connections (08), shutdown and startup (57P); codes of the network. */
const connectionCodes =
  /^(08|57P|ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EAI_AGAIN)/;

/** Messages of connection errors to which `pg` gives no code. */
const connectionMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** The cause of a database failure, or `undefined` for a bug, which a retry cannot fix. */
export function findFailureCause(error: unknown): FailureCause | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const known = causeByCode[String(code)];
  if (known) return known;
  if (isConflict(error)) return 'conflict';
  const isConnection =
    connectionCodes.test(String(code)) ||
    // The file of a Unix socket is missing while its server is down.
    (code === 'ENOENT' && syscall === 'connect') ||
    connectionMessages.some((message) => error.message.startsWith(message));
  // PostgreSQL stops when there is no space for its log.
  if (isConnection) return /No space left/.test(error.message) ? 'disk_full' : 'unreachable';
  return findFailureCause(error.cause);
}

/** Whether an error means that the database is unavailable or too busy, and not a bug. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  findFailureCause(error) !== undefined;

interface FailureText {
  happened: string;
  advice: string;
  /** In the administration. Default: the same. */
  authorAdvice?: string;
}

const retryAdvice = 'Try again in a few seconds.';

/** The texts for the caller, by cause. */
export const failureTexts: Record<FailureCause, FailureText> = {
  unreachable: { happened: 'The database does not answer at the moment.', advice: retryAdvice },
  too_many_connections: {
    happened: 'The database accepts no more connections at the moment.',
    advice: 'Try again in a few seconds; if the problem persists, contact your administrator.',
    authorAdvice:
      'Try again in a few seconds; if the problem persists, tell the operator of the portal.',
  },
  disk_full: {
    happened: "The database's disk is full, and nothing was written.",
    advice: 'Contact your administrator, who must free space.',
    authorAdvice: 'Tell the operator of the portal, who must free space.',
  },
  out_of_memory: { happened: 'The database is out of memory at the moment.', advice: retryAdvice },
  read_only: { happened: 'The database accepts no changes at the moment.', advice: retryAdvice },
  timeout: {
    happened: 'The database took too long for this request.',
    advice: 'Ask for less, or try again later.',
  },
  conflict: { happened: 'This change conflicted with other changes.', advice: retryAdvice },
};

/** The text for the operator, by cause, in the log and on the command line. */
export const failureAdvice: Record<FailureCause, string> = {
  unreachable:
    'The database does not answer. Check that it is running, and check PORTAL_DATABASE_URL.',
  too_many_connections:
    'The database accepts no more connections. Raise its max_connections, or lower PORTAL_DATABASE_CONNECTIONS.',
  disk_full: "The database's disk is full. Free disk space.",
  out_of_memory:
    'The database is out of memory. Give it more memory, or lower its memory settings.',
  read_only: 'The database accepts no changes. Check whether PORTAL_DATABASE_URL names a standby.',
  timeout: 'A statement took too long. Check the load and the locks of the database.',
  conflict: 'This change conflicted with other changes. Try again.',
};

/**
 * Says which part of the address of an unreachable server is probably wrong; `undefined` if it may just
 * not be running.
 */
export function describeUnreachable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = String((error as { code?: unknown }).code);
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return 'The host name of the database cannot be resolved. Check the host in PORTAL_DATABASE_URL, and the name servers of this machine.';
  return /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code) ||
    connectionMessages.slice(0, 2).some((message) => error.message.startsWith(message))
    ? 'The database opened no connection within PORTAL_DATABASE_CONNECT_LIMIT. Check host and port in PORTAL_DATABASE_URL, and the firewalls in between.'
    : undefined;
}

/** Whether the server answers but rejects the user or the password: PostgreSQL's class 28. */
const isUserRefused = (error: Error): boolean =>
  String((error as { code?: unknown }).code).startsWith('28');

/** `pg` gives this error no code. */
const isPasswordMissing = (error: Error): boolean =>
  error.message.includes('client password must be a');

/**
 * Describes an error of a server that answers but rejects the user, the password or the TLS settings, or
 * does not have the database; `undefined` for any other error.
 */
export function describeRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const failure = explainTlsFailure(error);
  if (failure)
    return `The TLS connection to the database failed: ${failure.cause} (${error.message}). In PORTAL_DATABASE_URL or at the server: ${failure.advice}.`;
  const { code } = error as { code?: unknown };
  if (isPasswordMissing(error))
    return `The database requires a password, but the address has none (${error.message}). Write it into the address of the database, or into PGPASSWORD.`;
  if (code === '3D000')
    return `The server answers, but it does not have this database (${error.message}). Check the name at the end of PORTAL_DATABASE_URL, or create the database: CREATE DATABASE portal TEMPLATE template0 ENCODING 'UTF8'.`;
  if (code === '42501')
    return `The role of PORTAL_DATABASE_URL lacks a right (${error.message}). Grant it as the owner of the tables; deploy/database.sql has the statements.`;
  return isUserRefused(error)
    ? `The database refuses the connection (${error.message}). Check user and password in PORTAL_DATABASE_URL, and pg_hba.conf of the server.`
    : undefined;
}
