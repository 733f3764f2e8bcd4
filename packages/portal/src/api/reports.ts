import { linkReports, unlinkReports } from '../access/report-links.ts';
import { presentReport } from '../catalogue/presenter.ts';
import { listReports } from '../catalogue/service.ts';
import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from './mount.ts';

export const reportRoutes = {
  listReports: async (ctx, input) =>
    presentPage(await listReports(ctx, input), presentReport(ctx.publicUrl)),
  linkReports: async (ctx, input) => linkReports(ctx, input),
  unlinkReports: async (ctx, input) => unlinkReports(ctx, input),
} satisfies Partial<Handlers>;
