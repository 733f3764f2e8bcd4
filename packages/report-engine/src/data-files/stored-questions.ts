import { csvSchema, type Dataset, type NumberQuestion } from '@portal-embed/report-model';

import { ReportError } from '#platform';

import { DataFileError } from '../storage/data-file-error.ts';
import { storeSource } from './data-files.ts';
import type { VersionPlace } from './versions.ts';

/**
 * The numbers of a stored dataset that have two readings, unless its definition chooses one.
 *
 * @param files the stored versions of its data files
 */
export async function listStoredQuestions(
  place: VersionPlace,
  { source, fields }: Dataset,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<NumberQuestion[]> {
  if ('connection' in source) return [];
  const { decimal, thousands } = csvSchema.parse(source.csv ?? {});
  if (decimal !== undefined || thousands !== undefined) return [];
  const known = await Promise.all(files.map((file) => place.files.find(file)));
  const file = 'file' in source ? source.file : source.files;
  // Without their readings, the files are read again.
  if (known.every((description) => description?.readings))
    return known.flatMap((description) =>
      description?.readings?.length ? [{ file, readings: description.readings }] : [],
    );
  try {
    return (await storeSource(place, { source, fields }, signal)).questions ?? [];
  } catch (error) {
    // The data files have changed since, or too many are being converted.
    if (error instanceof DataFileError || error instanceof ReportError) return [];
    throw error;
  }
}
