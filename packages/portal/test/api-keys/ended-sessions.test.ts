import { createPortalClient } from '@portal-embed/client';
import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listActivity } from '../../src/activity-log/service.ts';
import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/api-keys/service.ts';
import { mintIdentityUrl } from '../../src/identity-urls/service.ts';
import { updateUser } from '../../src/users/service.ts';
import { presentSession } from '../../src/viewer-sessions/presenter.ts';
import {
  countKeylessSessions,
  endSessions,
  listSessions,
} from '../../src/viewer-sessions/service.ts';
import { keyActor } from '../support/actors.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** Opens a session and mints a URL that stays unused. */
async function openPortal(
  organization: TestOrganization,
  userEmail = organization.emails.west,
  single = false,
) {
  const body = { userEmail, ...(single ? { reportId: organization.reportId } : {}) };
  const { bearer } = await startSession(portal, organization, body);
  const url = await mint(portal, organization, body);
  const { address, reportId } = organization;
  return {
    url,
    viewStatus: async () => (await view(address, bearer, reportId)).status,
    statuses: async () => [
      (await view(address, bearer, reportId)).status,
      (await open(url)).status,
    ],
  };
}

/** Acme with a new API key. */
async function withNewKey(expiresAt: Date | null = null) {
  const { acme } = portal;
  const created = await createApiKey(acme.ctx, { name: 'a key', permissions, expiresAt });
  return { ...created, acme: { ...acme, apiKey: created.key } };
}

describe('sessions and URLs of a release that did not store the key', () => {
  it('are counted, because revoking a key does not end them', async () => {
    const { acme, id } = await withNewKey();
    const before = await countKeylessSessions(acme.ctx);
    const opened = await openPortal(acme);
    for (const table of ['portal_sessions', 'identity_urls'] as const)
      await portal.db
        .updateTable(table)
        .set({ api_key_id: null })
        .where('api_key_id', '=', id)
        .execute();
    await revokeApiKey(acme.ctx, { id });
    const count = () => countKeylessSessions(acme.ctx);
    expect(await count()).toBe(before + 2);
    expect(await countKeylessSessions(portal.globex.ctx)).toBe(0);
    expect(await opened.statuses()).toEqual([200, 200]);
    // Opening the URL has turned it into a session, also without a key.
    expect(await count()).toBe(before + 2);
    const userEmail = acme.emails.west;
    await updateUser(acme.ctx, { userEmail, expirationDate: new Date() });
    expect(await count()).toBe(before);
    await updateUser(acme.ctx, { userEmail, expirationDate: null });
    expect(await count()).toBe(before + 2);
    await sql`UPDATE portal_sessions SET touched_at = now() - interval '31 minutes'
      WHERE api_key_id IS NULL`.execute(portal.db);
    expect(await count()).toBe(0);
    await mint(portal, portal.acme, { userEmail: acme.emails.west });
    await sql`UPDATE identity_urls SET api_key_id = NULL, expires_at = now()
      WHERE used_at IS NULL`.execute(portal.db);
    expect(await count()).toBe(0);
  });
});

