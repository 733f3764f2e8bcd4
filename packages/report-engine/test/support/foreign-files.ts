import fs from 'node:fs';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import {
  csvSchema,
  encodings,
  xlsxSchema,
  type FieldOptions,
  type FileOptions,
} from '@portal-embed/report-model';

import { storeSource } from '../../src/data-files/data-files.ts';
import { describeQuestion } from '../../src/data-files/describe-question.ts';
import type { Answers } from '../../src/drafts/describe-file.ts';
import { DraftError } from '../../src/drafts/draft-error.ts';
import { draftContent } from '../../src/drafts/drafts.ts';
import { FileError } from '../../src/files/data-file.ts';
import { runTask } from '../../src/files/run-task.ts';
import type { DescribedFile } from '../../src/files/tasks.ts';
import { DataFileError } from '../../src/storage/data-file-error.ts';
import { folderFiles } from '../../src/storage/folder-files.ts';

const root = path.join(import.meta.dirname, '../../test-data');

/** Folders of files that were written before the code, each with its right results. */
const groups = ['blind/csv', 'blind/xlsx', 'cases'];

type Ends = Record<string, [string | null, string | null]>;

interface Results {
  columns: Record<string, { type: string; format?: string | object; or?: string[] }>;
  total: Record<string, string>;
  /** The first and the last value of columns. */
  values: Ends;
}

type GivenFields = Record<string, { type?: string; date?: string; format?: { currency: string } }>;

interface Expected extends Results {
  kind: string;
  /** Accepted outcomes. */
  outcome: string | string[];
  via: 'init' | 'apply';
  files: string[];
  /** The values of columns that may stay text. */
  asText?: Ends;
  given?: { csv?: object; xlsx?: object; fields?: GivenFields; timeZone?: string; files?: string };
  /** The answers to the questions, and what they give. */
  options?: { encoding?: string };
  fields?: GivenFields;
  answered?: Results;
  /** Options that a draft has. */
  proposed?: Record<string, unknown>;
  /** Words of the question, refusal or hint. */
  message?: string[];
  messageAlways?: boolean;
  /** Values and totals that must not be published. */
  never?: Record<string, string[]>;
  tolerance?: number;
}

const load = (name: string) =>
  JSON.parse(fs.readFileSync(path.join(root, name, 'expected.json'), 'utf8')) as Expected;

/** Lists the folders of these files. */
export const listForeignFiles = (): string[] =>
  groups.flatMap((group) =>
    fs.readdirSync(path.join(root, group)).map((name) => `${group}/${name}`),
  );

const placeholders: Record<string, string> = {
  YYYY: '%Y',
  YY: '%y',
  MMMM: '%B',
  MMM: '%b',
  MM: '%m',
  M: '%m',
  DD: '%d',
  D: '%d',
  HH: '%H',
  hh: '%I',
  mm: '%M',
  ss: '%S',
  A: '%p',
};

/** Letters such as DD/MM/YYYY. */
const translateDate = (format: string) =>
  format.replace(/YYYY|YY|M{1,4}|DD|D|HH|hh|mm|ss|A/g, (part) => placeholders[part] ?? part);

const translate = (options: object = {}): Partial<FileOptions> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      name === 'date' ? translateDate(String(value)) : (value as unknown),
    ]),
  );

function translateField({ format, ...field }: GivenFields[string]): FieldOptions {
  const { currency = '' } = format ?? {};
  return {
    ...translate(field),
    ...(format && { format: { style: 'currency', notation: 'standard', currency } }),
  };
}

const translateFields = (fields: GivenFields = {}): Record<string, FieldOptions> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, translateField(field)]));

const numeric = new Set(['number', 'integer', 'decimal']);

const isOf = (type: string, expected: string) =>
  type === expected || (numeric.has(expected) && numeric.has(type));

type Cell = string | number | boolean | null | undefined;

interface ReadFile {
  described: DescribedFile;
  rows: Cell[][];
  /** Hints and notes of a draft, and its dataset. */
  notes: string[];
  yaml: string;
}

