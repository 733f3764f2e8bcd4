import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { startFakePortal } from '@portal-embed/testing';

import { listen } from '../app.js';

process.env.SESSION_SECRET = 'a secret of the tests, of 32 characters';

let portal;
let app;
beforeEach(async () => {
  portal = await startFakePortal({ users: ['west@acme.example'] });
  app = await listen({ localhost: portal.tenant, '127.0.0.1': portal.tenant }, 0);
});
afterEach(async () => {
  await app.close();
  await portal.close();
});

const send = (path, body, headers, hostName = 'localhost') =>
  fetch(`http://${hostName}:${app.port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
const post = (path, body, cookie = '') => send(path, JSON.stringify(body), { cookie });

async function signIn(email) {
  const answer = await post('/sign-in', { email });
  assert.equal(answer.status, 204);
  return answer.headers.get('set-cookie').split(';')[0];
}

test('a signed-in user gets a URL with the rows of their region', async () => {
  const answer = await post('/portal-embed/url', {}, await signIn('west@acme.example'));
  assert.equal(answer.status, 200);
  const { embedUrl } = await answer.json();
  assert.equal(portal.minted[0].embedUrl, embedUrl);
  assert.equal(portal.minted[0].userEmail, 'west@acme.example');
  assert.deepEqual(portal.minted[0].customFilters, [{ key: 'Sales/Region', value: 'West' }]);
});

test('another region is refused', async () => {
  const customFilters = [{ key: 'Sales/Region', value: 'East' }];
  const answer = await post(
    '/portal-embed/url',
    { customFilters },
    await signIn('west@acme.example'),
  );
  assert.equal(answer.status, 403);
  assert.equal(portal.minted.length, 0);
});

test('without a session, or with a forged one, nobody gets a URL', async () => {
  const cookie = await signIn('west@acme.example');
  for (const each of ['', `${cookie}x`, 'session=d2VzdEBhY21lLmV4YW1wbGU.x'])
    assert.equal((await post('/portal-embed/url', {}, each)).status, 401);
  assert.equal((await post('/sign-in', { email: 'nobody@acme.example' })).status, 401);
});

test('a user that the portal does not know is refused', async () => {
  const answer = await post('/portal-embed/url', {}, await signIn('east@acme.example'));
  assert.equal((await answer.json()).code, 'no_portal_user');
});

test('a session is valid only at the host name of its sign-in', async () => {
  const cookie = await signIn('west@acme.example');
  const answer = await send('/portal-embed/url', '{}', { cookie }, '127.0.0.1');
  assert.equal(answer.status, 401);
});

test('a sign-out ends the sessions at the portal', async () => {
  const answer = await post('/sign-out', {}, await signIn('west@acme.example'));
  assert.equal(answer.status, 204);
  assert.match(answer.headers.get('set-cookie'), /^session=;.*Max-Age=0$/);
  const { method, url } = portal.received.at(-1);
  assert.equal(`${method} ${url}`, 'DELETE /api/user/west%40acme.example/sessions');
});

test('sign-in and sign-out refuse requests from another site', async () => {
  const body = JSON.stringify({ email: 'west@acme.example' });
  for (const path of ['/sign-in', '/sign-out'])
    assert.equal((await send(path, body, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
});

test('a sign-in without an e-mail is a bad request', async () => {
  for (const body of ['west@acme.example', 'null', '{}', '{"email":1}'])
    assert.equal((await send('/sign-in', body)).status, 400);
});
