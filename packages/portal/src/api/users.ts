import { presentPage } from '../db/query/paging.ts';
import { presentUser } from '../users/presenter.ts';
import { createUser, deleteUser, listUsers } from '../users/service.ts';
import type { Handlers } from './mount.ts';

export const userRoutes = {
  listUsers: async (ctx, input) => presentPage(await listUsers(ctx, input), presentUser),
  createUser: async (ctx, input) => presentUser(await createUser(ctx, input)),
  deleteUser: async (ctx, input) => deleteUser(ctx, input),
} satisfies Partial<Handlers>;
