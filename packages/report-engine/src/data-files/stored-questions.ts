import {
  csvSchema,
  type Dataset,
  type FileQuestion,
  type Question,
} from '@portal-embed/report-model';

import { ReportError } from '#platform';

import { isChosen } from '../files/csv-number-hints.ts';
import { DataFileError } from '../storage/data-file-error.ts';
import { questionsOf } from '../storage/files.ts';
import { storeSource, type KeptColumns } from './data-files.ts';
import type { VersionPlace } from './versions.ts';

const nameFile = (question: Question, file: string): FileQuestion => ({ file, ...question });

/**
 * What the files of a stored dataset leave open, unless its definition chooses.
 *
 * @param stored the stored versions of its data files, and their columns
 */
export async function listStoredQuestions(
  place: VersionPlace,
  { source, fields }: Dataset,
  stored: { files: readonly string[]; columns: KeptColumns },
  signal?: AbortSignal,
): Promise<FileQuestion[]> {
  if ('connection' in source) return [];
  const known = await Promise.all(stored.files.map((each) => place.files.find(each)));
  const file = 'file' in source ? source.file : source.files;
  const questions = known.map((description) => description && questionsOf(description));
  if (questions.every((each) => each !== undefined))
    return questions.flat().map((question) => nameFile(question, file));
  // The first releases asked nothing. Without their questions, the files are read again.
  if (isChosen(source.xlsx ?? csvSchema.parse(source.csv ?? {}))) return [];
  try {
    const options = { kept: stored.columns, signal };
    return (await storeSource(place, { source, fields }, options)).questions ?? [];
  } catch (error) {
    // The data files have changed since, or too many are being converted.
    if (error instanceof DataFileError || error instanceof ReportError) return [];
    throw error;
  }
}
