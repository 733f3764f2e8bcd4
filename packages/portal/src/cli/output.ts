import type { Writable } from 'node:stream';

/** Output of a command: text, or with `--json` JSON. */
export interface Answer {
  text: string;
  json: unknown;
}

/** Resolves when the stream has accepted the text, so that a slow reader applies backpressure. */
export const write = (stream: Writable, text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Escapes control characters and line breaks, because names come from users of the API. */
const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

/** Joins lines whose texts come from content files or users of the API. */
export const formatLines = (texts: readonly string[]): string =>
  texts
    .flatMap((text) => text.split('\n'))
    .map(printable)
    .join('\n');

/** Such as `1 entry` or `2 entries`. */
export const formatCount = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Formats a table, or returns `empty` if there are no rows. */
export function formatTable(
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
