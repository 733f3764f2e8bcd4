import { inspect } from 'node:util';

import axios from 'axios';
import { jsonAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  apiKey,
  client,
  catchError,
  id,
  portal,
  startPortalForEachTest,
  userEmail,
} from '../test/stage.ts';
import { createPortalClient } from './index.ts';

startPortalForEachTest();

const reset: FakeAnswer = (_, response) => response.destroy();

describe('an error', () => {
  it("has the portal's code, status, request id and field errors", async () => {
    const errors = [{ path: 'userEmail', message: 'is odd' }];
    const problem = { code: 'user_not_found', detail: 'Create it.', requestId: 'r-1', errors };
    portal.answer(jsonAnswer(404, problem));
    const error = await catchError(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({
      code: 'user_not_found',
      status: 404,
      requestId: 'r-1',
      retryable: false,
      errors,
    });
    expect(error.message).toBe(
      'POST /api/identity/url was answered 404 user_not_found: Create it.',
    );
  });

  it.each([
    ['a code of the contract', { code: 'not_found' }, false],
    ['an unknown code', { code: 'E404' }, true],
    ['no code', undefined, true],
  ])('for a 404 with %s sets codeFromStatus', async (_, body, codeFromStatus) => {
    portal.answer(jsonAnswer(404, body));
    const error = await catchError(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({ code: 'not_found', codeFromStatus });
  });

  it.each([
    ['https://sso.example/login?token=secret', 'https://sso.example'],
    ['/login?token=secret', 'another path'],
    [undefined, 'another path'],
  ])('the error for a redirect to %s names only %s', async (location, target) => {
    portal.answer(jsonAnswer(302, undefined, location === undefined ? {} : { Location: location }));
    const error = await catchError(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({ code: 'portal_redirected', status: 302 });
    expect(error.message).toBe(
      `POST /api/identity/url was redirected to ${target}. Redirects are not followed, because they could leak the API key. Set apiUrl to the address that answers without a redirect.`,
    );
  });

  it('invalid input is not sent, and the error names its fields', async () => {
    const error = await catchError(client.identity.mintUrl({ userEmail: 'nobody', reportId: id }));
    expect(error).toMatchObject({ code: 'invalid_request', status: undefined });
    expect(error.message).toContain('userEmail must be an e-mail address');
    expect(portal.received).toHaveLength(0);
  });

  it.each(['PK.Mixed_Case-KEY', apiKey.toUpperCase()])(
    'does not contain the key %s in any letter case',
    async (mixed) => {
      const own = createPortalClient({ apiUrl: portal.url, apiKey: mixed });
      const evil = `https://${mixed}.evil.test/`;
      for (const answer of [
        jsonAnswer(307, undefined, { Location: evil }),
        jsonAnswer(400, { code: 'invalid_request', detail: mixed.toLowerCase() }),
      ]) {
        portal.answer(answer);
        const error = await catchError(own.users.delete({ userEmail }));
        expect(inspect(error).toLowerCase()).not.toContain(mixed.toLowerCase());
      }
      await own.close();
    },
  );

  it('does not contain the key that the portal repeats', async () => {
    const echo = jsonAnswer(
      400,
      {
        code: 'invalid_request',
        detail: `bad ${apiKey}`,
        requestId: apiKey,
        errors: [{ path: apiKey, message: apiKey }],
      },
      { 'X-Request-Id': apiKey },
    );
    const inHeader = jsonAnswer(400, {}, { 'X-Request-Id': apiKey });
    const redirect = jsonAnswer(307, undefined, { Location: `https://${apiKey}.evil.test/` });
    const injected = createPortalClient({ apiUrl: portal.url, apiKey, axios: axios.create() });
    for (const answer of [echo, inHeader, redirect, reset])
      for (const each of [client, injected]) {
        portal.answer(answer);
        const error = await catchError(each.users.delete({ userEmail }));
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(apiKey);
        expect(JSON.stringify(error)).not.toContain(apiKey);
      }
  });
});

describe('an error of an interceptor', () => {
  const failing = (key: string, thrown: unknown) => {
    const instance = axios.create();
    instance.interceptors.request.use(() => Promise.reject(thrown));
    return createPortalClient({ apiUrl: portal.url, apiKey: key, axios: instance, maxAttempts: 1 });
  };

  it.each([apiKey, 'PK_KEY_IN_CAPITALS'])(
    'the error does not contain the key %s from the code of an interceptor error',
    async (key) => {
      for (const code of [key, `E_${key}`, key.toUpperCase(), `ECONNRESET ${key}`]) {
        const own = failing(key, Object.assign(new Error(key), { code }));
        const error = await catchError(own.users.delete({ userEmail }));
        expect(error.code).toBe('portal_unavailable');
        const shown = inspect(error, { depth: 20, showHidden: true });
        expect(shown.toLowerCase()).not.toContain(key.toLowerCase());
      }
    },
  );

  it.each([
    undefined,
    null,
    'text',
    7,
    { code: 7 },
    { code: 'sent cGs=' },
    { code: ['ECONNREFUSED'] },
  ])(
    'an interceptor may throw any value, and the error shows only system error codes: %j',
    async (thrown) => {
      const error = await catchError(failing(apiKey, thrown).users.delete({ userEmail }));
      expect(error).toMatchObject({ code: 'portal_unavailable' });
      expect(error.message).toContain('did not reach the portal (unknown)');
    },
  );
});
