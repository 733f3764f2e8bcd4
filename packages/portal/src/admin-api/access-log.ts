import { writeCsv } from '../access-log/access-log-csv.ts';
import { presentEntry } from '../access-log/presenter.ts';
import { countByDay, findUserNames, listEntries } from '../access-log/service.ts';
import { presentPage } from '../db/query/paging.ts';
import type { AdminFile, AdminHandlers } from './mount.ts';

const pageSize = 50;

export const accessLogAdminRoutes = {
  listAccess: async ({ ctx }, { page, ...filter }) => {
    const found = await listEntries(ctx, { ...filter, pageNumber: page, pageSize });
    const names = await findUserNames(ctx, found.data);
    return presentPage(found, (row) =>
      Object.assign(presentEntry(row), { userName: names.get(row.user_id) ?? null }),
    );
  },
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
