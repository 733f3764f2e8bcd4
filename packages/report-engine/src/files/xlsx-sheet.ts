import { Problem } from './csv-names.ts';
import { readDuration, readSerial } from './xlsx-dates.ts';
import type { CellFormat } from './xlsx-formats.ts';
import { RichText, unescapeText } from './xlsx-texts.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { readXml } from './xlsx-xml.ts';

/** What a cell holds. The last three have no value: an error, a formula that was not computed, no day. */
export type CellKind =
  | 'text'
  | 'number'
  | 'date'
  | 'datetime'
  | 'time'
  | 'boolean'
  | 'error'
  | 'uncomputed'
  | 'no-day';

export interface Cell {
  /** From 1. */
  column: number;
  kind: CellKind;
  /** The value: a number with a decimal point, or a date of ISO 8601. */
  text: string;
  format: CellFormat;
  isFormula: boolean;
}

export interface SheetRow {
  /** From 1. */
  number: number;
  isHidden: boolean;
  /** Cells with a value, from left to right. */
  cells: Cell[];
}

/** What a sheet says about its cells after them. */
export interface SheetLayout {
  /** Merged ranges, such as `A1:C1`. */
  ranges: string[];
  /** First and last number of hidden columns. */
  hiddenColumns: [first: number, last: number][];
}

/** Excel has no more. */
const maxRows = 1_048_576;
const maxColumns = 16_384;

/** Merged ranges that are kept. */
const maxMerged = 100_000;

/** The first whole number that is longer than the 15 digits that Excel keeps. */
export const firstLong = 1e15;

const damaged = 'the workbook is damaged; save it again, or save its sheet as CSV';
const general: CellFormat = { kind: 'number' };

