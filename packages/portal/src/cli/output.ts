import type { Writable } from 'node:stream';

/** What a command answers: to people as text, to programs (`--json`) as JSON. */
export interface Answer {
  text: string;
  json: unknown;
}

/** Resolves when the stream has taken the text, so that a slow reader slows us down. */
export const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/**
 * Names come from whoever may call the API. What a terminal would act on, or what would start a
 * line of its own, is shown as an escape.
 */
const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

/** Such as `1 entry` or `2 entries`. */
export const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Columns as wide as their widest cell; a sentence instead of an empty table. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const cells = [columns, ...rows].map((row) => row.map((cell) => printable(String(cell ?? '-'))));
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A row of CSV. What a spreadsheet would take for a formula is made text. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells
    .map((cell) => {
      const text = String(cell).replace(/^[=+\-@\t\r]/, "'$&");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',')}\r\n`;
