import jwt from 'jsonwebtoken';
import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, startApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/host-app.ts';
import * as asyncLookUp from './async-look-up.ts';
import * as expressSession from './express-session.ts';
import * as jwtExample from './jwt.ts';
import * as otherOrigin from './other-origin.ts';
import * as passport from './passport.ts';
import * as signOut from './sign-out.ts';

const email = 'west@acme.example';
let portal: FakePortal;
let app: RunningApp;

beforeEach(async () => {
  portal = await startFakePortal();
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const tenants = () => ({
  'acme.localhost': acme(portal),
  'globex.localhost': acme(portal, { apiKey: 'pk_globex' }),
});

const sendPassword = (password: string, headers: Record<string, string> = {}) =>
  app.send({
    method: 'POST',
    path: '/sign-in',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: { email, password },
  });
const signIn = async (password: string) => {
  const answer = await sendPassword(password);
  return String(answer.headers['set-cookie']).split(';')[0]!;
};

/** Expects what each example must do with its session. */
async function expectSessionToDecide(session: Record<string, string>) {
  expect(await app.mint()).toMatchObject({ status: 401, json: { code: 'not_signed_in' } });
  expect(portal.received).toHaveLength(0);
  expect((await app.mint({ headers: session })).status).toBe(200);
  expect(portal.received[0]!.body).toMatchObject({ userEmail: email });
  expect(await app.mint({ headers: session, host: 'globex.localhost' })).toMatchObject({
    status: 401,
  });
  expect(portal.received).toHaveLength(1);
}

describe('a session mints for its user at its own host name only:', () => {
  it.each([
    ['express-session', expressSession],
    ['Passport', passport],
    ['an application that signs out', signOut],
  ])('%s', async (_, { createApp }) => {
    app = await startApp((host) => host.use(createApp(tenants())));
    expect((await app.mint({ headers: { Cookie: await signIn('wrong') } })).status).toBe(401);
    expect((await sendPassword('correct', { 'Content-Encoding': 'gzip' })).status).toBe(415);
    await expectSessionToDecide({ Cookie: await signIn('correct') });
  });

  it('a JWT', async () => {
    app = await startApp((host) => host.use(jwtExample.createApp(tenants())));
    const token = jwt.sign({ email, aud: 'acme.localhost' }, jwtExample.secret);
    await expectSessionToDecide({ Authorization: `Bearer ${token}` });
    // A token without an audience, or with several, is valid at no tenant.
    for (const audience of [{}, { aud: ['acme.localhost', 'globex.localhost'] }]) {
      const loose = jwt.sign({ email, ...audience }, jwtExample.secret);
      const headers = { Authorization: `Bearer ${loose}` };
      expect((await app.mint({ headers })).status).toBe(401);
    }
    const forged = jwt.sign({ email, aud: 'acme.localhost' }, 'another secret');
    const answer = await app.mint({ headers: { Authorization: `Bearer ${forged}` } });
    expect(answer.status).toBe(401);
    expect(portal.received).toHaveLength(1);
  });

  it('an asynchronous look-up', async () => {
    const table: Record<string, ReturnType<typeof acme>> = tenants();
    const createApp = () =>
      asyncLookUp.createApp({
        findTenant: async (hostName) => table[hostName] ?? null,
        findSession: async (id) =>
          id === 's1' ? { email, hostName: 'acme.localhost', isManager: false } : null,
      });
    app = await startApp((host) => host.use(createApp()));
    await expectSessionToDecide({ 'X-Session': 's1' });
    expect(portal.received[0]!.body).toMatchObject({
      customFilters: [{ key: 'Orders/Region', value: 'West' }],
    });
  });
});

describe('an application that signs out', () => {
  it("opens links, and ends the user's portal sessions after its own", async () => {
    app = await startApp((host) => host.use(signOut.createApp(tenants())));
    const headers = { Cookie: await signIn('correct') };
    const open = () => app.send({ path: '/portal-embed/open', headers });
    expect((await open()).status).toBe(303);
    portal.received.length = 0;
    const leave = (more = {}) =>
      app.send({ method: 'POST', path: '/sign-out', headers: { ...headers, ...more } });
    expect((await leave({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(portal.received).toHaveLength(0);
    let isSignedOut = false;
    portal.answer(async (request, response) => {
      isSignedOut = (await open()).status === 401;
      return jsonAnswer(204)(request, response);
    });
    expect(await leave()).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(portal.received).toMatchObject([
      { method: 'DELETE', url: '/api/user/west%40acme.example/sessions' },
    ]);
    expect(isSignedOut).toBe(true);
    expect((await leave()).status).toBe(303);
    expect(portal.received).toHaveLength(1);
  });
});

describe('a single-page application on another origin', () => {
  const page = {
    Origin: 'https://www.acme.example',
    'Sec-Fetch-Site': 'cross-site',
    'Content-Type': 'application/json',
    'X-Forwarded-Proto': 'https',
  };
  const post = (path: string, headers: Record<string, string>, body: object = {}) =>
    app.send({ method: 'POST', path, host: 'api.acme-app.example', headers, body });

  it('signs in and mints with a cookie for other sites', async () => {
    app = await startApp((host) => host.use(otherOrigin.createApp(acme(portal))));
    const signedIn = await post('/sign-in', page, { email, password: 'correct' });
    const [cookie = ''] = [signedIn.headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/; Secure; SameSite=None$/);
    const headers = { ...page, Cookie: cookie.split(';')[0]! };
    expect(await post('/portal-embed/url', headers)).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': page.Origin,
        'access-control-allow-credentials': 'true',
      },
    });
  });

  it('is the only other origin that may sign in', async () => {
    app = await startApp((host) => host.use(otherOrigin.createApp(acme(portal))));
    const evil = { ...page, Origin: 'https://evil.example' };
    expect((await post('/sign-in', evil, { email, password: 'correct' })).status).toBe(403);
  });
});
