/** Describes or converts one data file with DuckDB, then ends. */
import { once } from 'node:events';
import fs from 'node:fs/promises';

import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import { fieldTypeOf } from '../emit/duckdb.ts';
import { readFirstRow, writeUtf8 } from './csv-text.ts';
import {
  aggregateAppearance,
  createDeclaredForm,
  describeAppearance,
  describeDeclared,
  listForms,
  quoteText,
  type Appearance,
  type Form,
} from './csv-types.ts';
import type {
  ConvertTask,
  DescribedFile,
  DescribeTask,
  FileAnswer,
  FileHint,
  FileProblem,
  FileProblems,
  FileTask,
} from './tasks.ts';

/** A mistake that the author can correct. */
class Problem extends Error {}

/** Values that do not have the types that the dataset declares. */
class Misfits extends Error {
  readonly found: FileProblems;

  constructor(found: FileProblems) {
    super();
    this.found = found;
  }
}

const memoryMb = 1_024;

/** Rows that decide which types are possible. Then all rows are checked. */
const sampleRows = 10_000;

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQL: the text of a column's value; NULL if it is empty. */
const textOf = (name: string) => `nullif(trim(${quoteName(name)}), '')`;

async function convert(task: ConvertTask): Promise<DescribedFile> {
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
      const connection = await open([name, quoteText(target)]);
      const columns = names.map((each) => `${quoteText(each)}: 'VARCHAR'`).join(', ');
      const table = `read_csv(${name}, auto_detect = false, columns = {${columns}},
        delim = ${quoteText(csv.delimiter)}, quote = '"', escape = '"', header = ${csv.header},
        compression = 'none', hive_partitioning = false)`;
      return await convertTable({ connection, table, names }, task);
    } finally {
      await file.close();
    }
  } finally {
    await fs.rm(decoded, { force: true });
  }
}

async function describe({ source }: DescribeTask): Promise<DescribedFile> {
  const file = await fs.open(source, 'r');
  try {
    const path = quoteText(`/dev/fd/${file.fd}`);
    const connection = await open([path]);
    const result = await connection.run(`SELECT * FROM read_parquet(${path}) LIMIT 0`);
    const names = result.columnNames();
    requireFewColumns(names);
    const types = result.columnTypes().map((type) => fieldTypeOf(type.toString()));
    return { columns: names.map((name, index) => ({ name, type: types[index]! })), hints: [] };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('the file is not valid Parquet; export it again');
  } finally {
    await file.close();
  }
}

async function readNames(file: string, { delimiter, header }: ConvertTask['csv']) {
  const cells = await readFirstRow(file, delimiter);
  if (!cells) throw new Problem('the file is empty; write a row of column names');
  const [only, ...others] = cells;
  const better = only !== undefined && others.length === 0 && /[;\t|,]/.exec(only)?.[0];
  if (better)
    throw new Problem(
      `the file has a single column, "${only.slice(0, 60)}"; write delimiter: ${JSON.stringify(better)} under csv`,
    );
  requireFewColumns(cells);
  const names = cells.map((cell, index) => (header && cell ? cell : `column${index + 1}`));
  const seen = new Set<string>();
  for (const name of names) {
    if (/\p{Cc}/u.test(name))
      throw new Problem('a name in the first row has a control character; remove it');
    if (seen.has(name.toLowerCase()))
      throw new Problem(`two columns have the name "${name}"; rename one in the first row`);
    seen.add(name.toLowerCase());
  }
  return names;
}

/** A dataset has as many fields. Each column costs a dozen aggregates over all rows. */
const maxColumns = 2_000;

function requireFewColumns({ length }: readonly string[]): void {
  if (length > maxColumns)
    throw new Problem(
      `the file has ${length} columns, and may have ${maxColumns}; remove those that no report needs`,
    );
}

