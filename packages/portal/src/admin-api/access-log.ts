import { writeCsv } from '../access-log/access-log-csv.ts';
import { presentEntry } from '../access-log/presenter.ts';
import { countByDay, listEntries } from '../access-log/service.ts';
import { presentPage } from '../db/query/paging.ts';
import type { AdminFile, AdminHandlers } from './mount.ts';

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
