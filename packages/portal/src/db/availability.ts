import { isConflict } from './conflicts.ts';

/**
 * Codes that mean "try again": PostgreSQL's for connections (08), for shutting down and starting
 * (57P), for too many clients (53300), a full disk and memory (53100, 53200), a server that is only
 * read since a failover (25006) or has no such database yet (3D000), a statement's timeout (57014);
 * and the network's.
 */
const codes =
  /^(08|57P|53[123]00|25006|3D000|57014|ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EAI_AGAIN)/;

/** What `pg` says of a connection without giving the error a code. */
const messages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Client was closed',
  'Cannot use a pool after calling end',
];

/** Whether a failure is the database's being away, or too busy, rather than a mistake of ours. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return (
    codes.test(String(code)) ||
    // A socket's file comes with its server.
    (code === 'ENOENT' && syscall === 'connect') ||
    isConflict(error) ||
    messages.some((message) => error.message.startsWith(message)) ||
    isDatabaseUnavailable(error.cause)
  );
}

/** PostgreSQL's codes for a user or password it does not accept (28), and TLS's for a certificate. */
const refusals = /^(28|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether the server is there, and will not have or cannot have the connection as it is asked for. */
export const isConnectionRefused = (error: unknown): error is Error =>
  error instanceof Error &&
  (refusals.test(String((error as { code?: unknown }).code)) ||
    error.message === 'The server does not support SSL connections');
