import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { operatorContext } from '../../src/actor/actor.ts';
import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { readOverview } from '../../src/organizations/overview.ts';
import { createOrganization, setOrigins } from '../../src/organizations/service.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { addItems } from '../support/items.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let ada: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  ada = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const ofAcme = (path: string) => `/organizations/${portal.acme.id}${path}`;

describe('the overview', () => {
  it('names the steps that are done, and the keys and users that end within 30 days', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const { west, east } = portal.acme.emails;
    await updateUser(portal.acme.ctx, { userEmail: west, expirationDate: inDays(29) });
    await updateUser(portal.acme.ctx, { userEmail: east, expirationDate: inDays(31) });
    const soon = { name: 'Soon', permissions: ['users:read'], expiresAt: inDays(3).toISOString() };
    await ada.send('POST', ofAcme('/api-keys'), { json: soon });
    expect((await ada.send('GET', ofAcme('/overview'))).json()).toEqual({
      done: expect.arrayContaining([
        'report',
        'user',
        'access',
        'address',
        'embedOrigin',
        'apiKey',
      ]),
      keys: [expect.objectContaining({ name: 'Soon', expiresAt: soon.expiresAt })],
      users: [expect.objectContaining({ email: west })],
    });
  });

  /** Creates an organization without content, users or keys. */
  async function createEmpty(slug: string) {
    const { db, publicUrl } = portal;
    const look = { name: slug, accentColor: '#123456' };
    const organizationId = await createOrganization(db, { slug, ...look });
    return operatorContext({ db, publicUrl, organizationId });
  }

  it('has only the steps that its own organization has done', async () => {
    const { db } = portal;
    await insertAuditEntries(db, portal.globex, [{ email: 'x@globex.example' }]);
    const ctx = await createEmpty('steps');
    const { organizationId } = ctx;
    const read = async () => (await readOverview(ctx)).done;
    await createUser(ctx, { email: 'author@steps.example', name: 'A', role: 2 });
    const permissions = ['users:read'] as const;
    const { id } = await createApiKey(ctx, { name: 'Old', permissions });
    await revokeApiKey(ctx, { id });
    const addReport = async (slug: string) => {
      const items = { datasets: { orders: {} }, reports: { [slug]: { dataset: 'orders' } } };
      const { reports } = await addItems(ctx, portal.datasetFolder, items);
      return reports[slug]!;
    };
    const archived = await addReport('archived');
    await db
      .updateTable('reports')
      .set({ archived_at: new Date() })
      .where('id', '=', archived)
      .execute();
    expect(await readOverview(ctx)).toEqual({ done: [], keys: [], users: [] });

    const reportId = await addReport('present');
    expect(await read()).toEqual(['report']);
    await createUser(ctx, { email: 'reader@steps.example', name: 'R', role: 3 });
    expect(await read()).toEqual(['report', 'user']);
    await createGroup(ctx, { name: 'Group', memberEmails: [], reports: [reportId] });
    expect(await read()).toEqual(['report', 'user', 'access']);
    await setOrigins(ctx, { addresses: ['https://steps.example'] });
    expect(await read()).toEqual(['report', 'user', 'access', 'address']);
    await setOrigins(ctx, { embedOrigins: ['https://app.steps.example'] });
    await createApiKey(ctx, { name: 'New', permissions });
    expect((await read()).slice(4)).toEqual(['embedOrigin', 'apiKey']);
    const open = (action: number) =>
      insertAuditEntries(db, { id: organizationId, reportId }, [
        { email: 'x@steps.example', action },
      ]);
    // Viewing as another user is not an opening from the application.
    await open(3);
    expect(await read()).not.toContain('opened');
    await open(1);
    expect(await read()).toHaveLength(7);
  });

  it('lists at most ten keys and ten users that end within 30 days, the soonest first', async () => {
    const ctx = await createEmpty('ends');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const permissions = ['users:read'] as const;
    // Not in the order of expiry, so that the overview must sort.
    for (const days of [31, 29, 2, 1, -1]) {
      const key = await createApiKey(ctx, { name: `key ${days}`, permissions });
      await sql`UPDATE api_keys SET expires_at = ${inDays(days)} WHERE id = ${key.id}`.execute(
        portal.db,
      );
      const email = `user${days}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(days) });
    }
    const expiresAt = inDays(3);
    await revokeApiKey(ctx, await createApiKey(ctx, { name: 'revoked', permissions, expiresAt }));
    const few = await readOverview(ctx);
    expect(few.keys.map(({ name }) => name)).toEqual(['key 1', 'key 2', 'key 29']);
    const [next, later, last] = [1, 2, 29].map((days) => `user${days}@ends.example`);
    expect(few.users.map(({ email }) => email)).toEqual([next, later, last]);
    for (let n = 10; n < 18; n += 1) {
      await createApiKey(ctx, { name: `key ${n}`, permissions, expiresAt: inDays(n) });
      const email = `user${n}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(n) });
    }
    const many = await readOverview(ctx);
    expect([many.keys.length, many.keys.at(-1)!.name]).toEqual([10, 'key 17']);
    expect([many.users.length, many.users.at(-1)!.email]).toEqual([10, 'user17@ends.example']);
  });
});
