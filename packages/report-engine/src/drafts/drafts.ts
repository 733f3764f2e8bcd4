import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { maxNameLength, writeName, type CsvOptions } from '@portal-embed/report-model';
import { stringify } from 'yaml';

import { describeQuestion } from '../data-files/describe-question.ts';
import type { DescribedFile, FileColumn } from '../files/tasks.ts';
import { describeFile, type DescribeOptions } from './describe-file.ts';
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
 * look up values gets no report. Numbers with two readings are text, unless `chosen` has one.
 *
 * @param options.converted where the rows are written as Parquet
 * @throws `DraftError` if the file cannot be read
 */
export async function draftContent(file: string, options: DescribeOptions): Promise<Draft> {
  const name = path.basename(file);
  const { described, csv } = await describeFile(file, options);
  requireShortNames(name, described);
  return createDraft(name, described, csv);
}

/** @param csv the options that differ from the defaults */
export function createDraft(
  name: string,
  described: DescribedFile,
  csv?: Partial<CsvOptions>,
): Draft {
  const { columns } = described;
  const slug = toSlug(path.parse(name).name);
  const title = toTitle(path.parse(name).name);
  return {
    slug,
    title,
    described,
    write: (names = { file: name, slug, title, workspace: 'Reports' }) => ({
      [`datasets/${names.slug}.yaml`]: writeDataset({
        name: names.file,
        title: names.title,
        csv,
        columns,
      }),
      ...(!isLookUp(columns) && {
        [`reports/${names.slug}.yaml`]: writeReport({
          dataset: names.slug,
          title: names.title,
          workspace: names.workspace,
          metrics: listMetrics(columns).map((metric) => metric.name),
          texts: columns.filter(({ type }) => type === 'text').map((column) => column.name),
          time: findTime(columns),
        }),
      }),
    }),
  };
}

/**
 * Writes a dataset and a first report for a data file, and copies the file into the folder.
 *
 * @throws `DraftError` if the file cannot be read, it has several interpretations, or one of the new
 *   files exists
 */
export async function initContent(
  file: string,
  folder: string,
  chosen: Partial<CsvOptions>,
): Promise<InitResult> {
  const name = path.basename(file);
  const temporary = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-content-'));
  try {
    const converted = path.join(temporary, 'file.parquet');
    const draft = await draftContent(file, { converted, chosen });
    requireChoice(name, draft.described);
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
    const { hints } = draft.described;
    return { files, hints: hints.map(({ message }) => `hint: ${name}: ${message}`) };
  } finally {
    await fs.rm(temporary, { recursive: true, force: true });
  }
}

/** Names the options that choose an interpretation. */
function requireChoice(file: string, { questions }: DescribedFile): void {
  if (questions.length === 0) return;
  const asked = questions.flatMap((question) => {
    const choices = question.interpretations.map(({ options }) => writeFlags(options));
    return describeQuestion({ file, ...question }, `choose ${choices.join(' or ')}`);
  });
  throw new DraftError(`${asked.map(({ message }) => message).join('; ')}.`);
}

/** Such as `--skip-footer 1`. A thousands separator leaves the other one to the decimals. */
function writeFlags({ decimal, ...options }: Partial<CsvOptions>): string {
  const flags = options.thousands === undefined ? { decimal, ...options } : options;
  return Object.entries(flags)
    .flatMap(([name, value]) => {
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return value === undefined
        ? []
        : [
            `--${flag} ${typeof value === 'string' && value.length === 1 ? `"${value}"` : String(value)}`,
          ];
    })
    .join(' ');
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
      `${file}: the column "${long.slice(0, 60)}…" has a name of ${long.length} characters, and may have ${maxNameLength}; shorten it.`,
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

/** Columns of numbers that identify something or are parts of dates. Neither sum nor mean has a meaning. */
const isCode = (name: string) =>
  /(^|[\s_-])(id|no|code|zip|plz|year|month|day|jahr|monat|tag)\.?$/i.test(name) ||
  /(number|nummer|nr|postleitzahl)\.?$/i.test(name) ||
  /[a-z]I[dD]$/.test(name);

/** Columns whose mean has a meaning, but not their sum. */
const isRate = (name: string) =>
  /rate$|ratio|quote$|rabatt|discount|prozent|percent|%|anteil|share|(steuer|zins)satz/i.test(name);

const isEmail = ({ name, type }: FileColumn) => type === 'text' && /(^|[\s_-])e-?mail/i.test(name);

interface Measure {
  name: string;
  expression: string;
}

const aggregate = (name: string, by: 'sum' | 'avg'): Measure => ({
  name,
  expression: `${by}(${writeName(name)})`,
});

/** The metrics of columns of numbers, sums first. */
function listMeasures(columns: readonly FileColumn[]): Measure[] {
  const names = columns
    .filter(({ name, type }) => ['number', 'integer', 'decimal'].includes(type) && !isCode(name))
    .map(({ name }) => name);
  const sums = names.filter((name) => !isRate(name)).map((name) => aggregate(name, 'sum'));
  const means = names.filter(isRate).map((name) => aggregate(name, 'avg'));
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
  csv: Partial<CsvOptions> | undefined;
  columns: readonly FileColumn[];
}): string {
  const { name, title, csv = {}, columns } = dataset;
  const time = findTime(columns);
  const definition = {
    name: title,
    source: { file: name, ...(Object.keys(csv).length > 0 && { csv }) },
    rowAccess: isLookUp(columns) ? 'by-role' : 'everyone',
    ...(time !== undefined && { time }),
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
  const field = columns.find(({ type }) => type === 'text')?.name ?? columns[0]!.name;
  return { name: 'Some rows', rows: { field, in: [`a value of ${field}`] } };
}
