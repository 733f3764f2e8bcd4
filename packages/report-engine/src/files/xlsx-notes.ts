import type { FieldType } from '@portal-embed/report-model';

import { isNearly } from './csv-hints.ts';
import type { FileHint } from './tasks.ts';
import type { FoundCell, SheetColumn } from './xlsx-columns.ts';
import type { CellFormat } from './xlsx-formats.ts';
import type { Range } from './xlsx-names.ts';
import { findCurrencies } from './xlsx-number-formats.ts';
import type { HeadedRows } from './xlsx-read.ts';
import { writeColumnName, type CellKind } from './xlsx-sheet.ts';
import { listNames, nameCell } from './xlsx-sheets.ts';
import type { NamedColumn } from './xlsx-table.ts';
import type { Sheet } from './xlsx-workbook.ts';

/** Ranges that a message names. */
const shownRanges = 3;

/** Merged names that are named, each in a message of its own. A hostile workbook can have 100,000. */
const maxMergedNames = 20;

const say = (message: string): FileHint => ({ message, csv: {} });

const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

const join = (texts: readonly string[], all: number) =>
  `${texts.join(', ')}${all > texts.length ? ', …' : ''}`;

/** Says which sheet is read, and what of it is not as it looks. */
export function describeSheet(
  { name }: Sheet,
  others: readonly Sheet[],
  rows: HeadedRows,
): FileHint[] {
  const notes: string[] = [];
  if (others.length > 0)
    notes.push(
      `the sheet ${JSON.stringify(name)} is read, the first one with values; to read ${listNames(others)}, write sheet: under xlsx`,
    );
  if (rows.head === 2) {
    const [first, second] = rows.first;
    notes.push(
      `rows ${first!.number} and ${second!.number} of ${name} have the names of the columns`,
    );
  }
  const inHead = (range: Range) => rows.head > 0 && range.top <= rows.first[0]!.number;
  const mergedNames = rows.merged.filter(
    (range) => rows.head === 1 && range.top === rows.first[0]!.number && range.right > range.left,
  );
  for (const { left, right, top } of mergedNames.slice(0, maxMergedNames)) {
    const title = rows.first[0]!.cells.get(left)?.text;
    if (title !== undefined)
      notes.push(
        `${JSON.stringify(title)} in ${nameCell(name, `${writeColumnName(left)}${top}`)} is merged over ${right - left + 1} columns, which have this name and their position`,
      );
  }
  const { hidden } = rows;
  if (hidden.count > 0)
    notes.push(
      `${count(hidden.count, 'hidden row')} of ${name} ${hidden.count === 1 ? 'is' : 'are'} read, too (${join(hidden.first.map(String), hidden.count)}); delete what reports must not count`,
    );
  const hiddenColumns = rows.columns
    .map(({ column }) => column)
    .filter((column) =>
      rows.hiddenColumns.some(([first, last]) => first <= column && column <= last),
    )
    .toSorted((one, other) => one - other)
    .map(writeColumnName);
  if (hiddenColumns.length > 0)
    notes.push(
      `${count(hiddenColumns.length, 'hidden column')} of ${name} ${hiddenColumns.length === 1 ? 'is' : 'are'} read, too (${join(hiddenColumns.slice(0, shownRanges), hiddenColumns.length)})`,
    );
  const merged = rows.merged.filter((range) => !inHead(range));
  if (merged.length > 0) {
    const shown = merged.slice(0, shownRanges).map(writeRange);
    notes.push(
      `${count(merged.length, 'range')} of ${name} ${merged.length === 1 ? 'is' : 'are'} merged (${join(shown, merged.length)}); only the first cell of each has its value, and the others are null; unmerge the cells, and fill them`,
    );
  }
  return notes.map(say);
}

const writeRange = ({ left, top, right, bottom }: Range) =>
  `${writeColumnName(left)}${top}:${writeColumnName(right)}${bottom}`;

const plurals: Record<string, string> = {
  number: 'numbers',
  date: 'dates',
  datetime: 'dates with a time',
  time: 'times',
  boolean: 'true or false',
};

