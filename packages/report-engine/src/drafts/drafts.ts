import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import {
  maxNameLength,
  writeName,
  type FieldOptions,
  type FormatOptions,
  type Interpretation,
} from '@portal-embed/report-model';
import { stringify } from 'yaml';

import { describeQuestion, listCurrencies } from '../data-files/describe-question.ts';
import type { DescribedFile, FileColumn } from '../files/tasks.ts';
import {
  describeFile,
  type Answers,
  type DescribedDraft,
  type DescribeOptions,
} from './describe-file.ts';
import { DraftError } from './draft-error.ts';
import { schemaLine, writeReport } from './write-report.ts';

export interface InitResult {
  /** Paths in the content folder. */
  files: string[];
  hints: string[];
}

/** A dataset and a first report for a data file. */
export interface Draft {
  slug: string;
  title: string;
  described: DescribedFile;
  /** What is written on fields, by column. */
  fields: Record<string, FieldOptions>;
  /** What was adopted and why, each as a sentence without the file. */
  notes: string[];
  /** Writes the files, by path. `names` replaces what the file's name suggests. */
  write: (names?: {
    file: string;
    slug: string;
    title: string;
    workspace: string;
  }) => Record<string, string>;
}

/**
 * Reads a data file and drafts a dataset and a first report for it. A table in which roles probably
 * look up values gets no report. Columns with a question that no answer answers are text.
 *
 * @param options.converted where the rows are written as Parquet
 * @throws `DraftError` if the file cannot be read
 */
export async function draftContent(file: string, options: DescribeOptions): Promise<Draft> {
  const name = path.basename(file);
  const draft = await describeFile(file, options);
  requireShortNames(name, draft.described);
  return createDraft(name, draft);
}

export function createDraft(
  name: string,
  { described, options, section, fields, notes }: DescribedDraft,
): Draft {
  const columns = described.columns.map((column) => {
    const format = fields[column.name]?.format;
    return format ? { ...column, format } : column;
  });
  const slug = toSlug(path.parse(name).name);
  const title = toTitle(path.parse(name).name);
  return {
    slug,
    title,
    described,
    fields,
    notes,
    write: (names = { file: name, slug, title, workspace: 'Reports' }) => ({
      [`datasets/${names.slug}.yaml`]: writeDataset({
        name: names.file,
        title: names.title,
        source: section && Object.keys(options).length > 0 ? { [section]: options } : {},
        fields,
        columns,
      }),
      ...(!isLookUp(columns) && {
        [`reports/${names.slug}.yaml`]: writeReport({
          dataset: names.slug,
          title: names.title,
          workspace: names.workspace,
          metrics: listMetrics(columns).map((metric) => metric.name),
          texts: listTexts(columns).map((column) => column.name),
          time: findTime(columns),
        }),
      }),
    }),
  };
}

/**
 * Writes a dataset and a first report for a data file, and copies the file into the folder.
 *
 * @throws `DraftError` if the file cannot be read, it has questions without an answer, or one of the
 *   new files exists
 */
export async function initContent(
  file: string,
  folder: string,
  answers: Answers,
): Promise<InitResult> {
  const name = path.basename(file);
  const temporary = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-content-'));
  try {
    const converted = path.join(temporary, 'file.parquet');
    const draft = await draftContent(file, { converted, answers });
    requireAnswers(name, draft.described);
    const texts = draft.write();
    const files = [...Object.keys(texts), `data/${name}`];
    await requireNew(folder, files);
    for (const [target, text] of Object.entries(texts)) {
      await fs.mkdir(path.dirname(path.join(folder, target)), { recursive: true });
      await fs.writeFile(path.join(folder, target), text, { flag: 'wx' });
    }
    await fs.mkdir(path.join(folder, 'data'), { recursive: true });
    const data = path.join(folder, 'data', name);
    if (path.resolve(file) !== data) await fs.copyFile(file, data, fs.constants.COPYFILE_EXCL);
    const hints = [...draft.notes, ...draft.described.hints.map(({ message }) => message)];
    return { files, hints: hints.map((hint) => `hint: ${name}: ${hint}`) };
  } finally {
    await fs.rm(temporary, { recursive: true, force: true });
  }
}

