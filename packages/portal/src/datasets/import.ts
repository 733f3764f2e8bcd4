import fs from 'node:fs/promises';
import path from 'node:path';

import type { UploadedFile } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { workHere } from '../content/content-processes.ts';
import { findFreeSlug } from '../content/create-report.ts';
import { draftContent, toSlug } from '../content/init.ts';
import { applyFiles, type DataScope } from '../content/service.ts';
import { PortalError } from '../errors.ts';
import type { Separators } from '../platforms/builtin/files/csv-numbers.ts';
import { createReportRequest } from '../readings/report-request.ts';
import type { PreviewScope } from '../viewing/preview.ts';
import { explainFailure } from '../viewing/report.ts';
import { presentSample, sampleReport } from '../viewing/sample-report.ts';
import * as uploads from './uploads.ts';

/**
 * Stores a data file that arrives, and returns its columns and some rows. A dataset is made of it by
 * `importDataFile`.
 */
export async function uploadDataFile(
  ctx: Context,
  scope: DataScope,
  preview: PreviewScope,
  { fileName, upload }: { fileName: string; upload: AsyncIterable<Uint8Array> },
): Promise<UploadedFile> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const place = { root: scope.datasetFolder, organizationId };
  const { id, folder, name } = await uploads.storeUpload(place, fileName, upload);
  try {
    const converted = path.join(folder, uploads.convertedName);
    const { worker = workHere, signal } = preview;
    const draft = await draftContent(path.join(folder, name), { converted, signal });
    const [[file, text] = ['', '']] = Object.entries(draft.write());
    const { item } = await worker.run(ctx, 'parse', { file, text }, signal);
    const { columns, hints, readings } = draft.described;
    const request = createReportRequest({ db: ctx.db, ...preview }, nobodyOf(ctx), everyRow, {
      dataset: {
        name: draft.title,
        files: [uploads.pathOfConverted(id)],
        definition: item!.definition,
      },
      platform: 'builtin',
      definition: sampleReport(columns.map((column) => column.name)),
      page: 0,
      filters: [],
      view: undefined,
      unappliedFilters: 'note',
    });
    return {
      uploadId: id,
      name: draft.title,
      columns,
      sample: presentSample(await preview.platform.compute(request)),
      hints: hints.map(({ message }) => message),
      readings,
    };
  } catch (error) {
    await uploads.removeUpload(place, id);
    throw error instanceof Error && error.name === 'PortalError'
      ? error
      : explainFailure(preview, error, 'author');
  }
}

/**
 * Creates a dataset and a first report from an uploaded data file. The file moves to the organization's
 * data folder under a name that no other file has.
 *
 * @throws `not_found` if the uploaded file has been deleted; `invalid_request` if its numbers have two
 *   readings and `csv` chooses none
 */
export async function importDataFile(
  ctx: Context,
  scope: DataScope,
  input: { uploadId: string; name: string; workspace: string; csv?: Separators | undefined },
): Promise<{ datasetId: string; reportId: string | null }> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const place = { root: scope.datasetFolder, organizationId };
  const { folder, name } = await uploads.findUpload(place, input.uploadId);
  const converted = path.join(folder, uploads.convertedName);
  const draft = await draftContent(path.join(folder, name), {
    converted,
    separators: input.csv ?? {},
    signal: scope.signal,
  });
  if (draft.described.readings.length > 0)
    throw new PortalError(
      'invalid_request',
      'The numbers of this file have two readings. Choose one of them.',
    );
  const slug = await findFree(ctx, toSlug(input.name));
  const file = await findFreeFile(path.join(place.root, organizationId), slug, path.extname(name));
  await fs.rename(path.join(folder, name), path.join(folder, file));
  const { name: title, workspace } = input;
  const files = draft.write({ file, slug, title, workspace });
  const edits = Object.keys(files).map((each) => ({
    kind: each.startsWith('datasets/') ? ('dataset' as const) : ('report' as const),
    slug,
    base: null,
  }));
  const { changes } = await applyFiles(ctx, { ...scope, dataFolder: folder }, { files }, edits);
  await uploads.removeUpload(place, input.uploadId);
  const idOf = (kind: string) =>
    changes.find((change) => change.kind === kind && change.slug === slug)?.id;
  return { datasetId: idOf('dataset')!, reportId: idOf('report') ?? null };
}

/** The dataset and its report have the same slug. */
async function findFree(ctx: Context, wanted: string): Promise<string> {
  let slug = wanted;
  for (;;) {
    const free = await findFreeSlug(ctx, 'report', await findFreeSlug(ctx, 'dataset', slug));
    if (free === slug) return slug;
    slug = free;
  }
}

async function findFreeFile(folder: string, slug: string, extension: string): Promise<string> {
  const taken = new Set(await uploads.listFolder(folder));
  let file = `${slug}${extension}`;
  for (let number = 2; taken.has(file); number += 1) file = `${slug}-${number}${extension}`;
  return file;
}

const nobodyOf = ({ organizationId }: Context) => ({
  organizationId,
  userId: '00000000-0000-0000-0000-000000000000',
});

/** An administrator sees the whole file that they send. */
const everyRow = {
  version: 0,
  rowAccess: 'everyone' as const,
  roles: [],
  rows: ['all' as const],
  email: '',
  hasEmailTwin: false,
  department: '',
  groups: [],
  companies: [],
};
