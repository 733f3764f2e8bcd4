import fs from 'node:fs/promises';

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import {
  aggregateAppearance,
  describeGuess,
  guessType,
  isNearly,
  type Appearance,
  type Guess,
  type Misfits,
} from './csv-hints.ts';
import { readNames } from './csv-names.ts';
import { writeUtf8 } from './csv-text.ts';
import {
  createDeclaredForm,
  describeDeclared,
  listForms,
  quoteText,
  type Form,
} from './csv-types.ts';
import { WrongTypes } from './file-problems.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertTask, DescribedFile, FileHint, FileProblem } from './tasks.ts';

/** The first rows decide which types are possible. Then all rows are checked. */
const sample = { rows: 10_000, cells: 2_000_000 };

/** Each hint reads the file once more. */
const maxHints = 20;

/** The time to plan a statement grows with the square of the number of its aggregates. */
const maxAggregates = 100;

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQL: the text of a column's value; NULL if it is empty. */
const textOf = (name: string) => `nullif(trim(${quoteName(name)}), '')`;

/** Converts a CSV file to a new Parquet file. */
export async function writeParquet(task: ConvertTask): Promise<DescribedFile> {
  const { csv, target } = task;
  const decoded = `${target}.utf8`;
  const source = csv.encoding === 'utf-8' ? task.source : decoded;
  try {
    if (source === decoded) await writeUtf8(task.source, csv.encoding, decoded);
    const names = await readNames(source, csv);
    const file = await fs.open(source, 'r');
    try {
      // In a file name, DuckDB would read characters such as `*` as a pattern.
      const name = quoteText(`/dev/fd/${file.fd}`);
      const connection = await openRestricted([name, quoteText(target)]);
      const columns = names.map((each) => `${quoteText(each)}: 'VARCHAR'`).join(', ');
      const table = `read_csv(${name}, auto_detect = false, columns = {${columns}},
        delim = ${quoteText(csv.delimiter)}, quote = '"', escape = '"', header = ${csv.header},
        compression = 'none', hive_partitioning = false)`;
      return await convertTable({ connection, table, names, csv }, task);
    } finally {
      await file.close();
    }
  } finally {
    await fs.rm(decoded, { force: true });
  }
}

interface Table {
  connection: DuckDBConnection;
  /** SQL that reads the file; each column is text. */
  table: string;
  names: readonly string[];
  csv: CsvOptions;
}

