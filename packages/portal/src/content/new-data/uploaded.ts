import path from 'node:path';

import type { ChangedData, FileReading, NewData } from '#admin/requests';
import { describeQuestion } from '#report-engine';

import type { Context } from '../../actor/actor.ts';
import { requireAdministrator } from '../../actor/permissions.ts';
import { presentData } from '../presenter.ts';
import { uploadsOf, type ContentServices } from '../service.ts';
import * as uploads from '../uploads.ts';
import { changeDatasetData } from './service.ts';
import { findVersion } from './store.ts';

interface Change extends FileReading {
  datasetId: string;
  mode: 'replace' | 'append';
  target?: string | undefined;
}

/**
 * Stores a new file of a dataset that arrives, and compares it. `changeUploadedData` brings it to the
 * dataset.
 */
export async function uploadNewData(
  ctx: Context,
  scope: ContentServices,
  { fileName, upload, ...change }: Change & { fileName: string; upload: AsyncIterable<Uint8Array> },
  onFailure: (error: unknown) => void,
): Promise<NewData> {
  requireAdministrator(ctx);
  const place = uploadsOf(ctx, scope);
  const stored = await uploads.storeUpload(place, fileName, upload);
  try {
    const compared = await compare(ctx, scope, stored, change);
    // Another instance may get the request that confirms the change.
    await place.shared?.keep(stored.id, stored.name, path.join(stored.folder, stored.name));
    return compared;
  } catch (error) {
    await uploads.removeUpload(place, stored.id).catch(onFailure);
    throw error;
  }
}

/**
 * Compares an uploaded file once more, for another of the dataset's files or with the answers to its
 * questions.
 *
 * @throws `not_found` if it has been deleted
 */
export async function compareNewData(
  ctx: Context,
  scope: ContentServices,
  { uploadId, ...change }: Change & { uploadId: string },
): Promise<NewData> {
  requireAdministrator(ctx);
  const found = await uploads.findUpload(uploadsOf(ctx, scope), uploadId);
  return compare(ctx, scope, { id: uploadId, ...found }, change);
}

/**
 * Brings an uploaded file to a dataset, and removes the upload.
 *
 * @throws as `changeDatasetData`
 */
export async function changeUploadedData(
  ctx: Context,
  scope: ContentServices,
  input: Change & { uploadId: string; version: number; isConfirmed?: boolean | undefined },
): Promise<ChangedData> {
  requireAdministrator(ctx);
  const { uploadId, version, isConfirmed, ...change } = input;
  const place = uploadsOf(ctx, scope);
  const found = await uploads.findUpload(place, uploadId);
  const request = { ...toRequest(found, change), version, force: isConfirmed };
  const changed = await changeDatasetData(ctx, scope, request);
  await uploads.removeUpload(place, uploadId);
  return presentData(changed);
}

async function compare(
  ctx: Context,
  scope: ContentServices,
  found: { id: string; folder: string; name: string },
  change: Change,
): Promise<NewData> {
  const { db, organizationId } = ctx;
  const version = await findVersion(db, organizationId, change.datasetId);
  const request = { ...toRequest(found, change), version, dryRun: true };
  const result = await changeDatasetData(ctx, scope, request);
  const slug = result.datasets.find(({ id }) => id === change.datasetId)?.slug ?? '';
  const messages = new Set(result.mistakes.map(({ message }) => message));
  const asked = (result.sources.get(slug)?.questions ?? []).flatMap((question) => {
    const texts = describeQuestion(question).map(({ message }) => message);
    // A dataset keeps the interpretation that it had.
    return texts.some((text) => messages.has(text)) ? [{ question, texts }] : [];
  });
  const answered = new Set(asked.flatMap(({ texts }) => texts));
  return {
    uploadId: found.id,
    version: version ?? 0,
    ...presentData(result),
    // The questions say it better.
    mistakes: result.mistakes.filter(({ message }) => !answered.has(message)),
    doubts: result.doubts,
    questions: asked.map(({ question: { about, interpretations } }) => ({
      about,
      interpretations,
    })),
  };
}

function toRequest(
  { folder, name }: { folder: string; name: string },
  { datasetId, mode, target, csv, xlsx, fields }: Change,
) {
  const edit = { options: csv ?? xlsx, kind: xlsx ? 'xlsx' : 'csv', fields } as const;
  return { dataset: datasetId, mode, target, path: path.join(folder, name), fileName: name, edit };
}
