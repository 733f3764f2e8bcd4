import type { Handlers } from '../http/endpoints.ts';
import { presentResult } from './presenter.ts';
import { applyContent, type DataScope } from './service.ts';

export const contentRoutes = (scope: DataScope) =>
  ({
    applyContent: async (ctx, input) => presentResult(await applyContent(ctx, scope, input)),
  }) satisfies Partial<Handlers>;