async function convertTable(
  table: Table,
  { csv, types, target }: ConvertTask,
): Promise<DescribedFile> {
  const chosen = await chooseForms(table);
  const columns: DescribedFile['columns'] = [];
  const hints: DescribedFile['hints'] = [];
  const problems: FileProblem[] = [];
  const values: string[] = [];
  for (const name of table.names) {
    const declared = Object.hasOwn(types, name) ? types[name] : undefined;
    const found = chosen.get(name);
    let form = found?.form;
    if (declared === 'text') form = undefined;
    else if (declared !== undefined) {
      form = createDeclaredForm(declared, csv);
      const { misfits } = await checkForm(table, name, form);
      if (misfits) problems.push({ column: name, message: describeMisfit(misfits, declared, csv) });
    } else if (found?.guess && hints.length < maxHints)
      hints.push(...(await createHints(table, name, found.guess)));
    columns.push({ name, type: form?.type ?? 'text' });
    values.push(`${form ? form.value(textOf(name)) : quoteName(name)} AS ${quoteName(name)}`);
  }
  if (problems.length > 0) throw new WrongTypes({ problems, columns });
  await table.connection.run(
    `COPY (SELECT ${values.join(', ')} FROM ${table.table}) TO ${quoteText(target)}
      (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
  );
  return { columns, hints };
}

const countMatches = (name: string, { matches }: Form) =>
  `count(*) FILTER (${matches(textOf(name))})`;

const isExample = (key: keyof Appearance) => ['comma', 'sign', 'date'].includes(key);

/** Chooses the first type of each column that fits all of its values. Guesses why there is none. */
async function chooseForms({
  connection,
  table,
  names,
  csv,
}: Table): Promise<Map<string, { form?: Form; guess?: Guess }>> {
  const forms = listForms(csv);
  const sampled = await readSample({ connection, table, names }, [
    ...Object.values(aggregateAppearance(textOf('value'))),
    ...forms.map((form) => countMatches('value', form)),
  ]);
  const keys = Object.keys(aggregateAppearance('')) as (keyof Appearance)[];
  // A column without values has no row in the sample.
  const nothing = Array<unknown>(keys.length + forms.length).fill(null);
  const columns = names.map((name) => {
    const cells = sampled.get(name) ?? nothing;
    const appearance = Object.fromEntries(
      keys.map((key, at) => [key, isExample(key) ? cells[at] : Number(cells[at])]),
    ) as unknown as Appearance;
    const counted = forms.map((form, at) => ({ form, count: Number(cells[keys.length + at]) }));
    const possible = counted.flatMap(({ form, count }) =>
      count === appearance.values ? [form] : [],
    );
    return { name, appearance, counted, possible };
  });
  const totals = await readAggregates(
    connection,
    table,
    columns.flatMap(({ name, possible }) => [
      `count(${textOf(name)})`,
      ...possible.map((form) => countMatches(name, form)),
    ]),
  );
  let at = 0;
  return new Map(
    columns.map(({ name, appearance, counted, possible }) => {
      const [values, ...counts] = totals.slice(at, at + 1 + possible.length).map(Number);
      at += 1 + possible.length;
      const form = values ? possible.find((_, index) => counts[index] === values) : undefined;
      const guess = form ? undefined : guessType(appearance, counted, csv);
      return [name, { ...(form && { form }), ...(guess && { guess }) }];
    }),
  );
}

/** Returns the aggregates of `value` for each column, over the first rows. */
async function readSample(
  { connection, table, names }: Pick<Table, 'connection' | 'table' | 'names'>,
  aggregates: readonly string[],
): Promise<Map<string, unknown[]>> {
  const rows = Math.min(sample.rows, Math.ceil(sample.cells / names.length));
  // A row for each cell, so that one statement with few aggregates covers all columns.
  const result = await connection.runAndReadAll(
    `SELECT name, ${aggregates.join(', ')}
      FROM (UNPIVOT (SELECT * FROM ${table} LIMIT ${rows}) ON COLUMNS(*) INTO NAME name VALUE value)
      GROUP BY name`,
  );
  return new Map(result.getRowsJson().map(([name, ...cells]) => [name as string, cells]));
}

/** Checks a guess with all values of the column. */
async function createHints(table: Table, name: string, guess: Guess): Promise<FileHint[]> {
  const form = guess.check && createDeclaredForm(guess.type, { ...table.csv, ...guess.check });
  const { misfits, values } = form ? await checkForm(table, name, form) : { values: 0 };
  if (misfits && !isNearly(values - misfits.count, values)) return [];
  // Numbers with leading zeros are codes, such as postal codes, so the column stays text.
  if (misfits && /^0\d/.test(misfits.value)) return [];
  const message = describeGuess(name, guess, misfits);
  return [{ column: name, likely: guess.type, message, csv: guess.csv }];
}

/** Counts the values, and finds those that do not have the form. */
async function checkForm(
  table: Table,
  name: string,
  { matches }: Form,
): Promise<{ values: number; misfits?: Misfits }> {
  const misfit = `v IS NOT NULL AND (${matches('v')}) IS NOT TRUE`;
  const [values, count, row, value] = await readAggregates(
    table.connection,
    `(SELECT row_number() OVER () AS n, ${textOf(name)} AS v FROM ${table.table})`,
    [
      'count(v)',
      `count(*) FILTER (${misfit})`,
      `min(n) FILTER (${misfit})`,
      `arg_min(v, n) FILTER (${misfit})`,
    ],
  );
  if (row === null) return { values: Number(values) };
  const line = await findLine(table, Number(row));
  const shown = String(value).slice(0, 60);
  return { values: Number(values), misfits: { count: Number(count), line, value: shown } };
}

/** The line in which a row begins. A value in quotes can have several lines. */
async function findLine({ connection, table, names, csv }: Table, row: number): Promise<number> {
  const text = `concat(${names.map(quoteName).join(', ')})`;
  const [breaks] = await readAggregates(
    connection,
    `(SELECT row_number() OVER () AS n, ${text} AS t FROM ${table})`,
    [`coalesce(sum(length(t) - length(replace(t, chr(10), ''))), 0)`],
    `n < ${row}`,
  );
  return row + Number(csv.header) + Number(breaks);
}

const describeMisfit = (
  { line, value }: Misfits,
  type: Exclude<FieldType, 'text'>,
  csv: CsvOptions,
): string =>
  `line ${line} has "${value}", which is not ${describeDeclared(type, csv)}; correct the value, the type, or the options under csv`;

async function readAggregates(
  connection: DuckDBConnection,
  table: string,
  aggregates: readonly string[],
  condition = 'true',
): Promise<unknown[]> {
  const cells: unknown[] = [];
  for (let at = 0; at < aggregates.length; at += maxAggregates) {
    const some = aggregates.slice(at, at + maxAggregates).join(', ');
    const result = await connection.runAndReadAll(
      `SELECT ${some} FROM ${table} WHERE ${condition}`,
    );
    cells.push(...result.getRowsJson()[0]!);
  }
  return cells;
}
