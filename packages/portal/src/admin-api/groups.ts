import { createGroup } from '../access/create-group.ts';
import { listGroupReports } from '../access/readable-reports.ts';
import { linkGroupReports, unlinkGroupReports } from '../access/report-links.ts';
import { linkGroups, unlinkGroups } from '../access/role-links.ts';
import { listGroupRoles, requireRoleById, searchRoles } from '../access/roles.ts';
import { listReports } from '../catalogue/service.ts';
import { presentList } from '../db/query/paging.ts';
import {
  addMembers,
  deleteGroup,
  findGroups,
  removeMembers,
  renameGroup,
  requireGroup,
} from '../groups/service.ts';
import { requireUser } from '../users/service.ts';
import type { AdminHandlers, MemberCall } from './mount.ts';

const pageSize = 25;

/** Number of choices that a field offers before the user types. */
const maxChoices = 20;

export const groupAdminRoutes = {
  listGroups: async ({ ctx }, { search, page }) => {
    const request = { search, pageNumber: page, pageSize };
    return presentList(request, await findGroups(ctx, request), (group) => group);
  },
  createGroup: async ({ ctx }, { name }) => ({
    id: await createGroup(ctx, { name, memberEmails: [], reports: [] }),
  }),
  readGroup: async ({ ctx }, { groupId }) => {
    const name = await requireGroup(ctx, groupId);
    const [reports, roles] = [
      await listGroupReports(ctx.db, ctx.organizationId, groupId),
      await listGroupRoles(ctx, groupId),
    ];
    return { id: groupId, name, reports, roles };
  },
  renameGroup: async ({ ctx }, { groupId, name, baseName }) => {
    await renameGroup(ctx, { id: groupId, name, baseName });
    return {};
  },
  deleteGroup: async ({ ctx }, { groupId }) => {
    await deleteGroup(ctx, groupId);
    return {};
  },
  addGroupMember: async ({ ctx }, input) => {
    await addMembers(ctx, await readMember(ctx, input));
    return {};
  },
  removeGroupMember: async ({ ctx }, input) => {
    await removeMembers(ctx, await readMember(ctx, input));
    return {};
  },
  linkGroupReport: async ({ ctx }, { groupId, reportId }) => {
    await linkGroupReports(ctx, { group: await requireGroup(ctx, groupId), reports: [reportId] });
    return {};
  },
  unlinkGroupReport: async ({ ctx }, { groupId, reportId }) => {
    await unlinkGroupReports(ctx, { group: await requireGroup(ctx, groupId), reports: [reportId] });
    return {};
  },
  linkGroupRole: async ({ ctx }, { groupId, roleId }) => {
    await requireGroup(ctx, groupId);
    await linkGroups(ctx, { ...(await requireRoleById(ctx, roleId)), groups: [groupId] });
    return {};
  },
  unlinkGroupRole: async ({ ctx }, { groupId, roleId }) => {
    await requireGroup(ctx, groupId);
    await unlinkGroups(ctx, { ...(await requireRoleById(ctx, roleId)), groups: [groupId] });
    return {};
  },
  searchReports: async ({ ctx }, { search }) => {
    const filter = { reportName: search, pageNumber: 1, pageSize: maxChoices };
    const { data } = await listReports(ctx, filter);
    return {
      items: data.map(({ id, name, workspace_name }) => ({
        id,
        name,
        workspaceName: workspace_name,
      })),
    };
  },
  searchRoles: async ({ ctx }, { search }) => ({
    items: await searchRoles(ctx, { search, limit: maxChoices }),
  }),
} satisfies Partial<AdminHandlers>;

const readMember = async (
  ctx: MemberCall['ctx'],
  { groupId, userId }: { groupId: string; userId: string },
) => ({
  group: await requireGroup(ctx, groupId),
  memberEmails: [(await requireUser(ctx, userId)).email],
});
