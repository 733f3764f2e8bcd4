import type { Permission } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pickUserChange } from '#admin/requests';

import { createApiKey } from '../../src/api-keys/service.ts';
import { findOrigins, setOrigins } from '../../src/organizations/service.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { findUserByEmail } from '../../src/users/store.ts';
import { countActivity, listNewest } from '../support/activity.ts';
import { signInAs, testPassword, type AdminBrowser } from '../support/admin.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let ada: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  ada = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

let people = 0;
const newEmail = () => `person-${(people += 1)}@acme.example`;

async function createKey(...permissions: Permission[]): Promise<string> {
  return (await createApiKey(portal.acme.ctx, { name: 'narrow', permissions })).key;
}

const authors = [
  ['administrator', 1],
  ['contributor', 2],
  ['workspace contributor', 4],
] as const;

describe('an API key without administrators:write', () => {
  it.each(authors)('an API key with users:write alone creates no %s', async (_, role) => {
    const key = await createKey('users:read', 'users:write', 'report-access:write', 'rls:write');
    const email = newEmail();
    const json = { email, name: 'Eve', role };
    const answer = await portal.api('POST', '/api/user', { key, json });
    expectProblem(answer, 'missing_permission');
    expect(answer.json().detail).toContain('administrators:write');
    expect(await findUserByEmail(portal.db, portal.acme.id, email)).toBeUndefined();
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'createUser', subject: email, refusal: 'missing_permission' },
    ]);
  });

  it.each(authors)('an API key with users:write alone deletes no %s', async (_, role) => {
    const key = await createKey('users:write');
    const email = newEmail();
    await createUser(portal.acme.ctx, { email, name: 'Bob', role });
    const remove = () => portal.api('DELETE', `/api/user/${email.toUpperCase()}`, { key });
    expectProblem(await remove(), 'missing_permission');
    expect(await findUserByEmail(portal.db, portal.acme.id, email)).toMatchObject({ role });
    await updateUser(portal.acme.ctx, { userEmail: email, role: 3 });
    expect((await remove()).status).toBe(204);
  });

  it('an API key with users:write alone creates and deletes viewers', async () => {
    const key = await createKey('users:write');
    const json = { email: newEmail(), name: 'Vic', role: 3 };
    expect((await portal.api('POST', '/api/user', { key, json })).status).toBe(201);
    expect((await portal.api('DELETE', `/api/user/${json.email}`, { key })).status).toBe(204);
  });
});

it.each(authors)(
  'an API key with both permissions creates and deletes users with the role %s',
  async (_, role) => {
    const key = await createKey('users:write', 'administrators:write');
    const json = { email: newEmail(), name: 'Ann', role };
    expect((await portal.api('POST', '/api/user', { key, json })).status).toBe(201);
    expect((await portal.api('DELETE', `/api/user/${json.email}`, { key })).status).toBe(204);
  },
);

it('administrators:write alone creates and deletes nobody', async () => {
  const key = await createKey('administrators:write');
  const { west } = portal.acme.emails;
  const before = (await dumpTables(portal.db))['users'];
  for (const role of [1, 3]) {
    const json = { email: newEmail(), name: 'Eve', role };
    const answer = await portal.api('POST', '/api/user', { key, json });
    expect(answer.json().detail).toContain('users:write');
    expectProblem(answer, 'missing_permission');
  }
  for (const email of [west, 'ada@acme.example'])
    expectProblem(await portal.api('DELETE', `/api/user/${email}`, { key }), 'missing_permission');
  expect((await dumpTables(portal.db))['users']).toEqual(before);
});