describe('revoking a key', () => {
  it.each([false, true])('ends its sessions and unused URLs; single report: %s', async (single) => {
    const [revoked, kept] = [await withNewKey(), await withNewKey()];
    const west = revoked.acme.emails.west;
    const ended = await openPortal(revoked.acme, west, single);
    const other = await openPortal(kept.acme, west, single);
    expect(await ended.viewStatus()).toBe(200);
    await revokeApiKey(portal.acme.ctx, { id: revoked.id });
    expect(await ended.statuses()).toEqual([401, 410]);
    expect(await other.statuses()).toEqual([200, 200]);
  });

  it('with keepSessions keeps its sessions and URLs until it is revoked without', async () => {
    const { id, acme } = await withNewKey();
    const kept = await openPortal(acme);
    const { url } = await openPortal(acme);
    await revokeApiKey(acme.ctx, { id, keepSessions: true });
    expect(await kept.statuses()).toEqual([200, 200]);
    await revokeApiKey(acme.ctx, { id });
    expect([await kept.viewStatus(), (await open(url)).status]).toEqual([401, 410]);
    await revokeApiKey(acme.ctx, { id, keepSessions: true });
    expect(await kept.viewStatus()).toBe(401);
  });

  it('ends a session that is opened at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, acme } = await withNewKey();
      const url = await mint(portal, acme, { userEmail: acme.emails.west });
      const [page] = await Promise.all([open(url), revokeApiKey(acme.ctx, { id })]);
      expect([200, 410]).toContain(page.status);
      const bearer = page.status === 200 ? readSession(page).bearer : 'none';
      expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
    }
  });

  it('differs from expiry and rotation, which end no sessions or URLs', async () => {
    const { id, acme } = await withNewKey(new Date(Date.now() + 3_600_000));
    const [expired, rotated] = [await openPortal(acme), await openPortal(acme)];
    await rotateApiKey(acme.ctx, { id, oldWorksUntil: new Date() });
    expect(await rotated.statuses()).toEqual([200, 200]);
    await sql`UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = ${id}`.execute(
      portal.db,
    );
    expect(await expired.statuses()).toEqual([200, 200]);
  });

  it('does not end a URL that an operator minted', async () => {
    const { id, acme } = await withNewKey();
    const { token } = await mintIdentityUrl(acme.ctx, { userEmail: acme.emails.west });
    expect(await listActivity(acme.ctx, { limit: 1 })).toMatchObject([
      { action: 'mintIdentityUrl', api_key_id: null, operator: 'operator' },
    ]);
    await revokeApiKey(acme.ctx, { id });
    expect((await open(`${portal.publicUrl}/identity?token=${token}`)).status).toBe(200);
  });
});

