import type { Report } from '@portal-embed/report-model';

import type { FieldValues, ReaderView, TilesView } from '#viewer/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring, type Authoring } from '../catalogue/authoring.ts';
import { checkReport } from '../content/check-report.ts';
import { ContentError } from '../content/content-error.ts';
import { ownerOf, type ContentWorker } from '../content/content-processes.ts';
import { findReader, type DefinedDataset } from '../content/definitions-store.ts';
import { requireDefinition } from '../content/definitions.ts';
import { PortalError } from '../errors.ts';
import {
  openDraft,
  type DraftReader,
  type OpenReading,
  type ReadingScope,
} from '../readings/reading.ts';

export interface PreviewServices extends Omit<ReadingScope, 'db'> {
  /** Checks the texts. Default: this process. */
  worker?: ContentWorker | undefined;
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
 * Computes a report from a text that is not saved. Administrators see all rows or those of a user,
 * contributors their own. Nothing is written, not even to the access log.
 *
 * @throws `invalid_content`; otherwise as `viewReport`
 */
export async function previewReport(
  ctx: Context,
  scope: PreviewServices,
  input: PreviewInput,
): Promise<TilesView> {
  const { definition, reading } = await openPreview(ctx, scope, input);
  const computed = await reading.page(input);
  return {
    kind: 'tiles',
    report: {
      id: input.reportId,
      name: definition.name,
      description: definition.description ?? null,
      workspaceName: definition.workspace,
    },
    filters: [],
    ...reading.rows,
    ...computed,
  };
}

/** Lists the values of a filter of the preview. Throws like `previewReport`. */
export async function previewValues(
  ctx: Context,
  scope: PreviewServices,
  input: PreviewInput & { field: string; search?: string | undefined },
): Promise<FieldValues> {
  const { reading } = await openPreview(ctx, scope, input);
  return reading.values(input);
}

async function openPreview(
  ctx: Context,
  scope: PreviewServices,
  input: PreviewInput,
): Promise<{ definition: Report; reading: OpenReading }> {
  const authoring = await readAuthoring(ctx);
  const item = await requireDefinition(ctx, authoring, 'report', input.reportId);
  const checked = await checkReport(ctx, scope, authoring, item, input.text);
  const { mistakes, definition, dataset } = checked;
  if (mistakes.length > 0 || !definition || !dataset) throw new ContentError(mistakes);
  const reading = await openDraftAs(ctx, scope, authoring, input.asUserId, { dataset, definition });
  return { definition, reading };
}

/**
 * Opens a report that is not saved, with the rows of a user. Default: all rows for administrators, the
 * own rows for contributors.
 *
 * @throws `missing_permission` if a contributor names somebody else; `user_not_found`
 */
export async function openDraftAs(
  ctx: Context,
  scope: PreviewServices,
  authoring: Pick<Authoring, 'isAdministrator'>,
  asUserId: string | undefined,
  draft: {
    dataset: Pick<DefinedDataset, 'id' | 'name' | 'source' | 'timeZone' | 'version'>;
    definition: Report;
  },
): Promise<OpenReading> {
  const reader = await requireReader(ctx, authoring, asUserId);
  return openDraft({ ...scope, db: ctx.db }, ownerOf(ctx), reader, draft);
}

/** Returns whose rows are shown. */
async function requireReader(
  ctx: Context,
  { isAdministrator }: Pick<Authoring, 'isAdministrator'>,
  asUserId: string | undefined,
): Promise<DraftReader> {
  const { actor, db, organizationId } = ctx;
  if (isAdministrator && asUserId === undefined) return 'all-rows';
  if (actor.kind === 'user' && [actor.id, undefined].includes(asUserId))
    return { userId: actor.id };
  requireAdministrator(ctx);
  const reader = asUserId && (await findReader(db, organizationId, asUserId));
  if (reader) return { userId: reader.id };
  throw new PortalError('user_not_found', 'This user does not exist. Choose another one.');
}
