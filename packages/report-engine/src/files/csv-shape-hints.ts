import { isNumeric } from '@portal-embed/report-model';

import type { ColumnNames } from './csv-names.ts';
import type { PreparedCsv } from './prepare-csv.ts';
import type { FileColumn, FileHint } from './tasks.ts';

/** A hint about the whole file, which no option answers. */
export const createHint = (message: string): FileHint => ({ message, csv: {}, values: [] });

/**
 * Says how a file was read that is not a plain table.
 *
 * @param options.kept the columns that are kept
 * @param options.columns these columns as they were read
 * @param options.hasBlank whether rows without values end the file
 */
export function describeShape(
  { hints, csv }: PreparedCsv,
  { unnamed }: ColumnNames,
  {
    kept,
    hasBlank,
    columns,
  }: { kept: readonly string[]; hasBlank: boolean; columns: readonly FileColumn[] },
): FileHint[] {
  const named = unnamed.filter((name) => kept.includes(name));
  return [
    ...hints,
    ...(named.length > 0 ? [describeUnnamed(named)] : []),
    ...(csv.header ? describeValues(columns) : []),
    ...(hasBlank && csv.skipFooter === undefined
      ? [
          'the file ends with rows without values, which count as rows; write skipFooter: 0 under csv to ignore them',
        ]
      : []),
  ].map(createHint);
}

/** Decimals, such as those of the first row of data. Years, days and hours are usual names. */
const isDecimal = (name: string): boolean => /^[-+]?\d[\d.,' ]*[.,]\d+$/.test(name);

/** Says that the names of the columns are probably data. */
function describeValues(columns: readonly FileColumn[]): string[] {
  const numbers = columns.filter(({ type }) => isNumeric(type));
  const found = numbers.filter(({ name }) => isDecimal(name)).map(({ name }) => `"${name}"`);
  // Limits, such as 0.5 and 1.0, are names of columns beside one that has a name.
  const areNames = found.length > 1 && numbers.length === found.length && hasWord(columns);
  if (found.length === 0 || areNames) return [];
  return [
    `the first row has values in place of names (${found.slice(0, shownNames).join(', ')}); if it is data, write header: false under csv`,
  ];
}

const hasWord = (columns: readonly FileColumn[]): boolean =>
  columns.some(({ name, type }) => type === 'text' && /\p{L}{3}/u.test(name));

const shownNames = 5;

function describeUnnamed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => `"${name}"`);
  const list = names.length > shownNames ? `${shown.join(', ')} …` : shown.join(', ');
  return names.length === 1
    ? `a column without a name in the first row is named ${list}`
    : `${names.length} columns without names in the first row are named ${list}`;
}
