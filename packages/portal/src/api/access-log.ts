import { presentEntry } from '../access-log/presenter.ts';
import { listEntries } from '../access-log/service.ts';
import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from './mount.ts';

export const auditRoutes = {
  listAuditEntries: async (ctx, input) => presentPage(await listEntries(ctx, input), presentEntry),
} satisfies Partial<Handlers>;
