import fs from 'node:fs/promises';
import path from 'node:path';

import type { FileOptions } from '@portal-embed/report-model';

import { describeQuestion, toSlug, type Answers } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import { findFreeSlug } from './create-report.ts';
import { draftContent } from './init.ts';
import { applyFiles, filesOf, type ContentServices } from './service.ts';
import * as uploads from './uploads.ts';

/**
 * Creates a dataset and a first report from an uploaded data file. The file moves to the organization's
 * data folder under a name that no other file has.
 *
 * @param input.csv and `fields` answer the questions of the file
 * @throws `not_found` if the uploaded file has been deleted; `invalid_request` if a question has no answer
 */
export async function importDataFile(
  ctx: Context,
  scope: ContentServices,
  input: {
    uploadId: string;
    name: string;
    workspace: string;
    csv?: { [Name in keyof FileOptions]?: FileOptions[Name] | undefined } | undefined;
    fields?: Answers['fields'];
  },
): Promise<{ datasetId: string; reportId: string | null }> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const { uploads: shared } = filesOf(ctx.db, scope).of(organizationId);
  const place = { root: scope.datasetFolder, organizationId, shared };
  const { folder, name } = await uploads.findUpload(place, input.uploadId);
  const converted = path.join(folder, uploads.convertedName);
  const draft = await draftContent(path.join(folder, name), {
    converted,
    // JSON has no undefined values.
    answers: { options: input.csv as Answers['options'], fields: input.fields },
    signal: scope.signal,
  });
  const asked = draft.described.questions.flatMap((question) =>
    describeQuestion({ file: name, ...question }, () => 'choose one of them'),
  );
  if (asked.length > 0)
    throw new PortalError('invalid_request', `${asked.map(({ message }) => message).join('; ')}.`);
  const slug = await findFree(ctx, toSlug(input.name));
  const file = findFreeFile(
    [
      ...(await uploads.listFolder(path.join(place.root, organizationId))),
      ...((await shared?.listOriginals()) ?? []),
    ],
    slug,
    path.extname(name),
  );
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

function findFreeFile(names: readonly string[], slug: string, extension: string): string {
  const taken = new Set(names);
  let file = `${slug}${extension}`;
  for (let number = 2; taken.has(file); number += 1) file = `${slug}-${number}${extension}`;
  return file;
}