/** Opens DuckDB so that it can access only these files. */
async function open(allowed: readonly string[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: `${memoryMb}MiB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return connection;
}

interface Table {
  connection: DuckDBConnection;
  /** SQL that reads the file; each column is text. */
  table: string;
  names: readonly string[];
}

async function convertTable(
  table: Table,
  { csv, types, target }: ConvertTask,
): Promise<DescribedFile> {
  const chosen = await chooseForms(table, csv);
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
      const misfit = await findMisfit(table, name, form);
      if (misfit) problems.push({ column: name, message: describeMisfit(misfit, declared, csv) });
    } else if (found?.hint) hints.push(found.hint);
    columns.push({ name, type: form?.type ?? 'text' });
    values.push(`${form ? form.value(textOf(name)) : quoteName(name)} AS ${quoteName(name)}`);
  }
  if (problems.length > 0) throw new Misfits({ problems, columns });
  await table.connection.run(
    `COPY (SELECT ${values.join(', ')} FROM ${table.table}) TO ${quoteText(target)}
      (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
  );
  return { columns, hints };
}

const countMatches = (name: string, { matches }: Form) =>
  `count(*) FILTER (${matches(textOf(name))})`;

/** Chooses the first type of each column that fits all of its values. */
async function chooseForms(
  { connection, table, names }: Table,
  csv: ConvertTask['csv'],
): Promise<Map<string, { form?: Form; hint?: FileHint }>> {
  const forms = listForms(csv);
  const sample = await readAggregates(
    connection,
    `(SELECT * FROM ${table} LIMIT ${sampleRows})`,
    names.flatMap((name) => [
      ...Object.values(aggregateAppearance(textOf(name))),
      ...forms.map((form) => countMatches(name, form)),
    ]),
  );
  const keys = Object.keys(aggregateAppearance('')) as (keyof Appearance)[];
  const columns = names.map((name, index) => {
    const width = keys.length + forms.length;
    const cells = sample.slice(index * width, (index + 1) * width);
    const appearance = Object.fromEntries(
      keys.map((key, at) => [key, key === 'sample' ? cells[at] : Number(cells[at])]),
    ) as unknown as Appearance;
    const possible = forms.filter((_, at) => Number(cells[keys.length + at]) === appearance.values);
    return { name, appearance, possible };
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
    columns.map(({ name, appearance, possible }) => {
      const [values, ...counts] = totals.slice(at, at + 1 + possible.length).map(Number);
      at += 1 + possible.length;
      const form = values ? possible.find((_, index) => counts[index] === values) : undefined;
      const hint = form ? undefined : describeAppearance(name, appearance, csv);
      return [name, { ...(form && { form }), ...(hint && { hint }) }];
    }),
  );
}

interface Misfit {
  /** The first row with such a value, from 1, without the header. */
  row: number;
  value: string;
}

/** Finds the first value that does not have the form. */
async function findMisfit(
  { connection, table }: Table,
  name: string,
  { matches }: Form,
): Promise<Misfit | undefined> {
  const [row, value] = await readAggregates(
    connection,
    `(SELECT row_number() OVER () AS n, ${textOf(name)} AS v FROM ${table})`,
    ['min(n)', 'arg_min(v, n)'],
    `v IS NOT NULL AND (${matches('v')}) IS NOT TRUE`,
  );
  return row === null ? undefined : { row: Number(row), value: String(value).slice(0, 60) };
}

const describeMisfit = (
  { row, value }: Misfit,
  type: Exclude<FieldType, 'text'>,
  csv: CsvOptions,
): string =>
  `row ${row} has "${value}", which is not ${describeDeclared(type, csv)}; correct the value, the type, or the options under csv`;

async function readAggregates(
  connection: DuckDBConnection,
  table: string,
  aggregates: readonly string[],
  condition = 'true',
): Promise<unknown[]> {
  const result = await connection.runAndReadAll(
    `SELECT ${aggregates.join(', ')} FROM ${table} WHERE ${condition}`,
  );
  return result.getRowsJson()[0] ?? [];
}

function explain(error: unknown): FileProblems {
  return error instanceof Misfits
    ? error.found
    : { problems: [{ message: describeFailure(error) }] };
}

/** Translates an error of DuckDB's CSV reader for the author. */
function describeFailure(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (/Invalid unicode|not utf-8/i.test(message))
    return 'the file is not UTF-8; write its encoding under csv, such as encoding: windows-1252, or save it as UTF-8';
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (line && counts)
    return `line ${line} of the file has ${counts[2]} columns instead of ${counts[1]}; correct the line, or the delimiter under csv`;
  if (line && /quote/i.test(message))
    return `line ${line} of the file has a quote that is not closed; correct the line`;
  if (message.startsWith('Out of Memory'))
    return 'the conversion ran out of memory; convert the file to Parquet yourself, and use that file';
  // Paths of the server are for its operator.
  if (error instanceof Error && 'code' in error)
    return `the file cannot be read (${String(error.code)}); try again`;
  if (message.startsWith('IO Error')) return 'the file cannot be read or converted; try again';
  return `the file cannot be read as CSV (${message.split('\n')[0]}); check the options under csv`;
}

const [task] = (await once(process, 'message')) as [FileTask];
const answer: FileAnswer = await (task.kind === 'convert' ? convert(task) : describe(task)).then(
  (described) => ({ described }),
  explain,
);
process.send?.(answer);
