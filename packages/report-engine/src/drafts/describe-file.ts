import fs from 'node:fs/promises';
import path from 'node:path';

import {
  csvSchema,
  isWorkbook,
  type CsvOptions,
  type FieldOptions,
  type FileOptions,
  type Question,
  type XlsxOptions,
} from '@portal-embed/report-model';

import { isNotPermitted } from '#server-kit';

import { convertCsv, describeParquet, FileError } from '../files/data-file.ts';
import type { DescribedFile } from '../files/tasks.ts';
import { describeWorkbook } from './describe-workbook.ts';
import { DraftError } from './draft-error.ts';
import { guessOptions } from './guess-options.ts';
import { adoptHints, type Adopted } from './proposals.ts';

/** Number of bytes that are read to guess encoding and delimiter. */
const sampleBytes = 1_000_000;

/** Answers to the questions of a data file. */
export interface Answers {
  options?: Partial<FileOptions> | undefined;
  fields?: Readonly<Record<string, FieldOptions>> | undefined;
  /** The currency of all columns with a sign that several currencies have. */
  currency?: string | undefined;
}

export interface DescribeOptions {
  /** Where the rows are written as Parquet. */
  converted: string;
  answers?: Answers | undefined;
  signal?: AbortSignal | undefined;
}

/** A data file, and what a dataset says to read it. */
export interface DescribedDraft {
  described: DescribedFile;
  /** The options that differ from the defaults; `undefined` for Parquet. */
  csv?: Partial<CsvOptions> | undefined;
  /** As `csv`, of a workbook. */
  xlsx?: Partial<XlsxOptions> | undefined;
  fields: Record<string, FieldOptions>;
  /** What was adopted and why, each as a sentence without the file. */
  notes: string[];
}

/** Each round reads the file with what the hints of the one before propose. */
const maxRounds = 5;

/**
 * Reads the columns of a data file. Guesses the options of a CSV file, and adopts what hints propose.
 * Columns with a question that `answers` do not answer are text.
 *
 * @throws `DraftError`
 */
export async function describeFile(
  file: string,
  { converted, answers = {}, signal }: DescribeOptions,
): Promise<DescribedDraft> {
  const convert = (csv: Partial<CsvOptions>, fields: Readonly<Record<string, FieldOptions>>) =>
    convertCsv(file, { csv: parseOptions(csv), fields }, converted, signal);
  try {
    if (/\.parquet$/i.test(file)) {
      await fs.copyFile(file, converted, fs.constants.COPYFILE_FICLONE);
      return { described: await describeParquet(file, signal), fields: {}, notes: [] };
    }
    const { sheet, ...given } = completeSeparators(answers.options);
    if (isWorkbook(file)) {
      await requireReadable(file);
      const chosen = { ...given, ...(sheet !== undefined && { sheet }) };
      return {
        ...(await describeWorkbook(file, chosen, converted, signal)),
        fields: {},
        notes: [],
      };
    }
    if (sheet !== undefined) throw new DraftError('Only workbooks have sheets. Omit the sheet.');
    let adopted: Adopted = {
      csv: { ...guessOptions(await readSample(file)), ...given },
      fields: { ...answers.fields },
      notes: [],
    };
    let described = await convert(adopted.csv, adopted.fields);
    for (let round = 1; round < maxRounds; round += 1) {
      const next = answerCurrency(
        adoptHints(adopted, described, (csv) => csvSchema.safeParse(writeDelimiter(csv)).success),
        described.questions,
        answers.currency,
      );
      if (next === adopted) break;
      adopted = next;
      described = await convert(adopted.csv, adopted.fields);
    }
    const { fields, notes } = adopted;
    const csv = writeDelimiter(adopted.csv);
    const { questions } = described;
    if (questions.length === 0) return { described, csv, fields, notes };
    const asked = listAsked(questions).map((name) => [name, { type: 'text' }] as const);
    const asText = await convert(adopted.csv, { ...fields, ...Object.fromEntries(asked) });
    return { described: { ...asText, questions }, csv, fields, notes };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new DraftError(`${path.basename(file)}: ${error.message}.`);
  }
}

const listAsked = (questions: readonly Question[]): string[] =>
  questions.flatMap(({ interpretations: [first] }) => first!.columns.map(({ name }) => name));

/** Gives columns with a sign the currency that was chosen for all of them. */
function answerCurrency(
  adopted: Adopted,
  questions: readonly Question[],
  currency: string | undefined,
): Adopted {
  const asked = questions.filter(({ about }) => about === 'currency');
  if (currency === undefined || asked.length === 0) return adopted;
  const format = { style: 'currency', notation: 'standard', currency } as const;
  const chosen = listAsked(asked).map(
    (name) => [name, { ...adopted.fields[name], format }] as const,
  );
  return { ...adopted, fields: { ...adopted.fields, ...Object.fromEntries(chosen) } };
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

/** A point between thousands leaves the comma to the decimals. */
const completeSeparators = (options: Partial<FileOptions> = {}): Partial<FileOptions> =>
  options.thousands === '.' ? { decimal: ',', ...options } : options;

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
