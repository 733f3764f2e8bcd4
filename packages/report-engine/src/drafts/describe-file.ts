import fs from 'node:fs/promises';
import path from 'node:path';

import {
  csvSchema,
  isWorkbook,
  xlsxSchema,
  type FieldOptions,
  type FileOptions,
  type Question,
} from '@portal-embed/report-model';

import { isNotPermitted } from '#server-kit';

import {
  convertCsv,
  convertSheet,
  describeParquet,
  FileError,
  inspectCsv,
} from '../files/data-file.ts';
import type { DescribedFile } from '../files/tasks.ts';
import { DraftError } from './draft-error.ts';
import { adoptHints, type Adopted } from './proposals.ts';

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
  /** The options that differ from the defaults, and where they are written; none for Parquet. */
  options: Partial<FileOptions>;
  section?: 'csv' | 'xlsx';
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
  const section = isWorkbook(file) ? 'xlsx' : 'csv';
  // Nobody has decided about the last rows.
  const isDraft = answers.options?.skipFooter === undefined;
  const convert = (
    options: Partial<FileOptions>,
    fields: Readonly<Record<string, FieldOptions>>,
  ): Promise<DescribedFile> =>
    section === 'xlsx'
      ? convertSheet(
          file,
          { xlsx: requireOptions(xlsxSchema.safeParse(options)), fields, isDraft: true },
          converted,
          signal,
        )
      : convertCsv(
          file,
          { csv: requireOptions(csvSchema.safeParse(writeDelimiter(options))), fields, isDraft },
          converted,
          signal,
        );
  const isValid = (options: Partial<FileOptions>) =>
    section === 'xlsx'
      ? xlsxSchema.safeParse(options).success
      : csvSchema.safeParse(writeDelimiter(options)).success;
  try {
    if (/\.parquet$/i.test(file)) {
      await fs.copyFile(file, converted, fs.constants.COPYFILE_FICLONE);
      return { described: await describeParquet(file, signal), options: {}, fields: {}, notes: [] };
    }
    await requireReadable(file);
    const given = completeSeparators(answers.options);
    const inspected =
      section === 'csv'
        ? await inspectCsv(file, given, signal)
        : { csv: given, notes: [], questions: [] };
    let adopted: Adopted = {
      options: inspected.csv,
      fields: { ...answers.fields },
      notes: inspected.notes,
    };
    let described = await convert(adopted.options, adopted.fields);
    const { chosen = {} } = described;
    // Later rounds read the sheet that was chosen.
    const sheetQuestions = described.questions.filter(({ about }) => about === 'sheet');
    // The rows above those that are left out may still be totals, so that nothing is decided.
    const { skipFooter, ...others } = chosen;
    adopted = { ...adopted, options: { ...others, ...adopted.options } };
    for (let round = 1; round < maxRounds; round += 1) {
      const next = answerCurrency(
        adoptHints(adopted, described, section, isValid),
        described.questions,
        answers.currency,
      );
      if (next === adopted) break;
      adopted = next;
      described = await convert(adopted.options, adopted.fields);
    }
    const { fields, notes } = adopted;
    const options =
      section === 'xlsx'
        ? { ...(skipFooter !== undefined && { skipFooter }), ...adopted.options }
        : writeDelimiter(adopted.options);
    const draft = { options, section, fields, notes } as const;
    const open = described.questions.filter(({ about }) => about !== 'sheet');
    const questions = [...inspected.questions, ...sheetQuestions, ...open];
    const asked = listAsked(open.filter(({ about }) => about !== 'footer'));
    if (asked.length === 0) return { described: { ...described, questions }, ...draft };
    const texts = asked.map((name) => [name, { type: 'text' }] as const);
    const asText = await convert(adopted.options, { ...fields, ...Object.fromEntries(texts) });
    return { described: { ...asText, questions }, ...draft };
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
const writeDelimiter = ({ delimiter = ',', ...rest }: Partial<FileOptions>): Partial<FileOptions> =>
  rest.decimal === ','
    ? { delimiter, ...rest }
    : { ...(delimiter !== ',' && { delimiter }), ...rest };

/** @throws `DraftError` for options that contradict each other */
function requireOptions<Options>({
  data,
  error,
}: {
  data?: Options | undefined;
  error?: { issues: readonly { message: string }[] } | undefined;
}): Options {
  if (data !== undefined) return data;
  throw new DraftError(`${(error?.issues ?? []).map(({ message }) => message).join('; ')}.`);
}

/** A point between thousands leaves the comma to the decimals. */
const completeSeparators = (options: Partial<FileOptions> = {}): Partial<FileOptions> =>
  options.thousands === '.' ? { decimal: ',', ...options } : options;

async function requireReadable(file: string): Promise<void> {
  await fs.access(file, fs.constants.R_OK).catch((error: Error) => {
    throw new DraftError(
      `The file ${file} cannot be read (${error.message}). Check its ${isNotPermitted(error) ? 'permissions' : 'name'}.`,
    );
  });
}
