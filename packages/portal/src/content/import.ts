import fs from 'node:fs/promises';
import path from 'node:path';

import type { FileReading } from '#admin/requests';
import { toSlug } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import { workHere } from './content-processes.ts';
import { findFreeSlug } from './create-report.ts';
import { draftContent, toOptions } from './init.ts';
import { applyFiles, uploadsOf, type ContentServices } from './service.ts';
import * as uploads from './uploads.ts';

/**
 * Creates a dataset and a first report from an uploaded data file. The file moves to the organization's
 * data folder under a name that no other file has.
 *
 * @throws `not_found` if the uploaded file has been deleted; `invalid_request` if it has several
 *   interpretations and `input` chooses none
 */
export async function importDataFile(
  ctx: Context,
  scope: ContentServices,
  input: FileReading & { uploadId: string; name: string; workspace: string },
): Promise<{ datasetId: string; reportId: string | null }> {
  requireAdministrator(ctx);
  const place = uploadsOf(ctx, scope);
  const { folder, name } = await uploads.findUpload(place, input.uploadId);
  const converted = path.join(folder, uploads.convertedName);
  const options = { converted, ...toOptions(input), signal: scope.signal };
  const draft = await draftContent(path.join(folder, name), options);
  const { questions } = draft.described;
  if (questions.some(({ about }) => about === 'sheet'))
    throw new PortalError(
      'invalid_request',
      'This workbook has several sheets. Choose one of them.',
    );
  if (questions.length > 0)
    throw new PortalError('invalid_request', 'The file has several interpretations. Choose one.');
  const slug = await findFree(ctx, toSlug(input.name));
  const file = findFreeFile(
    [
      ...(await uploads.listFolder(path.join(place.root, place.organizationId))),
      ...((await place.shared?.listOriginals()) ?? []),
    ],
    slug,
    path.extname(name),
  );
  await fs.rename(path.join(folder, name), path.join(folder, file));
  const { name: title, workspace } = input;
  const files = draft.write({ file, slug, title, workspace });
  if (input.fields) {
    const dataset = `datasets/${slug}.yaml`;
    const edit = { text: files[dataset]!, edit: { fields: input.fields } };
    files[dataset] = await (scope.worker ?? workHere).run(ctx, 'editSource', edit, scope.signal);
  }
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

function findFreeFile(names: readonly string[], slug: string, extension: string): string {
  const taken = new Set(names);
  let file = `${slug}${extension}`;
  for (let number = 2; taken.has(file); number += 1) file = `${slug}-${number}${extension}`;
  return file;
}
