import { importDataFile } from '../content/import.ts';
import { changeUploadedData, compareNewData, uploadNewData } from '../content/new-data/uploaded.ts';
import type { ContentServices } from '../content/service.ts';
import type { PreviewServices } from '../viewing/preview.ts';
import { describeUpload, removeUpload, uploadDataFile } from '../viewing/upload.ts';
import type { AdminHandlers } from './mount.ts';

export const dataFileAdminRoutes = (
  scope: ContentServices,
  preview: Omit<PreviewServices, 'signal'>,
) =>
  ({
    uploadDataFile: async ({ ctx, signal }, input) =>
      uploadDataFile(ctx, scope, { ...preview, signal }, input),
    describeUpload: async ({ ctx, signal }, input) =>
      describeUpload(ctx, scope, { ...preview, signal }, input),
    importDataFile: async ({ ctx, signal }, input) =>
      importDataFile(ctx, { ...scope, signal }, input),
    removeUpload: async ({ ctx }, { uploadId }) => {
      await removeUpload(ctx, scope, uploadId);
      return {};
    },
    uploadNewData: async ({ ctx, signal }, input) =>
      uploadNewData(ctx, { ...scope, signal }, input, preview.onFailure),
    compareNewData: async ({ ctx, signal }, input) =>
      compareNewData(ctx, { ...scope, signal }, input),
    changeData: async ({ ctx, signal }, input) =>
      changeUploadedData(ctx, { ...scope, signal }, input),
  }) satisfies Partial<AdminHandlers>;
