import type { CsvOptions, Encoding } from '@portal-embed/report-model';

import { findOtherShape, findShape } from './csv-shape.ts';
import { parseRows, readHead, type Head, type TextRow } from './csv-text.ts';
import { Problem } from './problem.ts';

export { Problem };

/** Number of rows in which the names of columns are looked for. */
const firstRows = 20;

/** The columns of a CSV file. */
export interface ColumnNames {
  names: string[];
  /** Those that have none in the file. */
  unnamed: string[];
  /** The last of them, of which each row may have an empty cell after its last delimiter. */
  trailing: string[];
}

/**
 * Reads the names of the columns from a file in UTF-8.
 *
 * @param skipped lines of the author's file above the first one
 */
export async function readNames(
  file: string,
  csv: CsvOptions,
  skipped: number,
): Promise<ColumnNames> {
  const { header, delimiter } = csv;
  const head = await readHead(file, 'utf-8');
  const rows: TextRow[] = [];
  for (const row of parseRows(head.text, delimiter)) {
    rows.push(row);
    if (rows.length === firstRows) break;
  }
  const [first] = rows;
  if (!first)
    throw new Problem(
      skipped > 0
        ? `the file has nothing below line ${skipped}; write a smaller number for skip`
        : 'the file is empty; write a row of column names',
    );
  if (rows.length === 1 && head.isCut)
    throw new Problem(
      'the first line of the file has more than 1 MB; write each row on a line of its own, or close its quote',
    );
  requireShape(head, csv, { skipped });
  requireFewColumns(first.cells);
  const cells = completeCells(rows, header);
  const names = nameColumns(cells, header);
  const isNamed = (index: number) => header && cells[index] !== '';
  const last = cells.findLastIndex((_, index) => isNamed(index));
  return {
    names,
    unnamed: header ? names.filter((_, index) => !isNamed(index)) : [],
    trailing: header && last !== -1 ? names.slice(last + 1) : [],
  };
}

/** Names the columns by the cells of the first row. */
export function nameColumns(cells: readonly string[], header: boolean): string[] {
  requireFewColumns(cells);
  const names = cells.map((cell, index) => (header && cell ? cell : `column${index + 1}`));
  requireUnique(names);
  return names;
}

/** The first row with as many cells as the others, all of which may end in a delimiter. */
function completeCells([first, ...others]: readonly TextRow[], header: boolean): string[] {
  const { cells } = first!;
  const filled = others.filter((row) => row.cells.length > 1);
  const have = (length: number) =>
    filled.length > 0 && filled.every((row) => row.cells.length === length);
  if (!header) return cells;
  if (have(cells.length + 1) && filled.every((row) => row.cells.at(-1) === ''))
    return [...cells, ''];
  return cells.at(-1) === '' && have(cells.length - 1) ? cells.slice(0, -1) : cells;
}

function requireUnique(names: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (/\p{Cc}/u.test(name))
      throw new Problem(
        `the name of column ${index + 1} in the first row has a control character; remove it`,
      );
    const first = seen.get(name.toLowerCase());
    if (first !== undefined)
      throw new Problem(
        `two columns have the name "${name}" (columns ${first} and ${index + 1}); rename one in the first row`,
      );
    seen.set(name.toLowerCase(), index + 1);
  }
}

/** A dataset has as many fields. Each column costs a dozen aggregates over all rows. */
const maxColumns = 2_000;

export function requireFewColumns({ length }: readonly string[]): void {
  if (length > maxColumns)
    throw new Problem(
      `the file has ${length} columns, but the maximum is ${maxColumns}; remove those that no report needs`,
    );
}

/**
 * Refuses another delimiter, and lines above the column names, unless the author has written `skip`.
 *
 * @param options.skipped lines of the author's file above the first one
 * @param options.encoding another encoding that the author has to write, too
 * @throws Problem
 */
export function requireShape(
  head: Head,
  { delimiter, header, skip }: CsvOptions,
  { skipped, encoding }: { skipped: number; encoding?: Encoding },
): void {
  const known = findShape(head, delimiter);
  const other = findOtherShape(head, delimiter, known);
  const above = header && skip === undefined ? ((other ?? known)?.skip ?? 0) : 0;
  if (!other && above === 0) return;
  const options = [
    ...(above > 0 ? [`skip: ${above + skipped}`] : []),
    ...(encoding === undefined ? [] : [`encoding: ${encoding}`]),
    ...(other ? [`delimiter: ${JSON.stringify(other.delimiter)}`] : []),
  ];
  const cells = parseRows(head.text, delimiter).next().value?.cells ?? [];
  const title = JSON.stringify((cells.find((cell: string) => cell !== '') ?? '').slice(0, 60));
  const what =
    above > 0
      ? `the first row has only ${title}, and the names of the columns are probably in line ${above + skipped + 1}`
      : `the file has a single column, ${title}`;
  throw new Problem(`${what}; write ${options.join(' and ')} under csv`);
}
