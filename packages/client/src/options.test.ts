import { describe, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';

const valid = { apiUrl: 'https://portal.example', apiKey: 'pk_1' };

describe('construction', () => {
  it('accepts an address with a path prefix, as text or URL', () => {
    for (const apiUrl of ['https://intranet.example/portal/', new URL('http://localhost:4000')])
      expect(createPortalClient({ ...valid, apiUrl })).toHaveProperty('users');
  });

  it.each([
    [{ apiUrl: 'portal.example' }, 'apiUrl must be an http or https address'],
    [{ apiUrl: 'ftp://portal.example' }, 'apiUrl must be an http or https address'],
    [{ apiUrl: undefined }, 'apiUrl must be an http or https address'],
    [{ apiUrl: 'https://me:pw@portal.example' }, 'must not carry a user name'],
    [{ apiUrl: 'https://portal.example/?a=1' }, 'remove what follows'],
    [{ apiKey: undefined }, 'apiKey must be the key'],
    [{ apiKey: '' }, 'apiKey must be the key'],
    [{ apiKey: 'pk\r\nX-Evil: 1' }, 'apiKey must be the key'],
    [{ timeout: 1 }, 'has no option "timeout"; it knows apiUrl'],
    [{ maxAttempts: 0 }, 'maxAttempts must be a whole number'],
    [{ totalTimeoutMs: '5' }, 'totalTimeoutMs must be a whole number'],
    [{ totalTimeoutMs: Infinity }, 'totalTimeoutMs must be a whole number'],
    [{ axios: {} }, 'axios must be an axios instance'],
  ])('refuses %j and says what to fix', (wrong, message) => {
    const create = () => createPortalClient({ ...valid, ...wrong } as typeof valid);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it('does not repeat a wrong key in its message', () => {
    expect(() => createPortalClient({ ...valid, apiKey: 'secret with spaces' })).toThrow(
      /^(?!.*secret with)/,
    );
  });
});
