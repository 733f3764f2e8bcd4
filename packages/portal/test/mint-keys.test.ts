import { afterAll, beforeAll, expect, it } from 'vitest';

import { createApiKey, revokeApiKey } from '../src/api-keys/service.ts';
import { deleteOrganization } from '../src/organizations/service.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const mintWith = (key: string) =>
  portal.api('POST', '/api/identity/url', { key, json: { userEmail: portal.acme.emails.west } });

const countUrls = async () =>
  (await portal.db.selectFrom('identity_urls').select('address').execute()).length;

it('a key mints nothing from the moment that it is revoked, however lately it was used', async () => {
  const { ctx } = portal.acme;
  const { id, key } = await createApiKey(ctx, { name: 'short', permissions: ['identity:mint'] });
  expect((await mintWith(key)).status).toBe(200);
  expect((await mintWith(key)).status).toBe(200);
  const minted = await countUrls();
  await revokeApiKey(ctx, { id });
  const refused = await mintWith(key);
  expect(refused.status).toBe(401);
  expect(refused.json()).toMatchObject({ code: 'invalid_api_key' });
  expect(await countUrls()).toBe(minted);
});

it('a key mints nothing from the moment that it expires, however lately it was used', async () => {
  const { ctx } = portal.acme;
  const { id, key } = await createApiKey(ctx, { name: 'expiring', permissions: ['identity:mint'] });
  expect((await mintWith(key)).status).toBe(200);
  await portal.db
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute();
  expect((await mintWith(key)).status).toBe(401);
});

it('a key that was used to mint still has no other permission', async () => {
  const { ctx } = portal.acme;
  const { key } = await createApiKey(ctx, { name: 'reader', permissions: ['users:read'] });
  expect((await portal.api('GET', '/api/user', { key })).status).toBe(200);
  expect((await mintWith(key)).status).toBe(403);
  expect((await mintWith(key)).status).toBe(403);
});

it.each([
  ['with permits left', 100],
  ['without permits', 1],
])('a key %s is no key once its organization is deleted', async (_name, limit) => {
  const own = await startTestPortal({ rateLimit: { limit, windowSeconds: 3_600 } });
  try {
    const mintNow = () =>
      own.api('POST', '/api/identity/url', { json: { userEmail: own.acme.emails.west } });
    expect((await mintNow()).status).toBe(200);
    await deleteOrganization(own.acme.ctx);
    const refused = await mintNow();
    expect([refused.status, refused.json().code]).toEqual([401, 'invalid_api_key']);
    const actions = await own.db
      .selectFrom('activity_entries')
      .select('action')
      .where('organization_id', '=', own.acme.id)
      .execute();
    expect(actions).toEqual([{ action: 'deleteOrganization' }]);
  } finally {
    await own.close();
  }
});
