import { z } from 'zod';

import type { ExportRequest } from '#viewer/requests';

import type { AnsweredFile } from '../http/mount.ts';
import { exportFile, recordExported } from '../viewing/export.ts';
import type { ViewerHandlers } from './mount.ts';
import { viewFields } from './report-views.ts';

export const exportRequestSchema: z.ZodType<ExportRequest> = z.strictObject({
  ...viewFields,
  tile: z.string().min(1).max(200),
  format: z.enum(['csv', 'xlsx']),
});

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Requests of the viewer page for files and prints. */
export const exportRoutes = {
  exportTile: async (
    { scope, session, confirm },
    { reportId, ...request },
  ): Promise<AnsweredFile> => ({
    type: contentTypes[request.format],
    content: await exportFile({ ...scope, confirm }, session, reportId, request),
  }),
  recordPrint: async ({ scope, session }, { reportId }) => {
    await recordExported(scope, session, reportId);
    return {};
  },
} satisfies Partial<ViewerHandlers>;
