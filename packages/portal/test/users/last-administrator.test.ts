import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Actor } from '../../src/actor/actor.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { signInAs } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { createTestOrganization } from '../support/organization.ts';
import { adminEmail, openPeopleStage, type PeopleStage } from '../support/people.ts';

let portal: PeopleStage['portal'];
let admin: PeopleStage['admin'];
let at: PeopleStage['at'];
let get: PeopleStage['get'];
let idOf: PeopleStage['idOf'];
let createPerson: PeopleStage['createPerson'];
let update: PeopleStage['update'];
beforeAll(async () => {
  ({ portal, admin, at, get, idOf, createPerson, update } = await openPeopleStage());
});
afterAll(() => portal.close());

describe('the last administrator', () => {
  it('cannot demote, expire or delete themselves until another one who never expires has signed in', async () => {
    const id = await idOf(adminEmail);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const attempts = [
      () => update(id, { role: 2 }),
      () => update(id, { expirationDate: soon }),
      () => admin.send('DELETE', at(`/users/${id}`)),
    ];
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    await createPerson({ role: 1 });
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    expect((await get(`/users/${id}`)).role).toBe(1);

    const email = `${randomUUID()}@acme.example`;
    const second = await signInAs(portal, portal.acme, 1, email);
    const secondId = await idOf(email);
    await update(secondId, { expirationDate: soon });
    for (const attempt of attempts) expectProblem(await attempt(), 'last_administrator');
    await update(secondId, { expirationDate: null });
    const answers = await Promise.all([
      second.send('DELETE', at(`/users/${id}`)),
      admin.send('DELETE', at(`/users/${secondId}`)),
    ]);
    const codes = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(codes[0]).toBe(200);
    expect(codes[1]).toBeGreaterThanOrEqual(401);
    // The administrator who was not deleted still has a session.
    admin = answers[0].status === 200 ? second : admin;
    expect((await admin.send('GET', '/session')).status).toBe(200);
  });

  it('whose access ends anyway can extend it, but not shorten it', async () => {
    const { ctx } = await createTestOrganization(portal, 'initech');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const email = 'ines@initech.example';
    const { id } = await createUser(ctx, { email, name: 'Ines', role: 1 });
    const setEnd = (
      expirationDate: Date | null,
      actor: Actor = { kind: 'user', id, email, role: 1 },
    ) => updateUser({ ...ctx, actor }, { userEmail: email, expirationDate });
    await setEnd(inDays(10), ctx.actor);
    await expect(setEnd(inDays(9))).rejects.toMatchObject({ code: 'last_administrator' });
    expect(await setEnd(inDays(11))).toMatchObject({ expiration_date: expect.any(Date) });
    expect(await setEnd(null)).toMatchObject({ expiration_date: null });
    await expect(setEnd(inDays(9))).rejects.toMatchObject({ code: 'last_administrator' });
  });

  it('another administrator counts only if they can sign in with a password or the identity provider', async () => {
    const { db } = portal;
    const { ctx, id: organizationId } = await createTestOrganization(portal, 'hooli');
    const email = 'hal@hooli.example';
    const { id } = await createUser(ctx, { email, name: 'Hal', role: 1 });
    const second = await createUser(ctx, { email: 'ivy@hooli.example', name: 'Ivy', role: 1 });
    await inviteUser(ctx, { email: second.email });
    let days = 1_000;
    // Each call makes access end earlier, which is allowed only if another administrator counts.
    const expireEarlier = () => {
      days -= 1;
      const expirationDate = new Date(Date.now() + days * 86_400_000);
      const actor: Actor = { kind: 'user', id, email, role: 1 };
      return updateUser({ ...ctx, actor }, { userEmail: email, expirationDate });
    };
    const setState = async (state: {
      password: string | null;
      subject: string | null;
      provider?: { passwords: boolean };
    }) => {
      const own = sql`organization_id = ${organizationId}`;
      await sql`UPDATE admin_accounts SET password_hash = ${state.password} WHERE ${own}`.execute(
        db,
      );
      await sql`UPDATE users SET directory_ad_user = ${state.subject}
        WHERE ${own} AND id = ${second.id}`.execute(db);
      await sql`DELETE FROM organization_oidc WHERE ${own}`.execute(db);
      if (state.provider)
        await sql`INSERT INTO organization_oidc (organization_id, issuer, client_id, passwords)
          VALUES (${organizationId}, 'https://login.example', 'x', ${state.provider.passwords})`.execute(
          db,
        );
    };
    // The identity provider of another organization must not count.
    const { id: foreign } = await createTestOrganization(portal, 'umbrella');
    await sql`INSERT INTO organization_oidc (organization_id, issuer, client_id, passwords)
      VALUES (${foreign}, 'https://login.example', 'x', true)`.execute(db);
    const [providerOnly, withPasswords] = [{ passwords: false }, { passwords: true }];
    for (const state of [
      { password: 'hash', subject: null },
      { password: 'hash', subject: null, provider: withPasswords },
      { password: null, subject: 'ivy', provider: providerOnly },
    ]) {
      await setState(state);
      expect(await expireEarlier()).toMatchObject({ email });
    }
    for (const state of [
      { password: null, subject: null },
      { password: null, subject: 'ivy' },
      { password: null, subject: null, provider: withPasswords },
      { password: 'hash', subject: null, provider: providerOnly },
    ]) {
      await setState(state);
      await expect(expireEarlier()).rejects.toMatchObject({ code: 'last_administrator' });
    }
  });

  it('an operator can delete the last administrator', async () => {
    const operator = await signInAs(portal, portal.globex, 'operator', 'op@portal.example');
    const path = at('/users', portal.globex);
    const { items } = (await operator.send('GET', `${path}?role=1`)).json();
    expect(items).toMatchObject([{ email: 'gus@globex.example' }]);
    expect((await operator.send('DELETE', `${path}/${items[0].id}`)).status).toBe(200);
  });
});