/** Names the options that answer the questions. */
function requireAnswers(file: string, { questions }: DescribedFile): void {
  // Of a workbook with several sheets, the first one is read.
  const open = questions.filter(({ about }) => about !== 'sheet');
  if (open.length === 0) return;
  const asked = open.flatMap((question) =>
    describeQuestion({ file, ...question }, (column) => {
      const currencies = listCurrencies(question.interpretations, column);
      if (currencies.length > 0)
        return `choose --currency "${column}=${currencies[0]}", or another currency, such as ${currencies.slice(1, 3).join(' or ')}, or ${nameType(column, 'text')}`;
      const choices = question.interpretations.map((each) => nameOptions(each, column));
      if (question.about === 'footer') return `choose ${choices.join(' or ')}`;
      if (question.about === 'encoding')
        return `choose ${choices.join(' or ')}, or save the file as UTF-8`;
      const hasText = choices.includes(nameType(column, 'text'));
      return `choose ${[...choices, ...(hasText ? [] : [nameType(column, 'text')])].join(' or ')}`;
    }),
  );
  throw new DraftError(`${asked.map(({ message }) => message).join('; ')}.`);
}

const nameType = (column: string, type: string) => `--type "${column}=${type}"`;

/** The command-line options that choose an interpretation. */
function nameOptions({ options, fields }: Interpretation, column: string): string {
  const { decimal, thousands, encoding, skipFooter } = options;
  if (encoding !== undefined) return `--encoding ${encoding}`;
  if (skipFooter !== undefined) return `--skip-footer ${skipFooter}`;
  if (thousands !== undefined) return `--thousands "${thousands}"`;
  if (decimal !== undefined) return `--decimal "${decimal}"`;
  const { type, date, yearsFrom } = fields?.[column] ?? {};
  return [
    ...(type === undefined ? [] : [nameType(column, type)]),
    ...(date === undefined ? [] : [`--date "${column}=${date}"`]),
    ...(yearsFrom === undefined ? [] : [`--years-from "${column}=${yearsFrom}"`]),
  ].join(' ');
}

async function requireNew(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const exists = await fs.stat(path.join(folder, file)).then(
      () => true,
      () => false,
    );
    if (exists && !file.startsWith('data/'))
      throw new DraftError(
        `The file ${path.join(folder, file)} exists already. Choose another folder with --folder, or remove it.`,
      );
  }
}

function requireShortNames(file: string, { columns }: DescribedFile): void {
  const long = columns.find(({ name }) => name.length > maxNameLength)?.name;
  if (long !== undefined)
    throw new DraftError(
      `${file}: the column "${long.slice(0, 60)}…" has a name of ${long.length} characters, but the maximum is ${maxNameLength}; shorten it.`,
    );
}

export const toSlug = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '') || 'data';

/** A hyphen between digits stays, as in `Sales 2022-2024`. */
const toTitle = (name: string) => {
  const words =
    name
      .normalize('NFC')
      .replace(/[\s_]+|(?<!\d)-|-(?!\d)/g, ' ')
      .trim() || 'Data';
  return (words.charAt(0).toUpperCase() + words.slice(1, 100)).trimEnd();
};

/** Columns that identify something or are parts of dates. Neither their sum nor their mean has a meaning. */
const isCode = (name: string) =>
  /(^|[\s_-])(id|no|code|zip|plz|year|month|day|jahr|monat|tag)\.?$/i.test(name) ||
  /(number|nummer|nr|postleitzahl)\.?$/i.test(name) ||
  /[a-z]I[dD]$/.test(name);

/** Texts that group rows before those that number them, such as those of documents. */
function listTexts(columns: readonly FileColumn[]): FileColumn[] {
  const texts = columns.filter(({ type }) => type === 'text');
  return texts.toSorted((one, other) => Number(isCode(one.name)) - Number(isCode(other.name)));
}

/** Columns whose mean has a meaning, but not their sum. */
const isRate = ({ name, format }: FileColumn) =>
  format?.style === 'percent' ||
  isUnitPrice(name) ||
  /rate$|ratio|quote$|rabatt|discount|prozent|percent|%|anteil|share|(steuer|zins)satz/i.test(name);

