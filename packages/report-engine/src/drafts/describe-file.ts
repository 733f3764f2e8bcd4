import fs from 'node:fs/promises';
import path from 'node:path';

import { csvSchema, type CsvOptions, type FieldType } from '@portal-embed/report-model';

import { isNotPermitted } from '#server-kit';

import { convertCsv, describeParquet, FileError, inspectCsv } from '../files/data-file.ts';
import type { DescribedFile, FileHint } from '../files/tasks.ts';
import { DraftError } from './draft-error.ts';

export interface DescribeOptions {
  /** Where the rows are written as Parquet. */
  converted: string;
  /** What the author has chosen, such as an interpretation of the numbers. */
  chosen?: Partial<CsvOptions> | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the columns of a data file. Guesses the options of a CSV file. Numbers with two readings are text,
 * unless `chosen` has one.
 *
 * @throws `DraftError`
 */
export async function describeFile(
  file: string,
  { converted, chosen = {}, signal }: DescribeOptions,
): Promise<{ described: DescribedFile; csv: Partial<CsvOptions> | undefined }> {
  // Nobody has decided about the last rows.
  const isDraft = chosen.skipFooter === undefined;
  const convert = (csv: Partial<CsvOptions>, types: Record<string, FieldType> = {}) =>
    convertCsv(file, { csv: parseOptions(csv), types, isDraft }, converted, signal);
  try {
    if (/\.parquet$/i.test(file)) {
      await fs.copyFile(file, converted, fs.constants.COPYFILE_FICLONE);
      return { described: await describeParquet(file, signal), csv: undefined };
    }
    await requireReadable(file);
    const inspected = await inspectCsv(file, completeSeparators(chosen), signal);
    const guessed = inspected.csv;
    const described = await convert(guessed);
    const questions = [...inspected.questions, ...described.questions];
    const add = (found: DescribedFile): DescribedFile => ({
      ...found,
      hints: [...inspected.hints, ...found.hints],
      questions,
    });
    const asked = questions.filter(({ about }) => about !== 'encoding' && about !== 'footer');
    if (asked.length > 0) {
      const types = asked.flatMap(({ interpretations: [first] }) =>
        first!.columns.map(({ name }) => [name, 'text']),
      );
      const asText = await convert(guessed, Object.fromEntries(types) as Record<string, 'text'>);
      return { described: add(asText), csv: writeDelimiter(guessed) };
    }
    const csv = addSuggestions(guessed, described.hints);
    return {
      described: add(csv === guessed ? described : await convert(csv)),
      csv: writeDelimiter(csv),
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new DraftError(`${path.basename(file)}: ${error.message}.`);
  }
}

/** Files with a comma between values and decimal commas have quotes around numbers. */
const writeDelimiter = ({ delimiter = ',', ...rest }: Partial<CsvOptions>): Partial<CsvOptions> =>
  rest.decimal === ','
    ? { delimiter, ...rest }
    : { ...(delimiter !== ',' && { delimiter }), ...rest };

/** @throws `DraftError` for options that contradict each other */
function parseOptions(csv: Partial<CsvOptions>): CsvOptions {
  const { data, error } = csvSchema.safeParse(writeDelimiter(csv));
  if (data) return data;
  throw new DraftError(`${error.issues.map(({ message }) => message).join('; ')}.`);
}

/** Adds the options that the hints suggest, unless they contradict one another or the given ones. */
function addSuggestions(
  given: Partial<CsvOptions>,
  hints: readonly FileHint[],
): Partial<CsvOptions> {
  let options = given;
  for (const { csv } of hints) {
    const added = { ...options, ...csv };
    const isSame = Object.entries(options).every(
      ([name, value]) => added[name as keyof CsvOptions] === value,
    );
    const isNew = Object.keys(added).length > Object.keys(options).length;
    if (isSame && isNew && csvSchema.safeParse(writeDelimiter(added)).success) options = added;
  }
  return options;
}

/** A point between thousands leaves the comma to the decimals. */
const completeSeparators = (csv: Partial<CsvOptions>): Partial<CsvOptions> =>
  csv.thousands === '.' ? { decimal: ',', ...csv } : csv;

async function requireReadable(file: string): Promise<void> {
  await fs.access(file, fs.constants.R_OK).catch((error: Error) => {
    throw new DraftError(
      `The file ${file} cannot be read (${error.message}). Check its ${isNotPermitted(error) ? 'permissions' : 'name'}.`,
    );
  });
}
