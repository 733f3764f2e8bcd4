import { describe, expect, it } from 'vitest';

import { isDatabaseUnavailable } from './failures.ts';

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
  ])('that passes is told from a mistake: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ...['42601', '23505', '22P05'].map(withCode),
    new TypeError('x'),
    // A dataset's file is missing.
    Object.assign(withCode('ENOENT'), { syscall: 'open' }),
    undefined,
  ])('that does not pass is a mistake: %o', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