/** `Unit price`, `Preis je kg`, `Cost per item`, but not `Total price`. */
const isUnitPrice = (name: string) =>
  /[\s_](per|je|pro|por|par)[\s_]/i.test(name) ||
  /(unit|einzel|st(ü|ue)ck)[\s_-]?(price|preis|costs?|kosten)/i.test(name) ||
  (/(price|preis|precio|preço|prix)$/i.test(name) &&
    !/total|gesamt|summe|extended|(^|[\s_-])line/i.test(name));

const isEmail = ({ name, type }: FileColumn) => type === 'text' && /(^|[\s_-])e-?mail/i.test(name);

interface Measure {
  name: string;
  expression: string;
  format?: unknown;
}

const aggregate = ({ name, format }: FileColumn, by: 'sum' | 'avg'): Measure => ({
  name,
  expression: `${by}(${writeName(name)})`,
  ...(format && { format: writeFormat(format) }),
});

/** A format as authors write it. */
const writeFormat = ({ style, currency }: FormatOptions) =>
  style === 'percent' ? style : { style, currency };

/** The metrics of columns of numbers, sums first. */
function listMeasures(columns: readonly FileColumn[]): Measure[] {
  const numbers = columns.filter(
    ({ name, type }) => ['number', 'integer', 'decimal'].includes(type) && !isCode(name),
  );
  const sums = numbers
    .filter((column) => !isRate(column))
    .map((column) => aggregate(column, 'sum'));
  const means = numbers.filter(isRate).map((column) => aggregate(column, 'avg'));
  return [...sums, ...means].slice(0, 6);
}

/** The number of rows, and the measures. */
function listMetrics(columns: readonly FileColumn[]): Measure[] {
  const measures = listMeasures(columns);
  const isTaken = measures.some(({ name }) => name === 'Rows');
  return [{ name: isTaken ? 'Number of rows' : 'Rows', expression: 'count()' }, ...measures];
}

/** Whether the columns are probably a table from which roles look up values. */
const isLookUp = (columns: readonly FileColumn[]) =>
  columns.some(isEmail) && columns.every(({ type }) => type === 'text');

const findTime = (columns: readonly FileColumn[]) =>
  columns.find(({ type }) => type === 'date' || type === 'datetime')?.name;

function writeDataset(dataset: {
  name: string;
  title: string;
  /** The options of the file, by the section in which they are written. */
  source: Readonly<Record<string, object>>;
  fields: Readonly<Record<string, FieldOptions>>;
  columns: readonly FileColumn[];
}): string {
  const { name, title, source, columns } = dataset;
  const fields = columns.flatMap(({ name: column, format }) => {
    const { format: _, ...options } = dataset.fields[column] ?? {};
    const written = { ...options, ...(format && { format: writeFormat(format) }) };
    return Object.keys(written).length > 0 ? [{ name: column, ...written }] : [];
  });
  const time = findTime(columns);
  const definition = {
    name: title,
    source: { file: name, ...source },
    rowAccess: isLookUp(columns) ? 'by-role' : 'everyone',
    ...(time !== undefined && { time }),
    ...(fields.length > 0 && { fields }),
    metrics: listMetrics(columns),
  };
  const roles = stringify({ roles: [suggestRole(columns)] }).trimEnd();
  const advice = `
# To let each reader see some rows only, remove rowAccess and add roles:
${roles.replace(/^/gm, '# ')}
`;
  return `${schemaLine('dataset')}# Columns: ${columns.map(({ name: column, type }) => `${column.replace(/\p{Cc}/gu, ' ')} (${type})`).join(', ')}
${stringify(definition, { lineWidth: 100 })}${isLookUp(columns) ? '' : advice}`;
}

function suggestRole(columns: readonly FileColumn[]) {
  const email = columns.find(isEmail);
  if (email) return { name: 'Own rows', rows: { field: email.name, equals: { viewer: 'email' } } };
  const field = listTexts(columns)[0]?.name ?? columns[0]!.name;
  return { name: 'Some rows', rows: { field, in: [`a value of ${field}`] } };
}
