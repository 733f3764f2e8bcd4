import type { CsvOptions } from '@portal-embed/report-model';

import { readRows } from './csv-text.ts';

/** A mistake that the author can correct. */
export class Problem extends Error {}

/** Number of rows in which the names of columns are looked for. */
const firstRows = 20;

/** Reads the names of the columns. The file is UTF-8, unless `csv` has the wrong encoding. */
export async function readNames(file: string, csv: CsvOptions): Promise<string[]> {
  const { header } = csv;
  const { rows, isUtf8, isTooLong } = await readRows(file, csv.delimiter, firstRows);
  const [cells] = rows;
  if (!cells) throw new Problem('the file is empty; write a row of column names');
  if (isTooLong)
    throw new Problem(
      'the first line of the file has more than 1 MB; write each row on a line of its own, or close its quote',
    );
  const better = findDelimiter(rows, csv.delimiter);
  if (better !== undefined) {
    const encoding = isUtf8 ? '' : 'encoding: windows-1252 and ';
    throw new Problem(
      `the file has a single column, "${cells[0]!.slice(0, 60)}"; write ${encoding}delimiter: ${JSON.stringify(better)} under csv`,
    );
  }
  requireNoPreface(rows, csv);
  return nameColumns(cells, header);
}

/** Names the columns by the cells of the first row. */
export function nameColumns(cells: readonly string[], header: boolean): string[] {
  requireFewColumns(cells);
  const names = cells.map((cell, index) => (header && cell ? cell : `column${index + 1}`));
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
  return names;
}

/** A dataset has as many fields. Each column costs a dozen aggregates over all rows. */
const maxColumns = 2_000;

export function requireFewColumns({ length }: readonly string[]): void {
  if (length > maxColumns)
    throw new Problem(
      `the file has ${length} columns, and may have ${maxColumns}; remove those that no report needs`,
    );
}

/** Another delimiter, if the first row has a single cell, and the second row is separated like it. */
function findDelimiter(rows: readonly string[][], delimiter: string): string | undefined {
  const [first = [], second = first] = rows;
  if (first.length !== 1 || /^sep=/i.test(first[0]!)) return undefined;
  const better = /[;\t|,]/.exec(first[0]!)?.[0];
  const count = (cells: readonly string[]) => cells.join(delimiter).split(better!).length;
  return better !== undefined && count(first) === count(second) ? better : undefined;
}

/** Refuses lines above the names: a title, or a separator for Excel. */
function requireNoPreface(rows: readonly string[][], { delimiter, header }: CsvOptions): void {
  const [first = []] = rows;
  const [title = '', ...others] = first;
  if (/^sep=.?$/i.test(title))
    throw new Problem(
      `the first line is "${first.join(delimiter)}", which only Excel reads; delete it`,
    );
  const isTitle = header && title !== '' && others.length !== 1 && others.every((cell) => !cell);
  const names = rows.findIndex((row) => row.filter((cell) => cell !== '').length >= 2);
  if (isTitle && names > 0)
    throw new Problem(
      `the first row has only "${title.slice(0, 60)}", and the names of the columns are probably in row ${names + 1}; delete the rows above them`,
    );
}
