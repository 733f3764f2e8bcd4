import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { startFakePortal } from '@portal-embed/testing';

import { POST as mint } from '../app/portal-embed/url/route.js';
import { POST as postSignIn } from '../app/sign-in/route.js';

const portal = await startFakePortal({ users: ['west@acme.example'] });
after(() => portal.close());
Object.assign(process.env, {
  REPORTS_URL: portal.tenant.apiUrl,
  REPORTS_API_KEY: portal.tenant.apiKey,
  REPORTS_ORGANIZATION_ID: portal.tenant.organizationId,
  REPORTS_PORTAL_URL: portal.tenant.portalUrl,
  SESSION_SECRET: 'a secret of the tests, of 32 characters',
});

/** A request as Next.js passes it on. */
const request = (path, body, cookie = '') =>
  new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      host: 'localhost:3000',
      'x-forwarded-proto': 'http',
      cookie,
    },
    body: JSON.stringify(body),
  });

async function signIn(email) {
  const answer = await postSignIn(request('/sign-in', { email }));
  assert.equal(answer.status, 204);
  return answer.headers.get('set-cookie').split(';')[0];
}
const post = (body, cookie) => mint(request('/portal-embed/url', body, cookie));

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
