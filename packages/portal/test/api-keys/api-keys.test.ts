import { createHash } from 'node:crypto';

import type { Permission } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { listActivity } from '../../src/activity-log/service.ts';
import { authenticateKey, createKeyCache } from '../../src/api-keys/authenticate.ts';
import { presentApiKey } from '../../src/api-keys/presenter.ts';
import {
  createApiKey,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../src/api-keys/service.ts';
import { findApiKeyByHash, touchApiKey } from '../../src/api-keys/store.ts';
import { inTransaction } from '../../src/db/connection/open.ts';
import { sha256 } from '../../src/secrets.ts';
import { keyActor } from '../support/actors.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { recordStatements } from '../support/statements.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const newKey = (permissions: Permission[] = ['reports:read'], expiresAt: Date | null = null) =>
  createApiKey(portal.acme.ctx, { name: 'a key', permissions, expiresAt });

const statusOf = async (key: string | null) =>
  (await portal.api('GET', '/api/report', { key })).status;

const find = async (id: string) => {
  const rows = await listApiKeys(portal.acme.ctx);
  return presentApiKey(rows.find((row) => row.id === id)!);
};

/** Sets the expiry of a key, which may be in the past. */
const setExpiry = (id: string, time: Date) =>
  sql`UPDATE api_keys SET expires_at = ${time} WHERE id = ${id}`.execute(portal.db);

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);

