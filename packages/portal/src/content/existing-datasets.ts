import path from 'node:path';

import type { ExistingDataset } from '#admin/requests';
import { toSlug } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { hashFile } from '../files/folder.ts';
import { getFilePath } from './items.ts';
import { kindOf } from './new-data/append.ts';
import { listFileDatasets } from './new-data/store.ts';
import { filesOf, type ContentServices } from './service.ts';

/**
 * Finds the datasets whose data an uploaded file can replace: those that read a file with the same bytes
 * or name, or have the name that the new dataset would get.
 */
export async function findExisting(
  { db, organizationId }: Context,
  scope: Pick<ContentServices, 'datasetFolder' | 'files'>,
  upload: { file: string; title: string },
): Promise<ExistingDataset[]> {
  const fileName = path.basename(upload.file);
  const datasets = (await listFileDatasets(db, organizationId)).flatMap((dataset) =>
    'file' in dataset.source ? [{ ...dataset, file: dataset.source.file }] : [],
  );
  const replaceable = datasets.filter(
    ({ file }) => kindOf(path.extname(file)) === kindOf(path.extname(fileName)),
  );
  if (replaceable.length === 0) return [];
  const same = await filesOf(db, scope)
    .of(organizationId)
    .findSame(
      replaceable.map(({ file }) => file),
      await hashFile(upload.file),
    );
  const slug = toSlug(upload.title);
  return replaceable
    .filter(
      (dataset) =>
        same.has(dataset.file) ||
        dataset.slug === slug ||
        dataset.name.toLowerCase() === upload.title.toLowerCase() ||
        path.posix.basename(dataset.file) === fileName,
    )
    .map(({ id, name, slug: own, file }) => ({
      id,
      name,
      file: getFilePath({ kind: 'dataset', slug: own }),
      isSame: same.has(file),
    }))
    .toSorted((one, other) => Number(other.isSame) - Number(one.isSame));
}
