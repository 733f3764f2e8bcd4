import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from '../http/endpoints.ts';
import { presentEntry } from './presenter.ts';
import { listEntries } from './service.ts';

export const auditRoutes = {
  listAuditEntries: async (ctx, input) => presentPage(await listEntries(ctx, input), presentEntry),
} satisfies Partial<Handlers>;
