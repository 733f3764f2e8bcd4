import {
  csvSchema,
  type Dataset,
  type FileQuestion,
  type Question,
} from '@portal-embed/report-model';

import { ReportError } from '#platform';

import { DataFileError } from '../storage/data-file-error.ts';
import { questionsOf } from '../storage/files.ts';
import { storeSource } from './data-files.ts';
import type { VersionPlace } from './versions.ts';

const nameFile = (question: Question, file: string): FileQuestion => ({ file, ...question });

/**
 * What the files of a stored dataset leave open, unless its definition chooses.
 *
 * @param files the stored versions of its data files
 */
export async function listStoredQuestions(
  place: VersionPlace,
  { source, fields }: Dataset,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<FileQuestion[]> {
  if ('connection' in source) return [];
  const { decimal, thousands } = source.xlsx ?? csvSchema.parse(source.csv ?? {});
  if (decimal !== undefined || thousands !== undefined) return [];
  const known = await Promise.all(files.map((file) => place.files.find(file)));
  const file = 'file' in source ? source.file : source.files;
  const questions = known.map((description) => description && questionsOf(description));
  // Without their questions, the files are read again.
  if (questions.every((each) => each !== undefined))
    return questions.flat().map((question) => nameFile(question, file));
  try {
    return (await storeSource(place, { source, fields }, signal)).questions ?? [];
  } catch (error) {
    // The data files have changed since, or too many are being converted.
    if (error instanceof DataFileError || error instanceof ReportError) return [];
    throw error;
  }
}
