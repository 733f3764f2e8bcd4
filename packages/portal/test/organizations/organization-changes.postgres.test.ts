import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { listActivity } from '../../src/activity-log/service.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/api-keys/service.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { pruneLog } from '../../src/db/query/prune-log.ts';
import {
  deleteOrganization,
  listOrganizations,
  setOrigins,
} from '../../src/organizations/service.ts';
import { endAccess } from '../../src/organizations/store.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let own: TestOrganization;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const newOrganization = () => {
  return createTestOrganization(portal, `own-${randomUUID()}`);
};

/** Sends requests in turn sendBehindLock a lock, does `work` once they wait, and releases the lock. */
async function sendBehindLock<Result>(
  lock: ReturnType<typeof sql>,
  requests: (() => Promise<Result>)[],
  work: (transaction: Database) => Promise<unknown> = async () => {},
): Promise<Result[]> {
  const { answers } = await portal.db.transaction().execute(async (transaction) => {
    await lock.execute(transaction);
    const sent: Promise<Result>[] = [];
    for (const request of requests) {
      sent.push(request());
      await expect.poll(() => countLockWaits(portal.db)).toBe(sent.length);
    }
    await work(transaction);
    return { answers: Promise.all(sent) };
  });
  return answers;
}

describe('the deletion of an organization', () => {
  it.each(['rls_roles', 'datasets'])(
    'opens no dataset to a reader who waits for %s',
    async (table) => {
      own = await newOrganization();
      const user = { userEmail: own.emails.none, reportId: own.reportId };
      const { bearer } = await startSession(portal, own, user);
      const requestView = () => view(own.address, bearer, own.reportId);
      expect((await requestView()).json().rowCount).toBe(0);
      const [answer] = await sendBehindLock(
        sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`,
        [requestView],
        async (transaction) => {
          await pruneLog(transaction, 'audit_entries', own.id, 'infinity');
          await sql`DELETE FROM organizations WHERE id = ${own.id}`.execute(transaction);
        },
      );
      expect([answer!.status, answer!.json().code]).toEqual([403, 'report_not_accessible']);
    },
  );

  it('leaves an entry and the names of the keys if it fails halfway', async () => {
    own = await newOrganization();
    const [failure] = await sendBehindLock(
      sql`LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE`,
      [() => deleteOrganization(own.ctx).catch((error: unknown) => error)],
      () =>
        sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(portal.db),
    );
    expect(failure).toBeInstanceOf(Error);
    const [entry] = await listActivity(own.ctx, { limit: 1 });
    expect(entry).toMatchObject({ action: 'deleteOrganization', details: { ended: 'access' } });
    expect(await listApiKeys(own.ctx)).toMatchObject([{ name: 'test', live: false }]);
    await deleteOrganization(own.ctx);
    expect(await listActivity(own.ctx, { limit: 9 })).toHaveLength(1);
  });

  it('is tried again after a conflict, in both of its transactions', async () => {
    own = await newOrganization();
    const { db } = portal;
    // A sequence is not rolled back, so each trigger fails once.
    await sql`CREATE SEQUENCE conflicts`.execute(db);
    await sql`CREATE FUNCTION conflict_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('conflicts') % 2 = 1 THEN RAISE SQLSTATE '40P01'; END IF;
        RETURN NULL;
      END $$`.execute(db);
    await sql`CREATE TRIGGER conflict AFTER UPDATE ON api_keys
      FOR EACH STATEMENT EXECUTE FUNCTION conflict_once()`.execute(db);
    await sql`CREATE TRIGGER conflict AFTER DELETE ON organizations
      FOR EACH STATEMENT EXECUTE FUNCTION conflict_once()`.execute(db);
    onTestFinished(async () => {
      await sql`DROP FUNCTION conflict_once CASCADE`.execute(db);
      await sql`DROP SEQUENCE conflicts`.execute(db);
    });
    await deleteOrganization(own.ctx);
    expect(await listActivity(own.ctx, { limit: 9 })).toMatchObject([
      { action: 'deleteOrganization', details: null },
    ]);
  });

  it('has no effect if another one has finished first', async () => {
    own = await newOrganization();
    await sendBehindLock(sql`SELECT FROM organizations WHERE id = ${own.id} FOR UPDATE`, [
      () => deleteOrganization(own.ctx),
      () => deleteOrganization(own.ctx),
    ]);
    await deleteOrganization(own.ctx);
    expect(await listActivity(own.ctx, { limit: 9 })).toHaveLength(1);
  });

  it('keeps the time at which a key was revoked before, if it fails halfway', async () => {
    own = await newOrganization();
    const { id } = await createApiKey(own.ctx, { name: 'x', permissions: [] });
    await revokeApiKey(own.ctx, { id });
    const find = async () => (await listApiKeys(own.ctx)).find((key) => key.id === id);
    const before = await find();
    await endAccess(portal.db, own.id);
    expect(await find()).toEqual(before);
  });
});

describe('an address', () => {
  it('opens no URL of its former organization, even one that is minted during the change', async () => {
    own = await newOrganization();
    const next = await newOrganization();
    const user = { userEmail: own.emails.west };
    const [url] = await sendBehindLock(
      sql`SELECT FROM users WHERE email = ${own.emails.west} FOR UPDATE`,
      [() => mint(portal, own, user)],
      async () => {
        await setOrigins(own.ctx, { addresses: [] });
        await setOrigins(next.ctx, { addresses: [own.address] });
      },
    );
    const page = await open(url!);
    expect(page.status).toBe(410);
    // The page belongs to the next organization, so it must not describe the URL.
    expect(page.body).toContain('data-session-required="unknown"');
    expect(page.headers['content-security-policy']).toContain(
      `frame-ancestors ${next.embedOrigin}`,
    );
  });

  it('is set by the later of two simultaneous changes', async () => {
    own = await newOrganization();
    const set = (name: string) => () =>
      setOrigins(own.ctx, {
        addresses: [`https://${name}.${own.id}.example`],
        embedOrigins: [`https://${name}.example`],
      });
    await sendBehindLock(sql`LOCK TABLE activity_entries IN EXCLUSIVE MODE`, [
      set('one'),
      set('two'),
    ]);
    const found = (await listOrganizations(portal.db)).find(({ id }) => id === own.id);
    expect(found).toMatchObject({
      addresses: [`https://two.${own.id}.example`],
      embed_origins: ['https://two.example'],
    });
  });

  it('cannot be the public URL of the portal, which all organizations share', async () => {
    await expect(
      setOrigins(portal.acme.ctx, { addresses: [portal.publicUrl] }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
