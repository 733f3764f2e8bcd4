import { describe, expect, it } from 'vitest';

import {
  describeRefusal,
  describeUnreachable,
  failureAdvice,
  failureTexts,
  findFailureCause,
  isDatabaseUnavailable,
} from './database-failures.ts';

const withCode = (code: string) => Object.assign(new Error('…'), { code });

describe('a database error', () => {
  it.each([
    ...['08006', '08001', '57P01', '57P03', '53300', '57014', '23503', '40P01', '40001'].map(
      withCode,
    ),
    ...['25006', '3D000', '53100', '53200'].map(withCode),
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'].map(withCode),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Query read timeout'),
    new Error('…', { cause: withCode('ECONNREFUSED') }),
    Object.assign(withCode('ENOENT'), { syscall: 'connect' }),
  ])('counts as an unavailable database: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ...['42601', '23505', '22P05'].map(withCode),
    new TypeError('x'),
    // A dataset's file is missing.
    Object.assign(withCode('ENOENT'), { syscall: 'open' }),
    // The portal may not use the socket.
    Object.assign(withCode('EACCES'), { syscall: 'connect' }),
    undefined,
  ])('does not count as an unavailable database: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('the cause of a database failure', () => {
  it.each([
    ['53300', 'too_many_connections'],
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['25006', 'read_only'],
    ['57014', 'timeout'],
    ['23503', 'conflict'],
    ['40P01', 'conflict'],
    ['40001', 'conflict'],
    ...['3D000', '08000', '57P01', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'].map(
      (code) => [code, 'unreachable'] as const,
    ),
    ...['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].map((code) => [code, 'unreachable'] as const),
  ] as const)('the code %s means %s', (code, cause) => {
    expect(findFailureCause(withCode(code))).toBe(cause);
    expect(findFailureCause(new Error('…', { cause: withCode(code) }))).toBe(cause);
  });

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('the driver’s message "%s" means unreachable', (message) => {
    expect(findFailureCause(new Error(message))).toBe('unreachable');
  });

  it('a server that stops without space for its log has a full disk', () => {
    const error = Object.assign(new Error('could not write: No space left on device'), {
      code: '57P02',
    });
    expect(findFailureCause(error)).toBe('disk_full');
  });

  it('each cause has its own text for the caller and for the operator', () => {
    const callers = Object.values(failureTexts).map(({ happened }) => happened);
    const operators = Object.values(failureAdvice);
    expect(new Set(callers).size).toBe(callers.length);
    expect(new Set(operators).size).toBe(operators.length);
  });

  it('the texts for the caller and for the operator are the reviewed ones', async () => {
    const texts = `${JSON.stringify({ failureTexts, failureAdvice }, null, 2)}\n`;
    await expect(texts).toMatchFileSnapshot('../../../test/support/failure-texts.json');
  });

  it.each([
    ['unreachable', 'does not answer', 'few seconds', 'PORTAL_DATABASE_URL'],
    ['too_many_connections', 'no more connections', 'administrator', 'max_connections'],
    ['disk_full', 'disk is full', 'must free space', 'Free disk space'],
    ['out_of_memory', 'out of memory', 'few seconds', 'more memory'],
    ['read_only', 'accepts no changes', 'few seconds', 'standby'],
    ['timeout', 'took too long', 'Ask for less', 'locks'],
    ['conflict', 'conflicted', 'few seconds', 'Try again'],
  ] as const)(
    'the text of %s for the caller names "%s" and "%s", that for the operator "%s"',
    (cause, happened, advice, operator) => {
      expect(failureTexts[cause].happened).toContain(happened);
      expect(failureTexts[cause].advice).toContain(advice);
      expect(failureAdvice[cause]).toContain(operator);
    },
  );
});

it.each([
  ['28P01', 'password authentication failed for user "portal"', 'Check user and password'],
  ['28000', 'role "portal" does not exist', 'Check user and password'],
  [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'PGPASSWORD'],
  ['28000', 'no pg_hba.conf entry for host "::1", no encryption', 'add sslmode=verify-full'],
  ['28000', 'connection requires a valid client certificate', 'add sslcert=FILE and sslkey=FILE'],
  ['28000', 'certificate authentication failed for user "portal"', 'common name'],
  [undefined, 'The server does not support SSL connections', 'ssl = on'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'PEM file of this certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', '…', 'add sslrootcert=FILE'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '…', 'NODE_EXTRA_CA_CERTS=FILE'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '…', 'add sslrootcert=FILE'],
  ['CERT_HAS_EXPIRED', '…', 'has expired'],
  ['CERT_NOT_YET_VALID', '…', 'not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', '…', 'another host name'],
  [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    '0:error:0A000418:SSL routines:f:tlsv1 alert unknown ca:',
    'does not accept the portal',
  ],
  [
    'EPROTO',
    'write EPROTO 0:error:SSL routines:f:tlsv13 alert certificate required:',
    'add sslcert=FILE',
  ],
  [
    'EPROTO',
    'write EPROTO 0:error:SSL routines:f:wrong version number:',
    'does not speak TLS at this port',
  ],
  ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', '…', 'PEM files of sslrootcert, sslcert and sslkey'],
  ['CERT_REVOKED', '…', 'check the certificate'],
])(
  'a server that rejects the connection with %s, %s, is available; the advice has "%s"',
  (code, message, advice) => {
    const error = Object.assign(new Error(message), { code });
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(describeRefusal(error)).toContain(advice);
    expect(describeRefusal(error)).toContain(message);
    expect(describeRefusal(error)!.includes('user and password')).toBe(advice.includes('password'));
  },
);

it('an unreachable server has not rejected the connection', () => {
  expect(describeRefusal(withCode('ECONNREFUSED'))).toBeUndefined();
  expect(describeRefusal(undefined)).toBeUndefined();
});

it.each([
  ['42501', 'permission denied for table users', 'deploy/database.sql'],
  ['3D000', 'database "portal" does not exist', 'create the database'],
])(
  'a server that answers with %s, %s, does not need a retry; the advice has "%s"',
  (code, message, advice) => {
    expect(describeRefusal(Object.assign(new Error(message), { code }))).toContain(advice);
  },
);

it.each([
  ['ENOTFOUND', '…', 'host name'],
  ['EAI_AGAIN', '…', 'host name'],
  ['ETIMEDOUT', '…', 'PORTAL_DATABASE_CONNECT_LIMIT'],
  ['EHOSTUNREACH', '…', 'PORTAL_DATABASE_CONNECT_LIMIT'],
  [undefined, 'Connection terminated due to connection timeout', 'PORTAL_DATABASE_CONNECT_LIMIT'],
])(
  'a server that cannot be reached because of %s, %s, has advice with "%s"',
  (code, message, advice) => {
    expect(describeUnreachable(Object.assign(new Error(message), { code }))).toContain(advice);
  },
);

it('a server that may just not be running has the usual advice', () => {
  expect(describeUnreachable(withCode('ECONNREFUSED'))).toBeUndefined();
  expect(describeUnreachable(undefined)).toBeUndefined();
});
