import fs from 'node:fs/promises';

import type { DuckDBConnection } from '@duckdb/node-api';
import { isNumeric, type CsvOptions, type FieldType } from '@portal-embed/report-model';

import { readLastRows, requireTable } from './csv-footer.ts';
import {
  aggregateAppearance,
  describeGuess,
  examples,
  guessType,
  isNearly,
  type Appearance,
  type Guess,
  type Misfits,
} from './csv-hints.ts';
import { readNames, type ColumnNames } from './csv-names.ts';
import { askNumbers, findAmbiguous } from './csv-readings.ts';
import { describeShape } from './csv-shape-hints.ts';
import { quoteText } from './csv-sql.ts';
import { findRow, quoteName, readAggregates, textOf, type Table } from './csv-table.ts';
import { addTotals } from './csv-totals.ts';
import {
  createDeclaredForm,
  createWidenedForm,
  describeDeclared,
  listInferredForms,
  type Form,
} from './csv-types.ts';
import { describeOtherKind } from './file-kind.ts';
import { moveLine, WrongTypes } from './file-problems.ts';
import { cutRows, withPreparedCsv, type PreparedCsv } from './prepare-csv.ts';
import { Problem } from './problem.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertTask, DescribedFile, FileHint, FileProblem } from './tasks.ts';

/** The first rows decide which types are possible. Then all rows are checked. */
const sample = { rows: 10_000, cells: 2_000_000 };

/** Each hint reads the file once more. */
const maxHints = 20;

/** Converts a CSV file to a new Parquet file. */
export async function writeParquet(task: ConvertTask): Promise<DescribedFile> {
  const other = await describeOtherKind(task.source, 'csv', task.csv.encoding);
  if (other !== undefined) throw new Problem(other);
  return withPreparedCsv(task.source, task, (prepared) =>
    convertPrepared(prepared, { ...task, csv: prepared.csv }),
  );
}

async function convertPrepared(prepared: PreparedCsv, task: ConvertTask): Promise<DescribedFile> {
  const { skipped } = prepared;
  const { csv, target } = task;
  const columns = await readNames(prepared.file, csv, skipped);
  const tail = await readLastRows(prepared.file, csv.delimiter, columns.names.length);
  requireTable(tail, csv);
  const source = await cutRows(prepared, tail, csv);
  const file = await fs.open(source, 'r');
  try {
    // In a file name, DuckDB would read characters such as `*` as a pattern.
    const name = quoteText(`/dev/fd/${file.fd}`);
    const connection = await openRestricted([name, quoteText(target)]);
    const types = columns.names.map((each) => `${quoteText(each)}: 'VARCHAR'`).join(', ');
    const read = `read_csv(${name}, auto_detect = false, columns = {${types}},
      delim = ${quoteText(csv.delimiter)}, quote = '"', escape = '"', header = ${csv.header},
      compression = 'none', hive_partitioning = false)`;
    const names = await dropEmpty(connection, read, columns);
    const kept = names.map(quoteName).join(', ');
    const table = names.length < columns.names.length ? `(SELECT ${kept} FROM ${read})` : read;
    const described = await convertTable({ source, connection, table, names, csv, skipped }, task);
    const found = {
      ...described,
      hints: [...describeShape(prepared, columns, names), ...described.hints],
    };
    return await addTotals(
      found,
      { connection, file: target, columns: described.columns },
      { source, tail, csv, skipped, isDraft: task.isDraft },
    );
  } catch (error) {
    throw moveLine(error, skipped);
  } finally {
    await file.close();
  }
}

/** Returns the names without those of empty columns after the last delimiter. */
async function dropEmpty(
  connection: DuckDBConnection,
  table: string,
  { names, trailing }: ColumnNames,
): Promise<string[]> {
  if (trailing.length === 0) return names;
  const counts = await readAggregates(
    connection,
    table,
    trailing.map((name) => `count(nullif(trim(${quoteName(name)}), ''))`),
  );
  const filled = trailing.findLastIndex((_, index) => Number(counts[index]) > 0);
  return names.slice(0, names.length - trailing.length + filled + 1);
}

