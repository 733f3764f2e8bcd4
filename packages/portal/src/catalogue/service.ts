import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import type { Context } from '../actor/actor.ts';
import { requirePermission } from '../actor/permissions.ts';
import * as store from './store.ts';

export function listReports(
  ctx: Context,
  input: EndpointRequest<'listReports'>,
): Promise<PagedList<store.ReportRow>> {
  requirePermission(ctx, 'listReports');
  return store.listReports(ctx.db, ctx.organizationId, input);
}
