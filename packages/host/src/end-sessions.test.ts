import { inspect } from 'node:util';

import { jsonAnswer, problemAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { beforeEach, describe, expect, it } from 'vitest';

import { signingOut } from '../test/entry.ts';
import type { Options } from '../test/entry.ts';
import { acme, apiKey } from '../test/host-app.ts';
import { portal, setStage, start } from '../test/stage.ts';

setStage();

let lines: object[];
beforeEach(() => {
  lines = [];
  portal.answer(jsonAnswer(204));
  signingOut.user = { email: 'west@acme.example', hostName: 'acme.localhost' };
});

/** Signs out with a request and returns the result. */
async function signOut(options: Partial<Options> = {}, input: { host?: string } = {}) {
  const log = (fields: object, message: string) => void lines.push({ ...fields, message });
  const logger = { info: log, warn: log, error: log };
  const { send } = await start({ logger, ...options });
  const body = { userEmail: 'all@acme.example', email: 'all@acme.example' };
  const answer = await send({ method: 'POST', path: '/sign-out', body, ...input });
  expect(answer.status).toBe(200);
  return answer.json;
}

describe('endSessions', () => {
  it("ends the sessions of the given user at the tenant's portal", async () => {
    expect(await signOut()).toEqual({ status: 'ended' });
    expect(portal.received).toMatchObject([
      {
        method: 'DELETE',
        url: '/api/user/west%40acme.example/sessions',
        headers: { 'x-api-key': apiKey },
        body: undefined,
      },
    ]);
    expect(lines).toMatchObject([
      { message: 'portal sign-out', tenant: 'acme.localhost', outcome: 'ended' },
    ]);
  });

  it('takes the tenant from the request, as the mint does', async () => {
    const tenants = {
      'acme.localhost': acme(portal),
      'globex.localhost': acme(portal, { apiKey: 'pk_globex' }),
    };
    signingOut.user = { email: 'west@acme.example' };
    expect(await signOut({ tenants }, { host: 'globex.localhost' })).toEqual({ status: 'ended' });
    expect(portal.received[0]!.headers['x-api-key']).toBe('pk_globex');
  });

  it("does not end another tenant's sessions for a user of this one", async () => {
    const tenants = {
      'acme.localhost': acme(portal),
      'globex.localhost': acme(portal, { apiKey: 'pk_globex' }),
    };
    const result = await signOut({ tenants }, { host: 'globex.localhost' });
    expect(result).toMatchObject({ status: 'failed', code: 'not_signed_in' });
    expect(portal.received).toHaveLength(0);
  });

  it('is unknown_user if the portal does not know the user', async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    expect(await signOut()).toEqual({ status: 'unknown_user' });
  });

  it('is unknown_user for a name that no user of a portal can have', async () => {
    signingOut.user = { email: 'west' };
    expect(await signOut()).toEqual({ status: 'unknown_user' });
    expect(portal.received).toHaveLength(0);
  });

  const loseFirst = (next: FakeAnswer): FakeAnswer => {
    let count = 0;
    return (request, response) => (count++ === 0 ? response.destroy() : next(request, response));
  };
  it.each([
    ['an unknown address', problemAnswer(404, 'not_found')],
    ['a 404 without a code', jsonAnswer(404, 'nothing here')],
    ['another method of the address', jsonAnswer(405)],
    ['a 404 after a lost answer', loseFirst(jsonAnswer(404))],
  ])('is unsupported if the portal answers with %s', async (_, answer) => {
    portal.answer(answer);
    expect(await signOut()).toEqual({ status: 'unsupported' });
    expect(lines).toMatchObject([{ outcome: 'unsupported' }]);
  });
});

describe('a failure of endSessions', () => {
  it.each([
    ['a rejected key', problemAnswer(401, 'invalid_api_key'), 'portal_rejected_key'],
    ['a missing permission', problemAnswer(403, 'missing_permission'), 'portal_rejected_key'],
    ['a broken portal', jsonAnswer(500), 'portal_unavailable'],
    ['a redirect', jsonAnswer(307, undefined, { Location: '/x' }), 'portal_unavailable'],
  ])('is a result, without secrets: %s', async (_, answer, code) => {
    portal.answer(answer);
    const result = await signOut({ limits: { timeoutMs: 2_000 } });
    expect(result).toEqual({ status: 'failed', code, detail: expect.any(String) as string });
    expect(lines).toMatchObject([{ message: 'portal sign-out failed', code }]);
    expect(inspect([result, lines])).not.toMatch(/west|pk_|about/);
  });

  it('is portal_timeout at the deadline', async () => {
    portal.answer(() => {});
    expect(await signOut({ limits: { timeoutMs: 150 } })).toMatchObject({
      status: 'failed',
      code: 'portal_timeout',
    });
  });

  it('is portal_timeout if a look-up hangs', async () => {
    const tenants = () => new Promise<never>(() => {});
    expect(await signOut({ tenants, limits: { timeoutMs: 50 } })).toMatchObject({
      code: 'portal_timeout',
    });
  });

  it('is unknown_tenant at another host name', async () => {
    expect(await signOut({}, { host: 'evil.localhost' })).toMatchObject({ code: 'unknown_tenant' });
    expect(portal.received).toHaveLength(0);
  });

  it.each([
    [
      'the key',
      { tenants: () => acme(portal, { apiKey: () => Promise.reject(new Error('pk_x')) }) },
    ],
    ['the tenants', { tenants: () => Promise.reject(new Error('pk_x')) }],
  ])('is reported if a callback throws: %s', async (_, options) => {
    const errors: unknown[] = [];
    const result = await signOut({ ...options, onError: ({ error }) => errors.push(error) });
    expect(result).toMatchObject({ status: 'failed', code: 'portal_unavailable' });
    expect(errors).toEqual([new Error('pk_x')]);
    expect(inspect([result, lines])).not.toContain('pk_x');
  });

  it.each([null, undefined, {}, { email: 5 }])('is a result for the user %o', async (user) => {
    signingOut.user = user as unknown as (typeof signingOut)['user'];
    expect(await signOut()).toMatchObject({ status: 'failed' });
    expect(portal.received).toHaveLength(0);
  });
});
