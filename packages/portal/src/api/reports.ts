import { linkReports, unlinkReports } from '../access/report-links.ts';
import { presentPage } from '../db/query/paging.ts';
import { presentReport } from '../reports/presenter.ts';
import { listReports } from '../reports/service.ts';
import type { Handlers } from './mount.ts';

export const reportRoutes = {
  listReports: async (ctx, input) =>
    presentPage(await listReports(ctx, input), presentReport(ctx.publicUrl)),
  linkReports: async (ctx, input) => linkReports(ctx, input),
  unlinkReports: async (ctx, input) => unlinkReports(ctx, input),
} satisfies Partial<Handlers>;
