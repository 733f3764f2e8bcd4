import type { EndpointRequest, Page } from '@portal-embed/contract';

import { requirePermission, type Context } from '../context.ts';
import * as store from './store.ts';

export function listEntries(
  ctx: Context,
  input: EndpointRequest<'listAuditEntries'>,
): Promise<Page<store.AuditRow>> {
  requirePermission(ctx, 'audit:read');
  return store.listEntries(ctx.db, ctx.organizationId, input);
}
