import type { ListedUser, UserDetails } from '#admin/requests';

import { linkReports, unlinkReports } from '../access/report-links.ts';
import { linkUsers, unlinkUsers } from '../access/role-links.ts';
import { requireRoleById } from '../access/roles.ts';
import { findUserAccess } from '../access/user-access.ts';
import type { Context } from '../actor/actor.ts';
import { mayAdminister, requireAdministrator } from '../actor/permissions.ts';
import { inTransaction } from '../db/connection/open.ts';
import { presentColumns } from '../db/query/column-map.ts';
import { presentList } from '../db/query/paging.ts';
import { viewAs } from '../identity-urls/view-as.ts';
import { requireFresh } from '../sign-in/admin-session.ts';
import { createInvitationUrl } from '../sign-in/invitation-url.ts';
import { inviteUser } from '../sign-in/service.ts';
import type { PersonRow } from '../users/people.ts';
import { presentUser } from '../users/presenter.ts';
import { createUser, deleteUser, findPeople, requireUser, updateUser } from '../users/service.ts';
import { personColumns, type UserRow } from '../users/user-columns.ts';
import { versionOf } from '../users/user-version.ts';
import type { AdminHandlers } from './mount.ts';

const pageSize = 25;

/** The end of an access in milliseconds; `null` never ends. */
const endOf = (date: Date | null) => date?.getTime() ?? Infinity;

/**
 * Whether a change gives a role that may administer, or prolongs it. `baseVersion` ensures that the
 * change applies to `before`.
 */
function givesAdministration(
  { role, expiration_date: end }: UserRow,
  after: { role: number; expirationDate: Date | null },
): boolean {
  const isProlonged = endOf(after.expirationDate) > endOf(end);
  return mayAdminister(after.role) && (after.role !== role || isProlonged);
}

/** @param adminUrl origin of the administration pages */
export const userAdminRoutes = (adminUrl: string | undefined) =>
  ({
    listUsers: async ({ ctx }, { page, ...filter }) => {
      const request = { ...filter, pageNumber: page, pageSize };
      return presentList(request, await findPeople(ctx, request), presentPerson);
    },
    createUser: async ({ ctx, session }, { reports, roles, ...user }) => {
      requireAdministrator(ctx);
      if (mayAdminister(user.role)) requireFresh(session);
      return inTransaction(ctx.db, async (db) => {
        const created = await createUser({ ...ctx, db }, user);
        if (reports.length > 0)
          await linkReports({ ...ctx, db }, { userEmail: user.email, reports });
        for (const roleId of roles) {
          const role = await requireRoleById({ ...ctx, db }, roleId);
          await linkUsers({ ...ctx, db }, { ...role, usersEmails: [user.email] });
        }
        return { id: created.id };
      });
    },
    readUser: ({ ctx }, { userId }) => readDetails(ctx, userId),
    updateUser: async ({ ctx, session }, { userId, version, expirationDate, ...user }) => {
      const before = await requireUser(ctx, userId);
      const change = {
        ...user,
        expirationDate: expirationDate === null ? null : new Date(expirationDate),
      };
      if (givesAdministration(before, change)) requireFresh(session);
      await updateUser(ctx, { ...change, userEmail: before.email, baseVersion: version });
      return {};
    },
    deleteUser: async ({ ctx }, { userId }) => {
      await deleteUser(ctx, { userEmail: (await requireUser(ctx, userId)).email });
      return {};
    },
    inviteToAdministration: async ({ ctx }, { userId }) => {
      const { email } = await requireUser(ctx, userId);
      return { url: createInvitationUrl({ adminUrl }, (await inviteUser(ctx, { email })).token) };
    },
    viewAs: ({ ctx, session }, input) => viewAs(ctx, session, input),
    testMint: ({ ctx, session }, input) => viewAs(ctx, session, input),
    linkUserReport: async ({ ctx }, { userId, reportId }) => {
      const { email } = await requireUser(ctx, userId);
      await linkReports(ctx, { userEmail: email, reports: [reportId] });
      return {};
    },
    unlinkUserReport: async ({ ctx }, { userId, reportId }) => {
      const { email } = await requireUser(ctx, userId);
      await unlinkReports(ctx, { userEmail: email, reports: [reportId] });
      return {};
    },
    linkUserRole: async ({ ctx }, { userId, roleId }) => {
      const { email } = await requireUser(ctx, userId);
      await linkUsers(ctx, { ...(await requireRoleById(ctx, roleId)), usersEmails: [email] });
      return {};
    },
    unlinkUserRole: async ({ ctx }, { userId, roleId }) => {
      const { email } = await requireUser(ctx, userId);
      await unlinkUsers(ctx, { ...(await requireRoleById(ctx, roleId)), usersEmails: [email] });
      return {};
    },
  }) satisfies Partial<AdminHandlers>;

const presentPerson = (row: PersonRow): ListedUser => ({
  ...presentColumns(personColumns, row),
  isExpired: row.is_expired,
  companies: row.companies,
});

async function readDetails(ctx: Context, userId: string): Promise<UserDetails> {
  const row = await requireUser(ctx, userId);
  const { reports: _, groups: __, ...fields } = presentUser(row);
  return {
    ...fields,
    version: versionOf(row),
    ...(await findUserAccess(ctx, userId)),
  };
}
