import { presentRole } from '../access/presenter.ts';
import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from '../access/role-links.ts';
import { listRoles } from '../access/roles.ts';
import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from './mount.ts';

export const rlsRoutes = {
  listRlsRoles: async (ctx, input) => presentPage(await listRoles(ctx, input), presentRole),
  linkRlsUsers: async (ctx, input) => linkUsers(ctx, input),
  linkRlsGroups: async (ctx, input) => linkGroups(ctx, input),
  unlinkRlsUsers: async (ctx, input) => unlinkUsers(ctx, input),
  unlinkRlsGroups: async (ctx, input) => unlinkGroups(ctx, input),
} satisfies Partial<Handlers>;
