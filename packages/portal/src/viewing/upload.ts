import path from 'node:path';

import type { FileReading, UploadedFile } from '#admin/requests';
import type { DatasetContent } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { ownerOf, workHere } from '../content/content-processes.ts';
import { findExisting } from '../content/existing-datasets.ts';
import { draftContent, toOptions } from '../content/init.ts';
import type { DatasetItem } from '../content/items.ts';
import { uploadsOf, type ContentServices } from '../content/service.ts';
import * as uploads from '../content/uploads.ts';
import { PortalError } from '../errors.ts';
import { explainFailure } from '../readings/failures.ts';
import { openFile } from '../readings/reading.ts';
import type { PreviewServices } from './preview.ts';
import { presentSample, sampleReport } from './sample.ts';

type UploadServices = Pick<ContentServices, 'datasetFolder' | 'files'>;

/**
 * Stores a data file that arrives, and describes it. A dataset is made of it by `importDataFile`.
 */
export async function uploadDataFile(
  ctx: Context,
  services: UploadServices,
  scope: PreviewServices,
  input: { fileName: string; upload: AsyncIterable<Uint8Array>; reading?: FileReading | undefined },
): Promise<UploadedFile> {
  requireAdministrator(ctx);
  const place = uploadsOf(ctx, services);
  const stored = await uploads.storeUpload(place, input.fileName, input.upload);
  try {
    const described = await describe(ctx, services, scope, stored, input.reading ?? {});
    // Another instance may get the request that makes a dataset of it.
    await place.shared?.keep(stored.id, stored.name, path.join(stored.folder, stored.name));
    return described;
  } catch (error) {
    // What could not be read is removed later, with uploads that nobody used.
    await uploads.removeUpload(place, stored.id).catch(scope.onFailure);
    throw error;
  }
}

/**
 * Describes an uploaded file once more, with the answers to its questions.
 *
 * @throws `not_found` if it has been deleted
 */
export async function describeUpload(
  ctx: Context,
  services: UploadServices,
  scope: PreviewServices,
  { uploadId, ...reading }: FileReading & { uploadId: string },
): Promise<UploadedFile> {
  requireAdministrator(ctx);
  const found = await uploads.findUpload(uploadsOf(ctx, services), uploadId);
  return describe(ctx, services, scope, { id: uploadId, ...found }, reading);
}

/** Removes an uploaded file of which nothing is made. */
export async function removeUpload(
  ctx: Context,
  services: UploadServices,
  uploadId: string,
): Promise<void> {
  requireAdministrator(ctx);
  await uploads.removeUpload(uploadsOf(ctx, services), uploadId);
}

/** Reads the columns and some rows of an uploaded file. */
async function describe(
  ctx: Context,
  services: UploadServices,
  scope: PreviewServices,
  { id, folder, name }: { id: string; folder: string; name: string },
  chosen: FileReading,
): Promise<UploadedFile> {
  try {
    const converted = path.join(folder, uploads.convertedName);
    const { worker = workHere, signal } = scope;
    const options = { converted, ...toOptions(chosen), signal };
    const draft = await draftContent(path.join(folder, name), options);
    const [[file, text] = ['', '']] = Object.entries(draft.write());
    const { item } = await worker.run(ctx, 'parse', { file, text }, signal);
    const { columns, hints, questions } = draft.described;
    const files = [uploads.pathOfConverted(id)];
    const { definition } = item as DatasetItem;
    const reading = openFile({ ...scope, db: ctx.db }, ownerOf(ctx), {
      dataset: {
        name: draft.title,
        source: { definition, files, columns } satisfies DatasetContent,
        timeZone: 'UTC',
      },
      definition: sampleReport(columns.map((column) => column.name)),
    });
    const { csv, xlsx } = definition.source as Pick<FileReading, 'csv' | 'xlsx'>;
    return {
      uploadId: id,
      name: draft.title,
      columns,
      sample: presentSample(await reading.page({})),
      // What the notes of the draft say is in `reading`.
      hints: hints.map(({ message }) => message),
      reading: {
        ...(csv && { csv }),
        ...(xlsx && { xlsx }),
        fields: Object.fromEntries(
          Object.entries(draft.fields).map(([column, field]) => [column, { ...field }]),
        ),
      },
      questions,
      existing: await findExisting(ctx, services, {
        file: path.join(folder, name),
        title: draft.title,
      }),
    };
  } catch (error) {
    throw error instanceof PortalError ? error : explainFailure(scope, error, 'author');
  }
}
