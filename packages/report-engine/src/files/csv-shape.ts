import { isBlank, parseRows, type Head, type TextRow } from './csv-text.ts';

/** What surrounds the table of a CSV file. */
export interface Shape {
  delimiter: string;
  /** Cells of most rows. */
  width: number;
  /** Whether the names and nearly all rows below them have as many cells. */
  isRegular: boolean;
  /** Lines above the column names. */
  skip: number;
  /** The first cell of the file. */
  title: string;
}

/** The first of those that separate as well is preferred: a comma can also separate decimals. */
const delimiters = ['\t', ';', '|', ','];

/** Number of rows in which the shape is looked for. */
const firstRows = 200;

/** Titles and notes above a table are few. */
const maxTitles = 30;

/** The delimiter in a first line such as `sep=;`, which Excel writes and reads. */
export const readSeparatorLine = (line: string): string | undefined =>
  /^\uFEFF?"?sep=(.)"?\1*\s*$/i.exec(line)?.[1];

/**
 * Finds the delimiter and the row of the column names.
 *
 * @param known a delimiter that is not to be guessed
 */
export function findShape(head: Head, known?: string): Shape | undefined {
  const tried = (known === undefined ? delimiters : [known]).flatMap((delimiter) => {
    const rows = listRows(head, delimiter);
    const width = findWidth(rows);
    if (width === undefined) return [];
    const names = findNames(rows, width);
    const table = rows.slice(names ? rows.indexOf(names) : 0);
    // Empty lines at the beginning are no rows.
    const title = rows.find((row) => !isEmptyLine(row)) ?? rows[0]!;
    return [
      {
        delimiter,
        width,
        names,
        title: title === names ? rows[0]! : title,
        ...measure(table, width),
      },
    ];
  });
  const [best] = tried.toSorted(
    (one, other) => other.share - one.share || Number(other.fitsFirst) - Number(one.fitsFirst),
  );
  if (!best) return undefined;
  const { delimiter, width, names, title, fitsFirst, isRegular } = best;
  return {
    delimiter,
    width,
    isRegular: fitsFirst && isRegular,
    skip: names === undefined || isEmptyLine(title) ? 0 : names.line - 1,
    title: title.cells.find((cell) => cell !== '') ?? '',
  };
}

/**
 * The shape that a file has with another delimiter, if it has a single column with the given one.
 *
 * @param known the shape with the given one
 */
export function findOtherShape(
  head: Head,
  delimiter: string,
  known = findShape(head, delimiter),
): Shape | undefined {
  const guessed = findShape(head);
  const cells = parseRows(head.text, delimiter).next().value?.cells ?? [];
  return guessed?.isRegular &&
    guessed.delimiter !== delimiter &&
    cells.length === 1 &&
    !known?.isRegular
    ? guessed
    : undefined;
}

function listRows({ text, isCut }: Head, delimiter: string): TextRow[] {
  const rows: TextRow[] = [];
  const separated = readSeparatorLine(text.slice(0, 20).split(/[\r\n]/, 1)[0] ?? '') !== undefined;
  for (const row of parseRows(text, delimiter)) {
    if (row.line === 1 && separated) continue;
    rows.push(row);
    if (rows.length > firstRows) break;
  }
  // The last row may go on.
  if (rows.length > firstRows || (isCut && rows.length > 1)) rows.pop();
  return rows;
}

const isEmptyLine = (row: TextRow): boolean => isBlank(row) && row.cells.length === 1;

/** The width of most rows, if it is more than one. */
function findWidth(rows: readonly TextRow[]): number | undefined {
  const counts = new Map<number, number>();
  for (const row of rows)
    if (row.cells.length > 1 && !isBlank(row))
      counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1);
  const [best] = [...counts].toSorted(
    ([width, count], [otherWidth, otherCount]) => otherCount - count || otherWidth - width,
  );
  return best?.[0];
}

/** Notes below a table are few. */
const maxNotes = 2;

function measure(rows: readonly TextRow[], width: number) {
  const filled = rows.filter((row) => !isBlank(row));
  const fitting = filled.filter(({ cells }) => cells.length === width).length;
  const others = filled.length - fitting;
  return {
    /** The part of the rows that has this width. */
    share: fitting / filled.length,
    fitsFirst: filled[0]?.cells.length === width,
    isRegular: fitting > others && others <= Math.max(maxNotes, filled.length / 10),
  };
}

const isValue = (cell: string): boolean =>
  /\d/.test(cell) && /^[^\p{L}]*$/u.test(cell) && !/^(19|20)\d\d$/.test(cell);

/** Cells of a row that are not empty. */
const countFilled = ({ cells }: Pick<TextRow, 'cells'>): number =>
  cells.filter((cell) => cell !== '').length;

/** Number of cells that the row of the column names has at least. */
const leastNames = (width: number): number => Math.max(2, width * 0.6);

/** The row of the column names, if lines with a title or notes are above it. */
function findNames(rows: readonly TextRow[], width: number): TextRow | undefined {
  const isFull = (row: TextRow) =>
    row.cells.length === width && countFilled(row) >= leastNames(width);
  const at = rows.findIndex((row) => isFull(row) && !row.cells.some(isValue));
  const names = rows[at];
  if (!names || at < 1 || at > maxTitles) return undefined;
  const above = rows.slice(0, at);
  const [first] = above;
  // The name of the first column can be missing.
  if (above.some(isFull) || (first!.cells[0] === '' && !isBlank(first!))) return undefined;
  const below = rows.slice(at + 1);
  if (!measure(below, width).isRegular) return undefined;
  const fitting = below.filter(({ cells }) => cells.length === width);
  // The last row can be a total.
  const data = fitting.length > 2 ? fitting.slice(0, -1) : fitting;
  const hasValues = names.cells.some((_, column) =>
    data.every(({ cells }) => isValue(cells[column]!)),
  );
  const isPadded = width > 2 && first!.cells.length === width && countFilled(first!) === 1;
  return hasValues || above.length > 1 || isPadded ? names : undefined;
}
