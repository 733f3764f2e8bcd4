import type { Handlers } from '../http/endpoints.ts';
import { presentResult } from './presenter.ts';
import { applyContent } from './service.ts';

/** @param datasetFolder folder of all dataset files */
export const contentRoutes = (datasetFolder: string) =>
  ({
    applyContent: async (ctx, input) =>
      presentResult(await applyContent(ctx, { datasetFolder }, input)),
  }) satisfies Partial<Handlers>;