describe('DELETE /api/user/{userEmail}/sessions', () => {
  const end = (userEmail: string, key = portal.acme.apiKey) =>
    portal.api('DELETE', `/api/user/${encodeURIComponent(userEmail)}/sessions`, { key });

  it('ends the sessions and unused URLs of the user, and no others', async () => {
    const { acme, globex } = portal;
    const { west, east } = acme.emails;
    const [own, single] = [await openPortal(acme, west), await openPortal(acme, west, true)];
    const [colleague, other] = [await openPortal(acme, east), await openPortal(globex)];
    const answer = await end(west.toUpperCase());
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect([await own.statuses(), await single.statuses()]).toEqual([
      [401, 410],
      [401, 410],
    ]);
    expect([await colleague.statuses(), await other.statuses()]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    // The user can open the portal again at once.
    expect(await (await openPortal(acme, west)).statuses()).toEqual([200, 200]);
  });

  it('is logged with the number of sessions and URLs that it ended', async () => {
    const { acme } = portal;
    await openPortal(acme, acme.emails.none);
    await end(acme.emails.none);
    await end(acme.emails.none);
    expect(await listActivity(acme.ctx, { limit: 2 })).toMatchObject([
      { action: 'endSessions', subject: acme.emails.none, details: { urls: 0, sessions: 0 } },
      { action: 'endSessions', subject: acme.emails.none, details: { urls: 1, sessions: 1 } },
    ]);
  });

  it('does not affect a user with the same e-mail in another organization', async () => {
    const { acme, globex } = portal;
    const email = 'same@both.example';
    for (const { apiKey: key } of [acme, globex])
      await portal.api('POST', '/api/user', { key, json: { email, name: 'Same', role: 3 } });
    const theirs = await mint(portal, globex, { userEmail: email });
    expect((await end(email)).status).toBe(204);
    expect((await open(theirs)).status).toBe(200);
  });

  it('ends a URL that is opened at the same time, or its session', async () => {
    const { acme } = portal;
    for (let round = 0; round < 10; round++) {
      const url = await mint(portal, acme, { userEmail: acme.emails.both });
      const [page] = await Promise.all([open(url), end(acme.emails.both)]);
      expect([200, 410]).toContain(page.status);
      const bearer = page.status === 200 ? readSession(page).bearer : 'none';
      expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
    }
  });

  it('answers 404 with advice for an unknown user', async () => {
    for (const userEmail of ['nobody@acme.example', portal.globex.emails.west]) {
      const answer = await end(userEmail);
      expect([answer.status, answer.json().code]).toEqual([404, 'user_not_found']);
      expect(answer.json().detail).toMatch(/Check the e-mail\.$/);
    }
  });

  it('is available in the client as endSessions', async () => {
    const { acme, publicUrl } = portal;
    const client = createPortalClient({ apiUrl: publicUrl, apiKey: acme.apiKey });
    const opened = await openPortal(acme);
    await client.identity.endSessions({ userEmail: acme.emails.west });
    expect(await opened.statuses()).toEqual([401, 410]);
    await client.close();
  });
});

describe('the list of sessions', () => {
  it('has the open sessions, newest first, with user, report and key', async () => {
    const { acme, ctx } = { acme: portal.acme, ctx: portal.acme.ctx };
    const userEmail = acme.emails.both;
    await endSessions(ctx, { userEmail });
    await startSession(portal, acme, { userEmail });
    await startSession(portal, acme, {
      userEmail: userEmail.toUpperCase(),
      reportId: acme.reportId,
    });
    const listed = () => listSessions(ctx, { userEmail, limit: 10 });
    const common = { userEmail, address: acme.address, apiKeyName: 'test' };
    expect((await listed()).map(presentSession)).toMatchObject([
      { ...common, reportId: acme.reportId, reportName: 'Orders' },
      { ...common, reportId: null, reportName: null },
    ]);
    expect(await listSessions(ctx, { userEmail, limit: 1 })).toHaveLength(1);
    const { emails } = acme;
    await startSession(portal, acme, { userEmail: emails.none });
    const [newest] = await listSessions(ctx, { limit: 100 });
    expect(newest).toMatchObject({ email: emails.none });
    await updateUser(ctx, { userEmail: emails.none, expirationDate: new Date() });
    expect(await listSessions(ctx, { userEmail: emails.none, limit: 10 })).toEqual([]);
    await updateUser(ctx, { userEmail: emails.none, expirationDate: null });
    expect(await listSessions(portal.globex.ctx, { userEmail, limit: 10 })).toEqual([]);
    await sql`UPDATE portal_sessions SET touched_at = now() - interval '31 minutes'
      WHERE report_id IS NULL`.execute(portal.db);
    expect(await listed()).toHaveLength(1);
    await endSessions(ctx, { userEmail });
    expect(await listed()).toEqual([]);
  });

  it('has sessions of URLs that an operator minted, without a key', async () => {
    const { acme, publicUrl } = portal;
    const userEmail = acme.emails.none;
    await endSessions(acme.ctx, { userEmail });
    const { token } = await mintIdentityUrl(acme.ctx, { userEmail });
    expect((await open(`${publicUrl}/identity?token=${token}`)).status).toBe(200);
    const listed = await listSessions(acme.ctx, { userEmail, limit: 10 });
    expect(listed.map(presentSession)).toMatchObject([
      { userEmail, address: publicUrl, apiKeyName: null },
    ]);
  });

  it('has the times when each session was opened and last used', async () => {
    const { acme, db } = portal;
    const userEmail = acme.emails.east;
    await endSessions(acme.ctx, { userEmail });
    await startSession(portal, acme, { userEmail });
    const [openedAt, lastUsedAt] = [20, 10].map((minutes) =>
      new Date(Date.now() - minutes * 60_000).toISOString(),
    );
    await sql`
      UPDATE portal_sessions SET created_at = ${openedAt}, touched_at = ${lastUsedAt}
      WHERE user_email = ${userEmail}`.execute(db);
    const listed = await listSessions(acme.ctx, { userEmail, limit: 10 });
    const whole = { reportId: null, reportName: null, address: acme.address, apiKeyName: 'test' };
    expect(listed.map(presentSession)).toEqual([{ userEmail, ...whole, openedAt, lastUsedAt }]);
  });

  it('and their count are only for operators', () => {
    const { ctx } = portal.acme;
    const asKey = { ...ctx, actor: keyActor(portal.acme.id) };
    expect(() => listSessions(asKey, { limit: 1 })).toThrow('Only an operator may do this');
    expect(() => countKeylessSessions(asKey)).toThrow('Only an operator may do this');
  });
});
