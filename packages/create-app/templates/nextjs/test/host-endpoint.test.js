import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startFakePortal } from '@portal-embed/testing';

const portal = await startFakePortal({ users: ['west@acme.example'] });
after(() => portal.close());
Object.assign(process.env, {
  REPORTS_URL: portal.tenant.apiUrl,
  REPORTS_API_KEY: portal.tenant.apiKey,
  REPORTS_ORGANIZATION_ID: portal.tenant.organizationId,
  REPORTS_PORTAL_URL: portal.tenant.portalUrl,
  SESSION_SECRET: 'a secret of the tests, of 32 characters',
});
// Imported late, because policy.js reads the variables.
const { POST: mint } = await import('../app/portal-embed/url/route.js');
const { POST: postSignIn } = await import('../app/sign-in/route.js');
const { POST: postSignOut } = await import('../app/sign-out/route.js');

/** A request as Next.js passes it on. */
const createRequest = (path, body, headers) =>
  new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      host: 'localhost:3000',
      'x-forwarded-proto': 'http',
      ...headers,
    },
    body,
  });

async function signIn(email) {
  const answer = await postSignIn(createRequest('/sign-in', JSON.stringify({ email })));
  assert.equal(answer.status, 204);
  return answer.headers.get('set-cookie').split(';')[0];
}
const post = (body, cookie) =>
  mint(createRequest('/portal-embed/url', JSON.stringify(body), { cookie }));

test('a signed-in user gets a URL with the rows of their region', async () => {
  const answer = await post({}, await signIn('west@acme.example'));
  assert.equal(answer.status, 200);
  const { embedUrl } = await answer.json();
  const minted = portal.minted.at(-1);
  assert.equal(minted.embedUrl, embedUrl);
  assert.equal(minted.userEmail, 'west@acme.example');
  assert.deepEqual(minted.customFilters, [{ key: 'Sales/Region', value: 'West' }]);
});

test('another region is refused', async () => {
  const customFilters = [{ key: 'Sales/Region', value: 'East' }];
  assert.equal((await post({ customFilters }, await signIn('west@acme.example'))).status, 403);
});

test('without a session, or with a forged one, nobody gets a URL', async () => {
  const cookie = await signIn('west@acme.example');
  for (const each of ['', `${cookie}x`, 'session=d2VzdEBhY21lLmV4YW1wbGU.x'])
    assert.equal((await post({}, each)).status, 401);
});

test('a session is valid only at the host name of its sign-in', async () => {
  const body = JSON.stringify({ email: 'west@acme.example' });
  const headers = { host: 'globex.localhost:3000' };
  const signedIn = await postSignIn(createRequest('/sign-in', body, headers));
  assert.equal((await post({}, signedIn.headers.get('set-cookie').split(';')[0])).status, 401);
});

test('a sign-out ends the sessions at the portal', async () => {
  const cookie = await signIn('west@acme.example');
  const answer = await postSignOut(createRequest('/sign-out', '{}', { cookie }));
  assert.equal(answer.status, 204);
  assert.match(answer.headers.get('set-cookie'), /^session=;.*Max-Age=0$/);
  const { method, url } = portal.received.at(-1);
  assert.equal(`${method} ${url}`, 'DELETE /api/user/west%40acme.example/sessions');
});

test('sign-in and sign-out refuse requests from another site', async () => {
  const body = JSON.stringify({ email: 'west@acme.example' });
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  assert.equal((await postSignIn(createRequest('/sign-in', body, headers))).status, 403);
  assert.equal((await postSignOut(createRequest('/sign-out', body, headers))).status, 403);
});

test('a sign-in without an e-mail is a bad request', async () => {
  for (const body of ['west@acme.example', 'null', '{}', '{"email":1}'])
    assert.equal((await postSignIn(createRequest('/sign-in', body))).status, 400);
});
