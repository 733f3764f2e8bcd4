import type { ColumnNames } from './csv-names.ts';
import type { PreparedCsv } from './prepare-csv.ts';
import type { FileHint } from './tasks.ts';

/** A hint about the whole file, which no option answers. */
export const createHint = (message: string): FileHint => ({ message, csv: {}, values: [] });

/**
 * Says how a file was read that is not a plain table.
 *
 * @param options.kept the columns that are kept
 * @param options.hasBlank whether rows without values end the file
 */
export function describeShape(
  { hints, csv }: PreparedCsv,
  { unnamed }: ColumnNames,
  { kept, hasBlank }: { kept: readonly string[]; hasBlank: boolean },
): FileHint[] {
  const named = unnamed.filter((name) => kept.includes(name));
  return [
    ...hints,
    ...(named.length > 0 ? [describeUnnamed(named)] : []),
    ...(hasBlank && csv.skipFooter === undefined
      ? [
          'the file ends with rows without values, which count as rows; write skipFooter: 0 under csv to ignore them',
        ]
      : []),
  ].map(createHint);
}

const shownNames = 5;

function describeUnnamed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => `"${name}"`);
  const list = names.length > shownNames ? `${shown.join(', ')} …` : shown.join(', ');
  return names.length === 1
    ? `a column without a name in the first row is named ${list}`
    : `${names.length} columns without names in the first row are named ${list}`;
}
