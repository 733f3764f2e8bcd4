import { describe, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';

const valid = { apiUrl: 'https://portal.example', apiKey: 'pk_1' };

describe('createPortalClient', () => {
  it('apiUrl may have a path prefix and may be text or a URL', () => {
    for (const apiUrl of ['https://intranet.example/portal/', new URL('http://localhost:4000')])
      expect(createPortalClient({ ...valid, apiUrl })).toHaveProperty('users');
  });

  it.each([
    [{ apiUrl: 'portal.example' }, 'apiUrl must be an http or https address'],
    [{ apiUrl: 'ftp://portal.example' }, 'apiUrl must be an http or https address'],
    [{ apiUrl: undefined }, 'apiUrl must be an http or https address'],
    [{ apiUrl: 'https://me:pw@portal.example' }, 'must not contain a user name'],
    [{ apiUrl: 'https://portal.example/?a=1' }, 'Remove everything after'],
    [{ apiUrl: 'http://portal.example' }, 'In a network that you trust, set allowInsecure: true'],
    [{ allowInsecure: 'yes' }, 'allowInsecure must be true or false'],
    [{ apiKey: undefined }, 'apiKey is missing'],
    [{ apiKey: '' }, 'apiKey is missing'],
    [{ apiKey: 'pk\r\nX-Evil: 1' }, 'apiKey must be the key'],
    [{ apiKey: 7 }, 'apiKey must be text'],
    [{ timeout: 1 }, 'timeout is not a known field. Options: apiUrl'],
    [{ maxAttempts: 0 }, 'maxAttempts must be a whole number'],
    [{ totalTimeoutMs: '5' }, 'totalTimeoutMs must be a whole number'],
    [{ totalTimeoutMs: Infinity }, 'totalTimeoutMs must be a whole number'],
    [{ axios: {} }, 'axios must be an axios instance'],
  ])('throws a TypeError for %j: %s', (wrong, message) => {
    const create = () => createPortalClient({ ...valid, ...wrong } as typeof valid);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it.each([
    'http://127.0.0.1:4000',
    'http://127.255.0.9',
    'http://127.1',
    'http://[::1]:4000',
    'http://localhost:4000/portal',
    'http://acme.portal.localhost',
    'http://LOCALHOST.',
    'https://portal.example',
  ])('the client accepts the apiUrl %s', (apiUrl) => {
    expect(createPortalClient({ ...valid, apiUrl })).toHaveProperty('users');
  });

  it.each([
    'http://portal.example',
    'http://10.0.0.7:4000',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:7f00:1]',
    'http://127.0.0.1.portal.example',
    'http://localhost.portal.example',
    'http://mylocalhost',
  ])('the client accepts the apiUrl %s only with allowInsecure', (apiUrl) => {
    for (const allowInsecure of [undefined, false])
      expect(() => createPortalClient({ ...valid, apiUrl, allowInsecure })).toThrow('https');
    const insecure = createPortalClient({ ...valid, apiUrl, allowInsecure: true });
    expect(insecure).toHaveProperty('users');
  });

  it('without options throws a TypeError', () => {
    expect(() => createPortalClient(undefined as never)).toThrow(
      new TypeError('createPortalClient: needs an object with apiUrl and apiKey.'),
    );
  });

  it('the error for an invalid apiKey does not contain the key', () => {
    expect(() => createPortalClient({ ...valid, apiKey: 'secret with spaces' })).toThrow(
      /^(?!.*secret with)/,
    );
  });
});
