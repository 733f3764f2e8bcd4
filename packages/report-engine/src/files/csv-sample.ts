import { isNumber, isRounded } from './csv-numbers.ts';
import { fits } from './csv-sql.ts';
import { textOf, type Table } from './csv-table.ts';
import type { Form } from './csv-types.ts';

/** The first rows decide which types are possible. Then all rows are checked. */
const sample = { rows: 10_000, cells: 2_000_000 };

/** Different values of a column that decide what its values look like. */
const maxTexts = 200;

/** The first values of a column. */
export interface SampledColumn {
  name: string;
  /** Values that are not empty. */
  values: number;
  /** An example of numbers with more digits than a double holds. */
  long: string | null;
  /** Numbers of eight digits that can be days. */
  days: number;
  /** How many of the values each form reads. */
  counted: { form: Form; count: number }[];
}

/** Rows of `name` and `value` for the cells of the first rows, so that one statement covers all columns. */
function unpivot({ table, names }: Table, of: string): string {
  const rows = Math.min(sample.rows, Math.ceil(sample.cells / names.length));
  return `(UNPIVOT (SELECT ${of} FROM ${table} LIMIT ${rows}) ON COLUMNS(*) INTO NAME name VALUE value)`;
}

/** Reads statistics about the first values of each column. */
export async function readSample(table: Table, forms: readonly Form[]): Promise<SampledColumn[]> {
  const { connection, csv, names } = table;
  const v = textOf(table, 'value');
  const long = `${isNumber(csv, v)} AND ${isRounded(csv, v)}`;
  const aggregates = [
    `count(${v})`,
    `max(${v}) FILTER (${long})`,
    `count(*) FILTER (${fits(v, '(19|20|21)\\d{6}')})`,
    ...forms.map(({ matches }) => `count(*) FILTER (${matches(v)})`),
  ];
  const result = await connection.runAndReadAll(
    `SELECT name, ${aggregates.join(', ')} FROM ${unpivot(table, '*')} GROUP BY name`,
  );
  const found = new Map(result.getRowsJson().map(([name, ...cells]) => [name as string, cells]));
  return names.map((name) => {
    // A column without values has no row.
    const [values, longest, days, ...counts] = found.get(name) ?? [];
    return {
      name,
      values: Number(values ?? 0),
      long: (longest as string | null | undefined) ?? null,
      days: Number(days ?? 0),
      counted: forms.map((form, at) => ({ form, count: Number(counts[at] ?? 0) })),
    };
  });
}

/** Reads different values of some columns. */
export async function readTexts(
  table: Table,
  names: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (names.length === 0) return found;
  const columns = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
  const v = textOf(table, 'value');
  // The same values each time, from all parts of the sample.
  const result = await table.connection.runAndReadAll(
    `SELECT name, v FROM (SELECT DISTINCT name, ${v} AS v FROM ${unpivot(table, columns)})
      WHERE v IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY name ORDER BY hash(v), v) <= ${maxTexts}
      ORDER BY name, v`,
  );
  for (const [name, text] of result.getRowsJson() as [string, string][]) {
    const texts = found.get(name) ?? [];
    texts.push(text);
    found.set(name, texts);
  }
  return found;
}
