import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from '../http/endpoints.ts';
import { presentUser } from './presenter.ts';
import { createUser, deleteUser, listUsers } from './service.ts';

export const userRoutes = {
  listUsers: async (ctx, input) => presentPage(await listUsers(ctx, input), presentUser),
  createUser: async (ctx, input) => presentUser(await createUser(ctx, input)),
  deleteUser: async (ctx, input) => deleteUser(ctx, input),
} satisfies Partial<Handlers>;