/** The column of a cell such as `AB12`. */
export function readColumnName(reference: string): number {
  let column = 0;
  for (const character of reference) {
    const code = character.charCodeAt(0) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column;
}

/** Such as `AB` for 28. */
export const writeColumnName = (column: number): string =>
  column < 1
    ? ''
    : writeColumnName(Math.floor((column - 1) / 26)) +
      String.fromCharCode(65 + ((column - 1) % 26));

/**
 * Reads the rows of a sheet that have values, one after the other.
 *
 * @param texts the texts that cells share
 * @param onRow returns `false` to stop
 */
export async function readSheet(
  workbook: Workbook,
  part: string,
  texts: readonly string[],
  onRow: (row: SheetRow) => boolean | void,
): Promise<SheetLayout> {
  const layout: SheetLayout = { ranges: [], hiddenColumns: [] };
  const inline = new RichText();
  let row: SheetRow = { number: 0, isHidden: false, cells: [] };
  let isDone = false;
  /** The open cell, and its parts. */
  let column = 0;
  let [type, style]: [string, number] = ['n', 0];
  let value: string | undefined;
  let isFormula = false;
  let isValue = false;

  const openRow = ({ r, hidden }: Readonly<Record<string, string>>) => {
    const number = r === undefined ? row.number + 1 : Number(r);
    if (!(number >= 1 && number <= maxRows)) throw new Problem(damaged);
    row = { number, isHidden: hidden === '1' || hidden === 'true', cells: [] };
    column = 0;
  };
  const openCell = ({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>) => {
    column = r === undefined ? column + 1 : readColumnName(r);
    if (!(column >= 1 && column <= maxColumns)) throw new Problem(damaged);
    [type, style, value, isFormula] = [t, Number(s), undefined, false];
    inline.clear();
  };
  const closeCell = () => {
    const format = workbook.formats[style] ?? general;
    const raw = type === 'inlineStr' ? inline.value : value;
    const read = readCell(type, raw, { format, isFormula, is1904: workbook.is1904 }, texts);
    if (read) row.cells.push({ column, ...read, format, isFormula });
  };

  await readXml(
    workbook.archive.read(part),
    {
      open: (name, attributes) => {
        if (name === 'c') openCell(attributes);
        else if (name === 'v') [isValue, value] = [true, ''];
        else if (name === 'f') isFormula = true;
        else if (name === 'row') openRow(attributes);
        else if (name === 'mergeCell') {
          if (layout.ranges.length < maxMerged) layout.ranges.push(attributes['ref'] ?? '');
        } else if (name === 'col') {
          if (attributes['hidden'] === '1' || attributes['hidden'] === 'true')
            layout.hiddenColumns.push([Number(attributes['min']), Number(attributes['max'])]);
        } else inline.open(name);
      },
      text: (text) => {
        if (isValue) value += text;
        else inline.add(text);
      },
      close: (name) => {
        if (name === 'v') isValue = false;
        else if (name === 'c') closeCell();
        else if (name === 'row' && !isDone) isDone = row.cells.length > 0 && onRow(row) === false;
        else inline.close(name);
      },
    },
    () => isDone,
  );
  return layout;
}

type Read = Pick<Cell, 'kind' | 'text'>;

/** Reads a cell; `undefined` if it is empty. */
function readCell(
  type: string,
  raw: string | undefined,
  how: { format: CellFormat; isFormula: boolean; is1904: boolean },
  texts: readonly string[],
): Read | undefined {
  if (type === 'inlineStr') return readText(raw ?? '');
  if (raw === undefined || (raw.trim() === '' && type !== 'str'))
    return how.isFormula ? { kind: 'uncomputed', text: '' } : undefined;
  switch (type) {
    case 's': {
      const text = texts[Number(raw)];
      if (text === undefined) throw new Problem(damaged);
      return readText(text);
    }
    case 'str':
      return readText(unescapeText(raw));
    case 'b':
      return { kind: 'boolean', text: String(raw === '1' || raw === 'true') };
    case 'e':
      return { kind: 'error', text: raw };
    case 'd':
      return readIsoDate(raw);
    default:
      return readNumber(raw, how);
  }
}

const readText = (text: string): Read | undefined =>
  text.trim() === '' ? undefined : { kind: 'text', text };

/** Some programs write dates as texts of ISO 8601. */
function readIsoDate(raw: string): Read {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?Z?$/.exec(raw) ?? [];
  if (day === undefined) return { kind: 'no-day', text: raw };
  return time === undefined || /^00:00(:00(\.0+)?)?$/.test(time)
    ? { kind: 'date', text: day }
    : { kind: 'datetime', text: `${day} ${time}` };
}

function readNumber(
  raw: string,
  { format: { kind }, is1904 }: { format: CellFormat; is1904: boolean },
): Read {
  const number = Number(raw);
  if (!Number.isFinite(number)) return { kind: 'error', text: raw };
  if (kind === 'duration') return { kind: 'time', text: readDuration(number) };
  if (kind !== 'date' && kind !== 'datetime' && kind !== 'time')
    return { kind: 'number', text: writeNumber(raw, number) };
  // Less than a day is a time. 0 with the format of a date is no day.
  if (number < 1 && number > 0) return { kind: 'time', text: readDuration(number) };
  if (number === 0 && kind === 'time') return { kind: 'time', text: readDuration(number) };
  const read = readSerial(number, is1904);
  if (!read) return { kind: 'no-day', text: raw };
  return read.isMidnight && kind === 'date'
    ? { kind: 'date', text: read.day }
    : { kind: 'datetime', text: `${read.day} ${read.time}` };
}

/** Excel keeps 15 digits. Other programs write longer numbers, whose digits stay. */
function writeNumber(raw: string, number: number): string {
  const [, digits] = /^(-?\d{16,})(?:\.0*)?$/.exec(raw) ?? [];
  if (digits !== undefined) return digits;
  // A large number with an exponent is a measure.
  return Math.abs(number) >= firstLong && /e/i.test(raw) ? number.toExponential() : String(number);
}
