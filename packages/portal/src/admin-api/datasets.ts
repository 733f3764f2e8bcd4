import * as service from '../content/datasets.ts';
import type { ContentServices } from '../content/service.ts';
import { findUnreadableTexts } from '../content/unreadable-texts.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { PreviewServices } from '../viewing/preview.ts';
import { readSample } from '../viewing/sample.ts';
import { findFieldValues, tryMetrics, tryRole } from '../viewing/trial.ts';
import type { AdminHandlers } from './mount.ts';

export const datasetAdminRoutes = (
  scope: ContentServices,
  preview: Omit<PreviewServices, 'signal'> & { platforms: Platforms },
) => {
  const trialScope = (signal: AbortSignal) => ({
    content: { ...scope, signal },
    preview: { ...preview, signal },
  });
  return {
    findDatasets: async ({ ctx }) => ({
      datasets: await service.findDatasets(ctx, preview.platforms),
    }),
    readDataset: async ({ ctx, signal }, { datasetId }) =>
      service.readDataset(ctx, { ...scope, platforms: preview.platforms, signal }, datasetId),
    readSample: async ({ ctx, signal }, input) => readSample(ctx, { ...preview, signal }, input),
    findUnreadableTexts: async ({ ctx, signal }, { datasetId }) => ({
      texts: await findUnreadableTexts(ctx, { ...scope, signal }, datasetId),
    }),
    tryMetrics: ({ ctx, signal }, input) => tryMetrics(ctx, trialScope(signal), input),
    tryRole: ({ ctx, signal }, input) => tryRole(ctx, trialScope(signal), input),
    findFieldValues: ({ ctx, signal }, input) =>
      findFieldValues(ctx, { ...preview, signal }, input),
    findLookUpFields: async ({ ctx, signal }, { dataset }) => ({
      fields: await service.findLookUpFields(ctx, { ...scope, signal }, dataset),
    }),
    changeDatasetWorkspace: async ({ ctx }, input) => {
      await service.changeDatasetWorkspace(ctx, input);
      return {};
    },
  } satisfies Partial<AdminHandlers>;
};
