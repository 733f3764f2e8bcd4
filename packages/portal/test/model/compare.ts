import assert from 'node:assert/strict';

import type { Rows } from '#platform';

import { listEntries } from '../../src/access-log/service.ts';
import { listRoles } from '../../src/access/roles.ts';
import { findVisibleRows } from '../../src/access/visible-rows.ts';
import type { Context } from '../../src/actor/actor.ts';
import { listUsers } from '../../src/users/service.ts';
import { requireSession } from '../../src/viewer-sessions/service.ts';
import { listSessionReports } from '../../src/viewing/report.ts';
import type { OracleOrganization } from './oracle.ts';
import { publicUrl, type Side, type World } from './world.ts';

/** Regions that roles allow; `undefined` for all rows. */
export function visibleRegions(rows: Rows): string[] | undefined {
  if (rows.access === 'everyone') return undefined;
  const definitions = rows.roles.map(({ definition }) => definition);
  if (definitions.includes('all')) return undefined;
  return definitions.flatMap((definition) => (definition as { in: string[] }).in).toSorted();
}

/** Compares all that an organization's keys and sessions can see with the oracle. */
export async function compareAll(world: World, side: Side): Promise<void> {
  const { oracle } = side;
  const ctx = world.context(side);
  await compareUsers(ctx, oracle);
  await compareRoles(ctx, oracle);
  await compareAudit(ctx, oracle);
  await compareSessions(ctx, oracle);
  await compareVisibleRows(ctx, side);
}

const all = { pageNumber: 1, pageSize: 200 };
const idsOf = (items: Iterable<{ id: string }>) => [...items].map(({ id }) => id).toSorted();
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0);

async function compareUsers(ctx: Context, oracle: OracleOrganization): Promise<void> {
  const users = [...oracle.users].toSorted(byKey).map(([, user]) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    reports: [...oracle.readable(user)].toSorted(),
    groups: idsOf(oracle.groupsOf(user)),
  }));
  const totalPages = Math.ceil(users.length / 2);
  for (let pageNumber = 1; pageNumber <= totalPages + 1; pageNumber++) {
    const page = await listUsers(ctx, { pageNumber, pageSize: 2 });
    const data = page.data.map(({ id, email, name, role, reports, groups }) => ({
      id,
      email,
      name,
      role,
      reports: reports.toSorted(),
      groups: groups.toSorted(),
    }));
    assert.deepEqual(
      { ...page, data },
      {
        pageIndex: pageNumber,
        totalPages,
        hasNextPage: pageNumber < totalPages,
        hasPreviousPage: pageNumber > 1 && totalPages > 0,
        data: users.slice(pageNumber * 2 - 2, pageNumber * 2),
      },
    );
  }
  const filtered = await listUsers(ctx, { email: '_%', ...all });
  const matches = users.filter(({ email }) => email.includes('_%'));
  assert.deepEqual(idsOf(filtered.data), idsOf(matches));
}

async function compareRoles(ctx: Context, oracle: OracleOrganization): Promise<void> {
  const listed = await listRoles(ctx, all);
  assert.deepEqual(
    listed.data.map((role) => ({
      name: role.name,
      users: role.users.toSorted(),
      groups: role.groups.toSorted(),
      emails: role.user_emails.toSorted(),
    })),
    [...oracle.roles].toSorted(byKey).map(([name, { users, groups }]) => ({
      name,
      users: idsOf(users),
      groups: idsOf(groups),
      emails: [...users].map(({ email }) => email).toSorted(),
    })),
  );
}

async function compareAudit(ctx: Context, oracle: OracleOrganization): Promise<void> {
  const listed = await listEntries(ctx, all);
  assert.deepEqual(
    listed.data.map((entry) => ({
      userId: entry.user_id,
      userEmail: entry.user_email,
      reportId: entry.report_id,
    })),
    oracle.audit.toReversed(),
  );
}

async function compareSessions({ db }: Context, oracle: OracleOrganization): Promise<void> {
  for (const session of oracle.sessions) {
    const { bearer, url } = session;
    const live = await requireSession(db, { bearer, address: publicUrl }).catch(() => undefined);
    assert.equal(live !== undefined, oracle.isUser(url.user));
    const shown = live ? await listSessionReports(db, live) : [];
    assert.deepEqual(idsOf(shown), live ? oracle.reportsOf(session) : []);
  }
}

async function compareVisibleRows(
  { db, organizationId }: Context,
  { stage, oracle }: Side,
): Promise<void> {
  for (const user of oracle.users.values())
    for (const datasetId of stage.datasets) {
      const visible = await findVisibleRows(db, { organizationId, userId: user.id, datasetId });
      assert.deepEqual(visibleRegions(visible!.rows), oracle.rolesOf(user, datasetId));
    }
}
