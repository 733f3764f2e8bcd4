import type { Report } from '@portal-embed/report-model';

import type { FieldValues, ReaderView, ReportView } from '#viewer/requests';

import { findVisibleRows, type VisibleRows } from '../access/visible-rows.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring } from '../catalogue/authoring.ts';
import { checkReport } from '../content/check-report.ts';
import { ContentError } from '../content/content-error.ts';
import { ownerOf, type ContentWorker } from '../content/content-processes.ts';
import { findReader, type DefinedDataset } from '../content/definitions-store.ts';
import { requireDefinition } from '../content/definitions.ts';
import { PortalError } from '../errors.ts';
import type { ReportPlatform, ReportRequest } from '../platforms/platform.ts';
import { createReportRequest } from '../readings/report-request.ts';
import { explainFailure } from './report.ts';

export interface PreviewScope {
  platform: ReportPlatform;
  /** Checks the texts. Default: this process. */
  worker?: ContentWorker | undefined;
  /** Called with the error of a preview that could not be computed. */
  onFailure: (error: unknown) => void;
  /** Aborts when the browser gives up. */
  signal: AbortSignal;
}

export interface PreviewInput {
  reportId: string;
  /** The text that is not saved yet. */
  text: string;
  asUserId?: string | undefined;
  page?: number | undefined;
  view?: ReaderView | undefined;
}

/**
 * Computes a report from a text that is not saved, with the rows of a user. Nothing is written, not
 * even to the access log.
 *
 * @throws `invalid_content`; otherwise as `viewReport`
 */
export async function previewReport(
  ctx: Context,
  scope: PreviewScope,
  input: PreviewInput,
): Promise<ReportView> {
  const { definition, visible, request } = await openPreview(ctx, scope, input);
  try {
    return {
      report: {
        id: input.reportId,
        name: definition.name,
        description: definition.description ?? null,
        workspaceName: definition.workspace,
      },
      filters: [],
      rowAccess: visible.rowAccess,
      roles: visible.roles,
      ...(await scope.platform.compute(request)),
    };
  } catch (error) {
    throw explainFailure(scope, error, 'author');
  }
}

/** Lists the values of a filter of the preview. Throws like `previewReport`. */
export async function previewValues(
  ctx: Context,
  scope: PreviewScope,
  { field, search, ...input }: PreviewInput & { field: string; search?: string | undefined },
): Promise<FieldValues> {
  const { request } = await openPreview(ctx, scope, input);
  try {
    return await scope.platform.listValues({ ...request, field, search });
  } catch (error) {
    throw explainFailure(scope, error, 'author');
  }
}

async function openPreview(
  ctx: Context,
  scope: PreviewScope,
  input: PreviewInput,
): Promise<{ definition: Report; visible: VisibleRows; request: ReportRequest }> {
  const authoring = await readAuthoring(ctx);
  const item = await requireDefinition(ctx, authoring, 'report', input.reportId);
  const checked = await checkReport(ctx, scope, authoring, item, input.text);
  const { mistakes, definition, dataset } = checked;
  if (mistakes.length > 0 || !definition || !dataset) throw new ContentError(mistakes);
  const opened = await openAs(ctx, scope, dataset, { ...input, definition });
  return { ...opened, definition };
}

/**
 * Prepares the computation of a report over a dataset, with the rows of the caller or of another user.
 *
 * @throws `missing_permission` if a contributor names somebody else; `user_not_found`
 */
export async function openAs(
  ctx: Context,
  scope: Pick<PreviewScope, 'onFailure' | 'signal'>,
  dataset: Pick<DefinedDataset, 'id' | 'name' | 'files' | 'definition' | 'version'>,
  input: Omit<PreviewInput, 'reportId' | 'text'> & { definition: Report },
): Promise<{ visible: VisibleRows; request: ReportRequest }> {
  const userId = await requireReader(ctx, input.asUserId);
  const { db, organizationId } = ctx;
  const visible = await findVisibleRows(db, {
    organizationId,
    userId,
    datasetId: dataset.id,
  });
  if (visible?.version !== dataset.version)
    throw new PortalError('overloaded', 'The data of the report is changing.', {
      advice: 'Try again in a few seconds.',
      retryAfter: 1,
    });
  const request = createReportRequest(
    { db, ...scope },
    // The author's turns, not those of the chosen reader.
    { organizationId, userId: ownerOf(ctx).userId },
    visible,
    {
      dataset,
      platform: 'builtin',
      definition: input.definition,
      page: input.page ?? 0,
      filters: [],
      view: input.view,
      unappliedFilters: 'note',
    },
  );
  return { visible, request };
}

/** Operators are not users, so they have no roles. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Returns the id of the user whose rows are shown. */
async function requireReader(ctx: Context, asUserId: string | undefined): Promise<string> {
  const { actor, db, organizationId } = ctx;
  if (asUserId === undefined || (actor.kind === 'user' && actor.id === asUserId))
    return actor.kind === 'user' ? actor.id : nobody;
  requireAdministrator(ctx);
  const reader = await findReader(db, organizationId, asUserId);
  if (reader) return reader.id;
  throw new PortalError('user_not_found', 'This user does not exist. Choose another one.');
}