/** Says which cells of a column have no value, and why it is text. */
export function describeColumn(
  sheet: string,
  { name, column }: NamedColumn,
  { type, declared }: { type: FieldType; declared: FieldType | undefined },
): FileHint[] {
  const title = `column ${JSON.stringify(name)}`;
  const list = (cells: readonly FoundCell[], all: number) =>
    join(
      cells.map(({ cell, text }) => `${nameCell(sheet, cell)}${text === '' ? '' : ` ${text}`}`),
      all,
    );
  const found = (kind: CellKind) => list(column.first(kind), column.count(kind));
  const hints: FileHint[] = [];
  if (column.count('error') > 0)
    hints.push(
      say(
        `${title} has ${count(column.count('error'), 'error')} (${found('error')}), which are null; correct them in the workbook`,
      ),
    );
  const zeros = column.hasZeroFormulas ? column.zeros : { count: 0, first: [] };
  const uncomputed = column.count('uncomputed') + zeros.count;
  if (uncomputed > 0)
    hints.push(
      say(
        `${title} has ${count(uncomputed, 'formula')} without a stored value (${list([...column.first('uncomputed'), ...zeros.first].slice(0, shownRanges), uncomputed)}), which are null; open the workbook in Excel or LibreOffice, and save it`,
      ),
    );
  if (column.count('no-day') > 0)
    hints.push(
      say(
        `${title} has ${count(column.count('no-day'), 'date cell')} whose value is not a valid date (${found('no-day')}), which are null; correct them in the workbook`,
      ),
    );
  return declared === undefined ? [...hints, ...explainType(name, column, type, list)] : hints;
}

/** The currencies of a column's numbers; none if all of them can be of one. */
function listDifferent(formats: readonly CellFormat[]): string[] {
  const found = formats.flatMap((format) => {
    if (format.kind !== 'currency') return [];
    const currencies = findCurrencies(format);
    const [only = format.sign, ...more] = currencies;
    return [
      {
        currencies: currencies.length > 0 ? currencies : [only],
        shown: more.length > 0 ? format.sign : only,
      },
    ];
  });
  const areDifferent = found.some(({ currencies }) =>
    found.some((other) => !other.currencies.some((each) => currencies.includes(each))),
  );
  return areDifferent ? [...new Set(found.map(({ shown }) => shown))] : [];
}

/** Says why a column is text although most of its cells are not, and what its numbers are. */
function explainType(
  name: string,
  column: SheetColumn,
  type: FieldType,
  list: (cells: readonly FoundCell[], all: number) => string,
): FileHint[] {
  const title = `column ${JSON.stringify(name)}`;
  const { kinds } = column;
  const texts = column.count('text');
  const typed = kinds.reduce((sum, kind) => sum + column.count(kind), 0);
  const listed = kinds.map((kind) => plurals[kind]!).join(' and ');
  if (type !== 'text') {
    const formats = column.formats.map(({ kind }) => kind);
    const hints: FileHint[] = [];
    if (formats.includes('percent') && formats.length > 1)
      hints.push(
        say(
          `${title} has percentages and other numbers, which are read as the workbook stores them: 12.5% is 0.125`,
        ),
      );
    const currencies = listDifferent(column.formats);
    if (currencies.length > 0)
      hints.push(
        say(
          `${title} has amounts in different currencies (${currencies.join(', ')}), which are added up as if they were one; use one column for each currency`,
        ),
      );
    return hints;
  }
  if (column.type === undefined) return [];
  if (texts > 0 && column.type !== 'text' && isNearly(typed, typed + texts))
    return [
      {
        column: name,
        likely: column.type,
        message: `${title} is text because of ${list(column.first('text'), texts)}; the other values are ${listed}; correct the workbook, or give the field type: text`,
        csv: {},
      },
    ];
  if (texts > 0) return [];
  if (kinds.includes('time') && kinds.length === 1)
    return [
      say(
        `${title} has times of day or durations (${list(column.first('time'), column.count('time'))}), which are text; to calculate with them, write them in the workbook as numbers, such as 1.5 hours`,
      ),
    ];
  if (kinds.length > 1)
    return [
      say(
        `${title} is text because it has ${listed} (${kinds.map((kind) => list(column.first(kind).slice(0, 1), 1)).join(', ')})`,
      ),
    ];
  return [
    say(
      `${title} is text because it has whole numbers of more than 15 digits (${list(column.long.first, column.long.count)}), of which Excel keeps only 15; to calculate with it, give the field type: decimal`,
    ),
  ];
}
