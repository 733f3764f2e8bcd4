import { Router, type Response } from 'express';
import { z } from 'zod';

import type { ExportRequest } from '#viewer/requests';

import { parseBody } from '../http/body.ts';
import { allowOnly } from '../http/methods.ts';
import { sendStream } from '../http/stream.ts';
import { exportTile, recordExported, type ExportedFile } from '../viewing/export.ts';
import {
  authorizeRequest,
  authenticate,
  createViewScope,
  readReportId,
  readViewBody,
  sendData,
  viewFields,
  type ViewerScope,
} from './report-views.ts';

const exportRequestSchema: z.ZodType<ExportRequest> = z.strictObject({
  ...viewFields,
  tile: z.string().min(1).max(200),
  format: z.enum(['csv', 'xlsx']),
});

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Requests of the viewer page for files and prints, with the bearer of its session. */
export function exportRouter(scope: ViewerScope): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.post('/viewer/reports/:reportId/export', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    const confirm = () => authenticate(scope, req, res);
    await readViewBody(req, confirm);
    const reportId = readReportId(req);
    const request = parseBody(req, exportRequestSchema, 'request for an export');
    // Until the file is sent, the export counts toward the user's concurrent reports.
    await scope.limitViews(session, async () => {
      const exportScope = { ...createViewScope(scope, session, req, res), confirm };
      const file = await exportTile(exportScope, session, reportId, request);
      await sendFile(res, request.format, file);
    });
  });
  router.all('/viewer/reports/:reportId/export', allowOnly('POST'));

  router.post('/viewer/reports/:reportId/print', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    const db = scope.ofOrganization(session.organizationId);
    await recordExported({ db }, session, readReportId(req));
    await sendData(res, {});
  });
  router.all('/viewer/reports/:reportId/print', allowOnly('POST'));
  return router;
}

async function sendFile(
  res: Response,
  format: ExportRequest['format'],
  file: ExportedFile,
): Promise<void> {
  res.set({ 'Cache-Control': 'no-store', 'Content-Type': contentTypes[format] }).attachment();
  if (Buffer.isBuffer(file)) res.send(file);
  else await sendStream(res, file);
}
