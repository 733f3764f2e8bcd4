import { putDataFile } from '../content/new-data/service.ts';
import { presentData, presentResult } from '../content/presenter.ts';
import { applyContent, type ContentServices } from '../content/service.ts';
import type { Handlers } from './mount.ts';

export const contentRoutes = (scope: ContentServices) =>
  ({
    applyContent: async (ctx, input) => presentResult(await applyContent(ctx, scope, input)),
    putDataFile: async (ctx, input) => presentData(await putDataFile(ctx, scope, input)),
  }) satisfies Partial<Handlers>;