/** Reads a file as `init` or an apply does. */
async function readForeign(name: string, converted: string, answers: Answers): Promise<ReadFile> {
  const { via, files, given = {} } = load(name);
  const source = path.join(root, name, files[0]!);
  if (given.files !== undefined || given.xlsx)
    return readSource(name, path.dirname(converted), answers);
  if (via === 'init') {
    const { described, notes, write } = await draftContent(source, { converted, answers });
    const [yaml = ''] = Object.values(write());
    return { described, rows: await readRows(described, converted), notes, yaml };
  }
  const answer = await runTask({
    kind: 'convert',
    source,
    target: converted,
    csv: csvSchema.parse({ ...translate(given.csv), ...answers.options }),
    fields: { ...translateFields(given.fields), ...answers.fields },
    kept: [],
  });
  if ('problems' in answer) throw new FileError(answer);
  if (!('described' in answer)) throw new Error('The task describes no file.');
  const rows = await readRows(answer.described, converted, given.timeZone);
  return { described: answer.described, rows, notes: [], yaml: '' };
}

/** Reads several files, or a workbook, as an apply does. */
async function readSource(name: string, folder: string, { options }: Answers): Promise<ReadFile> {
  const place = {
    files: folderFiles(folder).of('acme'),
    organizationId: 'acme',
    dataFolder: path.join(root, name),
  };
  const { files: written, given: { csv, xlsx, files: pattern } = {} } = load(name);
  // What an interpretation with a decimal comma has as well.
  const german = options?.decimal === ',' ? { delimiter: ';', thousands: '.' } : {};
  const source =
    pattern === undefined
      ? { file: written[0]!, xlsx: xlsxSchema.parse(xlsx) }
      : { files: pattern, csv: csvSchema.parse({ ...german, ...translate(csv), ...options }) };
  const {
    files,
    columns,
    hints,
    questions = [],
  } = await storeSource(place, { source, fields: [] });
  const described = { columns, hints: hints.map((message) => ({ message, csv: {} })), questions };
  const stored = files.map((file) => path.join(folder, 'acme', file));
  return { described, rows: await readRows(described, stored), notes: [], yaml: '' };
}

async function readRows(
  { columns }: DescribedFile,
  files: string | readonly string[],
  timeZone = 'UTC',
) {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`SET TimeZone = '${timeZone}'`);
  const selected = columns.map(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return type === 'datetime' ? `CAST(${column} AS TIMESTAMP)` : column;
  });
  const paths = [files].flat().map((file) => `'${file}'`);
  const result = await connection.runAndReadAll(
    `SELECT ${selected.join(', ')} FROM read_parquet([${paths.join(', ')}], union_by_name = true)`,
  );
  connection.closeSync();
  return result.getRowsJson() as Cell[][];
}

const writeTime = (text: string) => text.replace(' ', 'T').replace(/T00:00:00$/, '');

const isNear = (one: number, other: number) =>
  Math.abs(one - other) <= Math.abs(other) * Number.EPSILON;

function isSame(cell: Cell, expected: string | null, type: string): boolean {
  if (expected === null || cell === null) return cell === expected;
  if (numeric.has(type)) return isNear(Number(cell), Number(expected));
  return writeTime(String(cell)) === writeTime(expected);
}

const sumOf = (rows: readonly Cell[][], index: number): number =>
  rows.reduce((sum, row) => sum + Number(row[index] ?? 0), 0);