async function convertTable(
  table: Table,
  { csv, types, widened, target }: ConvertTask,
): Promise<DescribedFile> {
  const typeOf = (name: string) => (Object.hasOwn(types, name) ? types[name] : undefined);
  const chosen = await chooseForms(table);
  const ambiguous = await findAmbiguous(
    table,
    table.names.filter((name) => chosen.get(name)?.hasBoth && isNumeric(typeOf(name) ?? 'number')),
  );
  const columns: DescribedFile['columns'] = [];
  const hints: DescribedFile['hints'] = [];
  const problems: FileProblem[] = [];
  const values: string[] = [];
  for (const name of table.names) {
    const declared = typeOf(name);
    const other = widened && Object.hasOwn(widened, name) ? widened[name] : undefined;
    const found = chosen.get(name);
    let form = found?.form;
    if (declared === 'text') form = undefined;
    else if (declared !== undefined) {
      form = createDeclaredForm(declared, csv);
      const { misfits } = await checkForm(table, name, form);
      // The question is more helpful than the value.
      if (misfits && ambiguous.includes(name)) form = undefined;
      else if (misfits)
        problems.push({ column: name, message: describeMisfit(misfits, declared, csv) });
    } else if (other === 'text') form = undefined;
    else if (other !== undefined) {
      const wide = createWidenedForm(other, csv);
      form = (await checkForm(table, name, wide)).misfits ? undefined : wide;
    } else if (found?.guess && hints.length < maxHints && !ambiguous.includes(name))
      hints.push(...(await createHints(table, name, found.guess)));
    columns.push({ name, type: form?.type ?? 'text' });
    values.push(`${form ? form.value(textOf(name)) : quoteName(name)} AS ${quoteName(name)}`);
  }
  if (problems.length > 0) throw new WrongTypes({ problems, columns });
  await table.connection.run(
    `COPY (SELECT ${values.join(', ')} FROM ${table.table}) TO ${quoteText(target)}
      (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
  );
  return { columns, hints, questions: await askNumbers(table, ambiguous) };
}

const countMatches = (name: string, { matches }: Form) =>
  `count(*) FILTER (${matches(textOf(name))})`;

interface Choice {
  form?: Form;
  guess?: Guess;
  /** Whether the first values are numbers in both readings of points and commas. */
  hasBoth: boolean;
}

/** Chooses the first type of each column that fits all of its values. Guesses why there is none. */
async function chooseForms(source: Table): Promise<Map<string, Choice>> {
  const { connection, table, names, csv } = source;
  const forms = listInferredForms(csv);
  const aggregates = aggregateAppearance(textOf('value'), csv);
  const sampled = await readSample(source, [
    ...Object.values(aggregates),
    ...forms.map((form) => countMatches('value', form)),
  ]);
  const keys = Object.keys(aggregates) as (keyof Appearance)[];
  // A column without values has no row in the sample.
  const nothing = Array<unknown>(keys.length + forms.length).fill(null);
  const columns = names.map((name) => {
    const cells = sampled.get(name) ?? nothing;
    const appearance = Object.fromEntries(
      keys.map((key, at) => [key, examples.has(key) ? cells[at] : Number(cells[at])]),
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
      const hasBoth = appearance.both === appearance.values;
      return [name, { ...(form && { form }), ...(guess && { guess }), hasBoth }];
    }),
  );
}

/** Returns the aggregates of `value` for each column, over the first rows. */
async function readSample(
  { connection, table, names }: Table,
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
  const line = await findRow(table, Number(row));
  const shown = String(value).slice(0, 60);
  return { values: Number(values), misfits: { count: Number(count), line, value: shown } };
}

const describeMisfit = (
  { line, value }: Misfits,
  type: Exclude<FieldType, 'text'>,
  csv: CsvOptions,
): string =>
  `line ${line} has "${value}", which is not ${describeDeclared(type, csv)}; correct the value, the type, or the options under csv`;
