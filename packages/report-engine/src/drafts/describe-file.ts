import fs from 'node:fs/promises';
import path from 'node:path';

import {
  csvSchema,
  isWorkbook,
  type CsvOptions,
  type FieldOptions,
  type FieldType,
  type XlsxOptions,
} from '@portal-embed/report-model';

import { isNotPermitted } from '#server-kit';

import type { Separators } from '../files/csv-numbers.ts';
import { convertCsv, describeParquet, FileError } from '../files/data-file.ts';
import type { DescribedFile, FileHint } from '../files/tasks.ts';
import { describeWorkbook } from './describe-workbook.ts';
import { DraftError } from './draft-error.ts';
import { guessOptions } from './guess-options.ts';

/** Number of bytes that are read to guess encoding and delimiter. */
const sampleBytes = 1_000_000;

export interface DescribeOptions {
  /** Where the rows are written as Parquet. */
  converted: string;
  /** Chooses a reading of the numbers, and the sheet of a workbook. */
  separators?: (Separators & { sheet?: string | undefined }) | undefined;
  /** What is written on fields, by column. */
  fields?: Readonly<Record<string, FieldOptions>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Options that differ from the defaults, as a dataset has them. */
export interface WrittenOptions {
  csv?: Partial<CsvOptions>;
  xlsx?: Partial<XlsxOptions>;
}

/**
 * Reads the columns of a data file. Guesses the options of a CSV file. Numbers with two readings are text,
 * unless `separators` chooses one.
 *
 * @throws `DraftError`
 */
export async function describeFile(
  file: string,
  { converted, separators, fields = {}, signal }: DescribeOptions,
): Promise<{ described: DescribedFile; options: WrittenOptions }> {
  const declared = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type }]) => (type ? [[name, type]] : [])),
  );
  const convert = (csv: Partial<CsvOptions>, types: Record<string, FieldType> = {}) =>
    convertCsv(
      file,
      { csv: parseOptions(csv), types: { ...declared, ...types } },
      converted,
      signal,
    );
  try {
    if (/\.parquet$/i.test(file)) {
      await fs.copyFile(file, converted, fs.constants.COPYFILE_FICLONE);
      return { described: await describeParquet(file, signal), options: {} };
    }
    const { sheet, ...given } = separators ?? {};
    if (isWorkbook(file)) {
      await requireReadable(file);
      const chosen = { ...completeSeparators(given), ...(sheet !== undefined && { sheet }) };
      const { described, xlsx } = await describeWorkbook(file, chosen, converted, signal);
      return { described, options: { xlsx } };
    }
    if (sheet !== undefined) throw new DraftError('Only workbooks have sheets. Omit the sheet.');
    const guessed = { ...guessOptions(await readSample(file)), ...completeSeparators(given) };
    const described = await convert(guessed);
    const { questions, hints } = described;
    if (questions.length > 0) {
      const asked = questions.flatMap(({ interpretations: [first] }) =>
        first!.columns.map(({ name }) => [name, 'text']),
      );
      const asText = await convert(guessed, Object.fromEntries(asked) as Record<string, 'text'>);
      return { described: { ...asText, questions }, options: { csv: writeDelimiter(guessed) } };
    }
    const csv = addSuggestions(guessed, hints);
    return {
      described: csv === guessed ? described : await convert(csv),
      options: { csv: writeDelimiter(csv) },
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
const completeSeparators = (separators: Separators = {}): Separators =>
  separators.thousands === '.' ? { decimal: ',', ...separators } : separators;

const open = (file: string) =>
  fs.open(file, 'r').catch((error: Error) => {
    throw new DraftError(
      `The file ${file} cannot be read (${error.message}). Check its ${isNotPermitted(error) ? 'permissions' : 'name'}.`,
    );
  });

const requireReadable = async (file: string) => (await open(file)).close();

async function readSample(file: string): Promise<Buffer> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sampleBytes), 0);
  await handle.close();
  return buffer.subarray(0, bytesRead);
}