describe('a sign-in that was confirmed more than ten minutes ago', () => {
  const ofAcme = (path: string) => `/organizations/${portal.acme.id}${path}`;

  const age = (minutes: number) =>
    sql`UPDATE admin_sessions SET authenticated_at = now() - ${minutes}::integer * interval '1 minute'`.execute(
      portal.db,
    );

  /** Sends a request that needs a confirmation: it is refused without an entry, and then done. */
  async function expectConfirmation(request: () => ReturnType<AdminBrowser['send']>) {
    await age(15);
    const before = await countActivity(portal);
    expectProblem(await request(), 'fresh_sign_in_required');
    expect(await countActivity(portal)).toBe(before);
    await ada.send('POST', '/session/confirm', { json: { password: testPassword } });
    expect((await request()).status).toBe(200);
    await age(15);
  }

  async function change(email: string, fields: object) {
    const user = (await findUserByEmail(portal.db, portal.acme.id, email))!;
    const path = ofAcme(`/users/${user.id}`);
    const before = pickUserChange((await ada.send('GET', path)).json());
    return ada.send('PUT', path, { json: { ...before, ...fields } });
  }

  it.each(authors)('an old sign-in creates no %s', async (_, role) => {
    const json = { email: newEmail(), name: 'Ann', role, reports: [] };
    await expectConfirmation(() => ada.send('POST', ofAcme('/users'), { json }));
  });

  it.each(authors)('an old sign-in gives no viewer the role %s', async (_, role) => {
    const email = newEmail();
    await createUser(portal.acme.ctx, { email, name: 'Vic', role: 3 });
    await expectConfirmation(() => change(email, { role }));
    expect(await findUserByEmail(portal.db, portal.acme.id, email)).toMatchObject({ role });
  });

  it('an old sign-in does not make a contributor an administrator', async () => {
    const email = newEmail();
    await createUser(portal.acme.ctx, { email, name: 'Con', role: 4 });
    await expectConfirmation(() => change(email, { role: 1 }));
  });

  it('an old sign-in does not renew an administrator whose access has expired', async () => {
    const email = newEmail();
    await createUser(portal.acme.ctx, { email, name: 'Old', role: 1 });
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date(0) });
    await expectConfirmation(() => change(email, { expirationDate: null }));
  });

  it('an old sign-in does not prolong the access of an administrator, and shortens it', async () => {
    const email = newEmail();
    await createUser(portal.acme.ctx, { email, name: 'Temp', role: 1 });
    const end = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date(end(2)) });
    await expectConfirmation(() => change(email, { expirationDate: end(3) }));
    await age(15);
    expect((await change(email, { expirationDate: end(1) })).status).toBe(200);
    expectProblem(await change(email, { expirationDate: null }), 'fresh_sign_in_required');
  });

  it('an old sign-in creates viewers, takes roles away and changes other fields', async () => {
    await age(15);
    const email = newEmail();
    const json = { email, name: 'Vic', role: 3, reports: [] };
    expect((await ada.send('POST', ofAcme('/users'), { json })).status).toBe(200);
    await updateUser(portal.acme.ctx, { userEmail: email, role: 1 });
    expect((await change(email, { department: 'Sales' })).status).toBe(200);
    expect((await change(email, { role: 3 })).status).toBe(200);
  });

  it('an old sign-in removes embed origins and adds none', async () => {
    const { ctx, embedOrigin } = portal.acme;
    const other = 'https://other.example';
    await setOrigins(ctx, { embedOrigins: [embedOrigin, other] });
    const save = (embedOrigins: string[]) =>
      ada.send('PUT', ofAcme('/embedding'), { json: { embedOrigins } });
    await age(15);
    // The same origins in another order and spelling add none.
    expect((await save(['HTTPS://other.example:443', embedOrigin])).status).toBe(200);
    expect((await save([embedOrigin])).status).toBe(200);
    expectProblem(await save([other]), 'fresh_sign_in_required');
    expect((await findOrigins(ctx)).embedOrigins).toEqual([embedOrigin]);
    await expectConfirmation(() => save([embedOrigin, other]));
    expect((await findOrigins(ctx)).embedOrigins).toEqual([embedOrigin, other]);
  });
});