/** Compares the columns of a file with the expected ones. */
function compare(
  { described, rows }: ReadFile,
  { columns, total, values }: Results,
  { asText = {}, tolerance = 1e-9 }: Expected,
  fields: Record<string, FieldOptions> = {},
): string[] {
  return Object.entries(columns).flatMap(([name, { type, format, or = [] }]) => {
    const index = described.columns.findIndex((column) => column.name === name);
    const column = described.columns[index];
    if (!column) return [`${name} is missing`];
    const isText = column.type === 'text' && asText[name] !== undefined;
    if (!isText && ![type, ...or].some((each) => isOf(column.type, each)))
      return [`${name} is ${column.type}, and not ${type}`];
    const ends = (isText ? asText[name] : values[name]) ?? [];
    const found = ends.flatMap((expected, at) => {
      const cell = rows.at(at === 0 ? 0 : -1)?.[index];
      return isSame(cell, expected, column.type) ? [] : [`${name} has ${cell}, not ${expected}`];
    });
    if (!numeric.has(column.type)) return found;
    const [sum, wanted] = [sumOf(rows, index), Number(total[name] ?? Number.NaN)];
    if (Math.abs(sum - wanted) > Math.max(1, Math.abs(wanted)) * tolerance)
      found.push(`${name} has the total ${sum}, not ${wanted}`);
    const shown = fields[name]?.format ?? column.format;
    const option = typeof format === 'string' ? { style: format } : (format ?? {});
    for (const [key, value] of Object.entries(option))
      if (shown?.[key as 'style'] !== value) found.push(`${name} has no format ${String(value)}`);
    return found;
  });
}

const missing = (words: readonly string[] = [], text: string) =>
  words.filter((word) => !text.includes(word)).map((word) => `"${word}" is not in: ${text}`);

const isRefusal = (error: unknown): error is Error =>
  [DraftError, FileError, DataFileError].some((kind) => error instanceof kind);

const explain = (error: Error): string =>
  error instanceof DataFileError
    ? error.found.problems.map(({ message }) => message).join('; ')
    : error.message;

/**
 * Judges how one of the files is read.
 *
 * @param converted where the rows are written as Parquet
 * @returns what differs from the expected results
 */
export async function judge(name: string, converted: string): Promise<string[]> {
  const expected = load(name);
  const accepted = [expected.outcome].flat();
  const accept = (outcome: string, text: string) =>
    accepted.includes(outcome) ? [] : [`it is ${outcome}, not ${accepted.join(' or ')}: ${text}`];
  const read = await readForeign(name, converted, {}).catch((error: unknown) => {
    if (isRefusal(error)) return error;
    throw error;
  });
  if (read instanceof Error)
    return [...accept('refused', explain(read)), ...missing(expected.message, explain(read))];
  const { questions, hints, columns } = read.described;
  const asked = questions.flatMap((each) =>
    describeQuestion({ file: path.basename(expected.files[0]!), ...each }),
  );
  const texts = [...asked, ...hints].map(({ message }) => message).concat(read.notes);
  const text = texts.join('\n');
  if (questions.length > 0) {
    const found = [...accept('asked', text), ...missing(expected.message, text)];
    const { encoding } = expected.options ?? {};
    const canBeRead = encoding === undefined || encodings.some((each) => each === encoding);
    if (!expected.answered || !canBeRead) return found;
    const fields = translateFields(expected.fields);
    const answers = { options: translate(expected.options), fields };
    const again = await readForeign(name, converted, answers);
    return [
      ...found,
      ...again.described.questions.map(({ about }) => `${about} are asked about again`),
      ...compare(again, expected.answered, expected, fields),
    ];
  }
  const texted = Object.entries(expected.columns).filter(([column]) =>
    columns.some((each) => each.name === column && each.type === 'text'),
  );
  const isText = texted.length > 0;
  const isNamed =
    !accepted.includes('read') ||
    expected.messageAlways ||
    texted.some(([, { type }]) => type !== 'text');
  const proposed = Object.keys(expected.proposed ?? {}).map((option) => `${option}:`);
  return [
    ...(accepted.includes('read') ? [] : accept(isText ? 'text' : 'read', text)),
    ...listPublished(read, expected),
    ...compare(read, expected, expected),
    ...(isNamed ? missing(expected.message, text) : []),
    ...missing(proposed, read.yaml),
  ];
}

/** Values and totals that must not be published. */
const listPublished = ({ described, rows }: ReadFile, { never = {} }: Expected): string[] =>
  Object.entries(never).flatMap(([name, values]) => {
    const index = described.columns.findIndex((column) => column.name === name);
    if (!described.columns[index] || described.columns[index].type === 'text') return [];
    const published = new Set([
      ...rows.map((row) => String(row[index])),
      String(sumOf(rows, index)),
    ]);
    return values.filter((value) => published.has(value)).map((value) => `${name} has ${value}`);
  });
