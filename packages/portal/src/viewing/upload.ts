import path from 'node:path';

import type { UploadedFile } from '#admin/requests';
import type { DatasetContent } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { ownerOf, workHere } from '../content/content-processes.ts';
import { draftContent } from '../content/init.ts';
import { filesOf, type ContentServices } from '../content/service.ts';
import * as uploads from '../content/uploads.ts';
import { PortalError } from '../errors.ts';
import { explainFailure } from '../readings/failures.ts';
import { openFile } from '../readings/reading.ts';
import type { PreviewServices } from './preview.ts';
import { presentSample, sampleReport } from './sample.ts';

/**
 * Stores a data file that arrives, and returns its columns and some rows. A dataset is made of it by
 * `importDataFile`.
 */
export async function uploadDataFile(
  ctx: Context,
  services: Pick<ContentServices, 'datasetFolder' | 'files'>,
  scope: PreviewServices,
  { fileName, upload }: { fileName: string; upload: AsyncIterable<Uint8Array> },
): Promise<UploadedFile> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const { uploads: shared } = filesOf(ctx.db, services).of(organizationId);
  const place = { root: services.datasetFolder, organizationId, shared };
  const { id, folder, name } = await uploads.storeUpload(place, fileName, upload);
  try {
    const converted = path.join(folder, uploads.convertedName);
    const { worker = workHere, signal } = scope;
    const draft = await draftContent(path.join(folder, name), { converted, signal });
    const [[file, text] = ['', '']] = Object.entries(draft.write());
    const { item } = await worker.run(ctx, 'parse', { file, text }, signal);
    const { columns, hints, questions } = draft.described;
    const files = [uploads.pathOfConverted(id)];
    const reading = openFile({ ...scope, db: ctx.db }, ownerOf(ctx), {
      dataset: {
        name: draft.title,
        source: { definition: item!.definition, files, columns } satisfies DatasetContent,
        timeZone: 'UTC',
      },
      definition: sampleReport(columns.map((column) => column.name)),
    });
    const sample = presentSample(await reading.page({}));
    // Another instance may get the request that makes a dataset of it.
    await shared?.keep(id, name, path.join(folder, name));
    return {
      uploadId: id,
      name: draft.title,
      columns,
      sample,
      hints: [...draft.notes, ...hints.map(({ message }) => message)],
      questions,
    };
  } catch (error) {
    // What could not be read is removed later, with uploads that nobody used.
    await uploads.removeUpload(place, id).catch(scope.onFailure);
    throw error instanceof PortalError ? error : explainFailure(scope, error, 'author');
  }
}
