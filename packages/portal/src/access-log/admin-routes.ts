import { presentPage } from '../db/query/paging.ts';
import type { AdminFile, AdminHandlers } from '../http/admin-endpoints.ts';
import { writeCsv } from './csv.ts';
import { presentEntry } from './presenter.ts';
import { countByDay, listEntries } from './service.ts';

const pageSize = 50;

export const accessLogAdminRoutes = {
  listAccess: async ({ ctx }, { page, ...filter }) =>
    presentPage(await listEntries(ctx, { ...filter, pageNumber: page, pageSize }), presentEntry),
  exportAccess: async ({ ctx }, { to, ...filter }): Promise<AdminFile> => ({
    name: 'access-log.csv',
    type: 'text/csv',
    content: writeCsv(ctx, {
      ...filter,
      to: to === undefined ? new Date() : new Date(to),
    }),
  }),
  countAccess: ({ ctx }) => countByDay(ctx),
} satisfies Partial<AdminHandlers>;
