import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Context } from '../../src/actor/actor.ts';
import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { mintIdentityUrl } from '../../src/identity-urls/service.ts';
import { deleteOrganization } from '../../src/organizations/service.ts';
import { keyActor } from '../support/actors.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const mintWith = (key: string) =>
  portal.api('POST', '/api/identity/url', { key, json: { userEmail: portal.acme.emails.west } });

const countUrls = async () =>
  (await portal.db.selectFrom('identity_urls').select('address').execute()).length;

const countActivity = async ({ db }: TestPortal) =>
  (await db.selectFrom('activity_entries').select('id').execute()).length;

it('a revoked key cannot mint, even right after a use', async () => {
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

it.each([
  ['is revoked', async (ctx: Context, id: string) => revokeApiKey(ctx, { id })],
  ['is deleted with its organization', async (ctx: Context) => deleteOrganization(ctx)],
])('a key that %s gets 401 for every request', async (_how, end) => {
  const own = await startTestPortal();
  try {
    const { ctx } = own.acme;
    const keys = [
      await createApiKey(ctx, { name: 'mints', permissions: ['identity:mint'] }),
      await createApiKey(ctx, { name: 'reads', permissions: ['users:read'] }),
    ];
    const { address: baseUrl, emails, reportId } = own.acme;
    const wholeMint = { userEmail: emails.west, baseUrl, reportId };
    const requests = [
      { json: { ...wholeMint, organizationId: own.globex.id } },
      { json: { userEmail: emails.west } },
      { json: { surprise: 1 } },
      { json: undefined },
    ];
    for (const { key } of keys)
      expect((await own.api('POST', '/api/identity/url', { key, ...requests[0] })).status).toBe(
        403,
      );
    for (const { id } of keys) await end(ctx, id);
    const before = await countActivity(own);
    for (const { key } of keys)
      for (const request of requests) {
        const refused = await own.api('POST', '/api/identity/url', { key, ...request });
        expect([request, refused.status, refused.json().code]).toEqual([
          request,
          401,
          'invalid_api_key',
        ]);
      }
    const isGone = end.length === 1;
    // Uses of a revoked key are recorded once a minute.
    expect((await countActivity(own)) - before).toBe(isGone ? 0 : keys.length);
  } finally {
    await own.close();
  }
});

it('a key that was revoked after its check is refused as a key, not as a reader', async () => {
  const { ctx, id: organizationId, emails, reportId } = portal.acme;
  const { id } = await createApiKey(ctx, { name: 'checked', permissions: ['identity:mint'] });
  const actor = { ...keyActor(id), permissions: new Set(['identity:mint'] as const) };
  const mint = () => mintIdentityUrl({ ...ctx, actor }, { userEmail: emails.west, reportId });
  expect(await mint()).toMatchObject({ organizationId, reportId });
  await revokeApiKey(ctx, { id });
  await expect(mint()).rejects.toMatchObject({ code: 'invalid_api_key' });
});

it('an expired key cannot mint, even right after a use', async () => {
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

it('a key without the permission to mint cannot mint, even after another use', async () => {
  const { ctx } = portal.acme;
  const { key } = await createApiKey(ctx, { name: 'reader', permissions: ['users:read'] });
  expect((await portal.api('GET', '/api/user', { key })).status).toBe(200);
  expect((await mintWith(key)).status).toBe(403);
  expect((await mintWith(key)).status).toBe(403);
});

it.each([
  ['with permits left', 100],
  ['without permits', 1],
])('a key %s gets 401 after its organization is deleted', async (_name, limit) => {
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
