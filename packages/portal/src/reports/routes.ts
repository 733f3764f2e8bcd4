import { presentPage } from '../db/query/paging.ts';
import type { Handlers } from '../http/endpoints.ts';
import { presentReport } from './presenter.ts';
import { linkReports, listReports, unlinkReports } from './service.ts';

export const reportRoutes = {
  listReports: async (ctx, input) =>
    presentPage(await listReports(ctx, input), presentReport(ctx.publicUrl)),
  linkReports: async (ctx, input) => linkReports(ctx, input),
  unlinkReports: async (ctx, input) => unlinkReports(ctx, input),
} satisfies Partial<Handlers>;