describe('an API key', () => {
  it('has exactly its permissions, and a refusal names the missing one', async () => {
    const { key } = await newKey(['users:read', 'reports:read']);
    expect((await portal.api('GET', '/api/user', { key })).status).toBe(200);
    expect((await portal.api('GET', '/api/report', { key })).status).toBe(200);
    const answer = await portal.api('GET', '/api/report-audit', { key });
    expect([answer.status, answer.json().code]).toEqual([403, 'missing_permission']);
    expect(answer.json().detail).toBe(
      'This API key lacks the permission audit:read. Use a key that has it.',
    );
  });

  it('is stored only as its SHA-256 hash', async () => {
    const { id, key } = await newKey();
    const { rows } = await sql<{ row: string; hash: Buffer }>`
      SELECT api_keys::text AS row, key_hash AS hash FROM api_keys WHERE id = ${id}`.execute(
      portal.db,
    );
    expect(rows[0]!.hash).toEqual(createHash('sha256').update(key).digest());
    // Split by length: the secret may contain underscores.
    for (const part of [key, key.slice(4, 47), key.slice(48)])
      expect(rows[0]!.row).not.toContain(part);
  });

  it('gets the same 401 if it is missing, malformed, unknown, revoked or expired', async () => {
    const revoked = await newKey();
    await revokeApiKey(portal.acme.ctx, revoked);
    const expired = await newKey(['reports:read'], hoursFromNow(1));
    await setExpiry(expired.id, new Date());
    const known = (await newKey()).key;
    const unknown = 'pek_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_0f007385';
    const keys = [null, 'x', `${known}0`, unknown, revoked.key, expired.key];
    const bodies = new Set<string>();
    for (const key of keys) {
      const answer = await portal.api('GET', '/api/report', { key });
      expect(answer.status).toBe(401);
      bodies.add(JSON.stringify({ ...answer.json(), requestId: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('works until its expiry', async () => {
    const { id, key } = await newKey(['reports:read'], hoursFromNow(1));
    expect(await statusOf(key)).toBe(200);
    const expiresAt = Date.now() + 500;
    await setExpiry(id, new Date(expiresAt));
    let lastServed = 0;
    for (;;) {
      const askedAt = Date.now();
      if ((await statusOf(key)) === 401) break;
      lastServed = askedAt;
    }
    expect(lastServed).toBeLessThan(expiresAt);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
  });

  it('cannot be created with an expiry in the past', async () => {
    const refused = {
      code: 'invalid_request',
      message: 'expiresAt must be in the future.',
      errors: [{ path: 'expiresAt', message: 'must be in the future' }],
    };
    const past = new Date(Date.now() - 1);
    await expect(newKey(['reports:read'], past)).rejects.toMatchObject(refused);
    const { id } = await newKey();
    const rotation = { id, oldWorksUntil: hoursFromNow(1), expiresAt: past };
    await expect(rotateApiKey(portal.acme.ctx, rotation)).rejects.toMatchObject(refused);
    expect(await find(id)).toMatchObject({ replacedBy: null, expiresAt: null });
  });

  it('can be renamed only by its own organization', async () => {
    const { id } = await newKey();
    await renameApiKey(portal.acme.ctx, { id, name: 'another name' });
    expect(await find(id)).toMatchObject({ name: 'another name' });
    const { ctx } = portal.globex;
    await expect(renameApiKey(ctx, { id, name: 'stolen' })).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
    await expect(revokeApiKey(ctx, { id })).rejects.toMatchObject({ code: 'api_key_not_found' });
    expect(await find(id)).toMatchObject({ name: 'another name', state: 'live' });
  });

  it('keeps its name and state when another one is renamed, rotated or revoked', async () => {
    const { ctx } = portal.acme;
    const [kept, changed] = [await newKey(), await newKey()];
    const before = await find(kept.id);
    expect(Math.abs(Date.parse(before.createdAt) - Date.now())).toBeLessThan(60_000);
    await renameApiKey(ctx, { id: changed.id, name: 'changed' });
    await rotateApiKey(ctx, { id: changed.id, oldWorksUntil: hoursFromNow(1) });
    await revokeApiKey(ctx, { id: changed.id });
    expect(await find(kept.id)).toEqual(before);
    expect(await find(changed.id)).toMatchObject({ name: 'changed', state: 'revoked' });
  });

  it('stops working at once and permanently when it is revoked', async () => {
    const { id, key } = await newKey();
    expect(await statusOf(key)).toBe(200);
    await revokeApiKey(portal.acme.ctx, { id });
    expect(await statusOf(key)).toBe(401);
    const { revokedAt } = await find(id);
    await revokeApiKey(portal.acme.ctx, { id });
    expect(await find(id)).toMatchObject({ state: 'revoked', revokedAt });
  });

  it('that ended its sessions does not let them continue when it is revoked again', async () => {
    const { acme } = portal;
    const { id, key: apiKey } = await newKey(['identity:mint']);
    const { bearer } = await startSession(
      portal,
      { ...acme, apiKey },
      { userEmail: acme.emails.west },
    );
    const getStatus = async () => (await view(acme.address, bearer, acme.reportId)).status;
    await revokeApiKey(acme.ctx, { id, keepSessions: true });
    expect(await getStatus()).toBe(200);
    await revokeApiKey(acme.ctx, { id });
    expect(await getStatus()).toBe(401);
    await revokeApiKey(acme.ctx, { id, keepSessions: true });
    expect(await getStatus()).toBe(401);
  });
});

it('a key that was used or refused within the last minute writes nothing', async () => {
  const { ctx } = portal.acme;
  const { id, key } = await newKey();
  // The statement that looks the key up is prepared, and not recorded.
  const countStatements = async () => {
    const statements = await recordStatements(portal.db, (db) =>
      authenticateKey({ ...ctx, db }, key).catch(() => {}),
    );
    return statements.length;
  };
  expect(await countStatements()).toBeGreaterThan(0);
  // The time of a use is written after the answer.
  await expect.poll(countStatements).toBe(0);
  await revokeApiKey(ctx, { id });
  expect(await countStatements()).toBeGreaterThan(0);
  expect(await countStatements()).toBe(0);
});

it('the list of keys has every field, oldest key first', async () => {
  const expiresAt = hoursFromNow(1);
  const first = await newKey(['users:read', 'rls:read'], expiresAt);
  const { id } = await newKey();
  const never = { revokedAt: null, lastUsedAt: null, lastRefusedAt: null, replacedBy: null };
  const listed = await listApiKeys(portal.acme.ctx);
  const ids = listed.map((row) => row.id);
  expect(ids.slice(-2)).toEqual([first.id, id]);
  expect(await find(first.id)).toEqual({
    id: first.id,
    name: 'a key',
    permissions: ['users:read', 'rls:read'],
    state: 'live',
    createdAt: expect.any(String),
    expiresAt: expiresAt.toISOString(),
    ...never,
  });
  await setExpiry(first.id, new Date());
  expect(await find(first.id)).toMatchObject({ state: 'expired' });
  await revokeApiKey(portal.acme.ctx, { id });
  expect(await find(id)).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
  expect((await listApiKeys(portal.globex.ctx)).map((row) => row.id)).not.toContain(id);
});

it('the activity log has every change of a key, but not the key itself', async () => {
  const { ctx } = portal.acme;
  const [expiresAt, oldWorksUntil] = [hoursFromNow(5), hoursFromNow(1)];
  const { id } = await newKey(['reports:read'], expiresAt);
  await renameApiKey(ctx, { id, name: 'renamed' });
  const successor = await rotateApiKey(ctx, { id, oldWorksUntil, expiresAt });
  await revokeApiKey(ctx, { id, keepSessions: true });
  await revokeApiKey(ctx, successor);
  const entries = await listActivity(ctx, { limit: 5 });
  const expiry = { expiresAt: expiresAt.toISOString() };
  const end = { replacedBy: successor.id, oldWorksUntil: oldWorksUntil.toISOString() };
  expect(entries.map(({ action, subject, details }) => [action, subject, details])).toEqual([
    ['revokeApiKey', successor.id, { keepSessions: false }],
    ['revokeApiKey', id, { keepSessions: true }],
    ['rotateApiKey', id, { ...end, ...expiry }],
    ['renameApiKey', id, { name: 'renamed' }],
    ['createApiKey', id, { name: 'a key', permissions: ['reports:read'], ...expiry }],
  ]);
});

it('API keys cannot manage API keys', async () => {
  const { ctx } = portal.acme;
  const asKey = { ...ctx, actor: keyActor(portal.acme.id) };
  const { id } = await newKey();
  const refused = { code: 'missing_permission' };
  const create = createApiKey(asKey, { name: 'x', permissions: [] });
  await expect(create).rejects.toMatchObject(refused);
  expect(() => listApiKeys(asKey)).toThrow('No API key may do this');
  await expect(renameApiKey(asKey, { id, name: 'x' })).rejects.toMatchObject(refused);
  const rotation = { id, oldWorksUntil: hoursFromNow(1) };
  await expect(rotateApiKey(asKey, rotation)).rejects.toMatchObject(refused);
  await expect(revokeApiKey(asKey, { id })).rejects.toMatchObject(refused);
});

describe('a minting key', () => {
  it('gets 401 at the first mint after its revocation', async () => {
    const { acme } = portal;
    const { id, key } = await newKey(['identity:mint']);
    const json = { userEmail: acme.emails.west, baseUrl: acme.address };
    const mint = async () => (await portal.api('POST', '/api/identity/url', { key, json })).status;
    for (let count = 0; count < 5; count++) expect(await mint()).toBe(200);
    await revokeApiKey(acme.ctx, { id });
    expect([await mint(), await mint()]).toEqual([401, 401]);
  });
});

describe('a cached key', () => {
  it('expires from the cache after half a minute', async () => {
    const { id, key } = await newKey();
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    const recall = createKeyCache();
    const recallAfter = (ms: number) => {
      clock.mockReturnValue(1_000_000 + ms);
      return recall({ db: portal.db, publicUrl: portal.publicUrl }, key);
    };
    expect((await recallAfter(0)).actor.id).toBe(id);
    await revokeApiKey(portal.acme.ctx, { id });
    expect((await recallAfter(29_000)).actor.id).toBe(id);
    await expect(recallAfter(30_001)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a key rotation', () => {
  it('creates a key with the same permissions and keeps the old one until the given time', async () => {
    const old = await newKey(['reports:read', 'users:read']);
    const oldWorksUntil = hoursFromNow(1);
    const successor = await rotateApiKey(portal.acme.ctx, { id: old.id, oldWorksUntil });
    expect(await find(successor.id)).toMatchObject({
      name: 'a key',
      permissions: ['reports:read', 'users:read'],
      expiresAt: null,
    });
    expect(await find(old.id)).toMatchObject({ expiresAt: oldWorksUntil.toISOString() });
    expect([await statusOf(old.key), await statusOf(successor.key)]).toEqual([200, 200]);
    await setExpiry(old.id, new Date());
    expect([await statusOf(old.key), await statusOf(successor.key)]).toEqual([401, 200]);
  });

  it('never extends the lifetime of the old key', async () => {
    const expiresAt = hoursFromNow(1);
    const { id } = await newKey(['reports:read'], expiresAt);
    await rotateApiKey(portal.acme.ctx, { id, oldWorksUntil: hoursFromNow(48) });
    expect(await find(id)).toMatchObject({ expiresAt: expiresAt.toISOString() });
  });

  it('gives the new key the lifetime of the old one or the requested expiry', async () => {
    const lifetime = 100 * 3_600_000;
    const { id } = await newKey(['reports:read'], hoursFromNow(90));
    await sql`UPDATE api_keys SET created_at = ${hoursFromNow(-10)} WHERE id = ${id}`.execute(
      portal.db,
    );
    const second = await rotateApiKey(portal.acme.ctx, { id, oldWorksUntil: hoursFromNow(1) });
    const expiry = Date.parse((await find(second.id)).expiresAt!);
    expect(Math.abs(expiry - Date.now() - lifetime)).toBeLessThan(60_000);
    const third = await rotateApiKey(portal.acme.ctx, {
      id: second.id,
      oldWorksUntil: hoursFromNow(1),
      expiresAt: null,
    });
    expect((await find(third.id)).expiresAt).toBeNull();
  });

  it.each(['revoked', 'expired'])('is refused for a key that is %s', async (state) => {
    const { id } = await newKey(['reports:read'], hoursFromNow(1));
    if (state === 'revoked') await revokeApiKey(portal.acme.ctx, { id });
    else await setExpiry(id, new Date());
    const rotation = rotateApiKey(portal.acme.ctx, { id, oldWorksUntil: hoursFromNow(1) });
    await expect(rotation).rejects.toMatchObject({ code: 'api_key_ended' });
    expect(await find(id)).toMatchObject({ state, replacedBy: null });
  });

  it('creates one successor for simultaneous requests', async () => {
    const { id } = await newKey();
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        rotateApiKey(portal.acme.ctx, { id, oldWorksUntil: hoursFromNow(1) }),
      ),
    );
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the last use of a key', () => {
  /** `xmin` is the transaction that last wrote the row. It stays if nothing is written. */
  const readUse = async (id: string) => {
    const { rows } = await sql<{ last_used_at: Date | null; version: string }>`
      SELECT last_used_at, xmin::text AS version FROM api_keys WHERE id = ${id}`.execute(portal.db);
    return rows[0]!;
  };
  /** Waits until a use after `since` has been recorded. */
  const untilUsed = async (id: string, since: number) => {
    const readTime = async () => (await readUse(id)).last_used_at?.getTime();
    await expect.poll(readTime).toBeGreaterThan(since);
    return readUse(id);
  };

  it('is recorded once a minute, not with each request', async () => {
    const { id, key } = await newKey();
    expect((await readUse(id)).last_used_at).toBeNull();
    const startedAt = Date.now();
    await Promise.all(Array.from({ length: 16 }, () => statusOf(key)));
    const first = await untilUsed(id, startedAt - 1);
    expect(first.last_used_at!.getTime()).toBeLessThanOrEqual(Date.now());
    await Promise.all(Array.from({ length: 50 }, () => statusOf(key)));
    // Once the later use of another key is recorded, an earlier write would be done too.
    const later = await newKey();
    await statusOf(later.key);
    await untilUsed(later.id, 0);
    expect(await readUse(id)).toEqual(first);
    const lastUsedAt = first.last_used_at!.toISOString();
    expect(await find(id)).toMatchObject({ lastUsedAt, lastRefusedAt: null });

    const past = new Date(Date.now() - 61_000);
    await sql`UPDATE api_keys SET last_used_at = ${past} WHERE id = ${id}`.execute(portal.db);
    await statusOf(key);
    await untilUsed(id, past.getTime());
  });

  it.each([
    ['55 seconds', false],
    ['61 seconds', true],
  ])('and the last refusal are recorded again after %s: %s', async (age, due) => {
    const { id, key } = await newKey();
    await sql`UPDATE api_keys SET last_used_at = now() - ${age}::interval,
      last_refused_at = now() - ${age}::interval WHERE id = ${id}`.execute(portal.db);
    expect(await findApiKeyByHash(portal.db, sha256(key))).toMatchObject({
      use_due: due,
      refusal_due: due,
    });
    expect(await touchApiKey(portal.db, id, 'last_used_at')).toBe(due);
    expect(await touchApiKey(portal.db, id, 'last_refused_at')).toBe(due);
  });

  it('is not recorded for a look-up in a transaction', async () => {
    const { id, key } = await newKey();
    const { db, publicUrl } = portal;
    const ctx = await inTransaction(db, (transaction) =>
      authenticateKey({ db: transaction, publicUrl }, key),
    );
    expect(ctx.actor.id).toBe(id);
    expect((await readUse(id)).last_used_at).toBeNull();
  });

  it('need not be recorded for a request to succeed', async () => {
    const { db } = portal;
    const { id, key } = await newKey();
    await sql`ALTER TABLE api_keys ADD CONSTRAINT unused CHECK (last_used_at IS NULL) NOT VALID`.execute(
      db,
    );
    const status = await statusOf(key);
    // The request does not wait for this write.
    const busy = () => {
      const { total, idle, waiting } = portal.usage();
      return total - idle + waiting;
    };
    await expect.poll(busy).toBe(0);
    await sql`ALTER TABLE api_keys DROP CONSTRAINT unused`.execute(db);
    expect([status, (await readUse(id)).last_used_at]).toEqual([200, null]);
  });

  it('is not recorded for a revoked key; its refusals are, at most once a minute', async () => {
    const { id, key } = await newKey();
    await revokeApiKey(portal.acme.ctx, { id });
    await Promise.all(Array.from({ length: 10 }, () => statusOf(key)));
    expect(await find(id)).toMatchObject({ lastUsedAt: null, lastRefusedAt: expect.any(String) });
    const { rows } = await sql<{ attempts: number }>`
      SELECT count(*) AS attempts FROM activity_entries WHERE api_key_id = ${id}
        AND action = 'useEndedApiKey' AND refusal = 'invalid_api_key' AND subject = 'a key'`.execute(
      portal.db,
    );
    expect(rows[0]!.attempts).toBe(1);
  });

  it('a revoked key is refused whether or not the refusal is recorded', async () => {
    const { id, key } = await newKey();
    await revokeApiKey(portal.acme.ctx, { id });
    expect([await statusOf(key), await statusOf(key)]).toEqual([401, 401]);
  });
});
