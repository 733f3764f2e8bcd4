import type { FieldType } from '@portal-embed/report-model';

import type { FileColumn } from '../files/tasks.ts';
import { DataFileError } from '../storage/data-file-error.ts';

/** The columns of one of several files that are read as one table. */
export interface FileColumns {
  /** The author's name of the file. */
  name: string;
  columns: readonly FileColumn[];
  /** Whether it is converted, so that its columns can get other types. */
  isConverted: boolean;
}

export interface UnifiedColumns {
  columns: FileColumn[];
  /** Types that a file's columns must get, by its place and their names. */
  widened: Map<number, Record<string, FieldType>>;
}

/** One column in several files, whose names may differ in letter case. */
interface SharedColumn {
  name: string;
  found: (FileColumn & { file: number })[];
}

/**
 * Matches the columns of several files by name. Each gets the type that it would have in one file with
 * all rows.
 *
 * @param isFinal whether a column that is text in one file is text in all. Before, its texts are tried
 *   in the type of the others: a column without values is text, too
 * @throws DataFileError if the files do not belong together
 */
export function unifyColumns(files: readonly FileColumns[], isFinal: boolean): UnifiedColumns {
  const shared = shareColumns(files);
  requireCommon(files);
  const widened = new Map<number, Record<string, FieldType>>();
  const columns = shared.map(({ name, found }): FileColumn => {
    // The texts of Parquet files stay.
    const hasText = found.some((each) => each.type === 'text' && !files[each.file]!.isConverted);
    const formats = listFormats(found);
    const type =
      formats.length > 1
        ? 'text'
        : chooseType(new Set(found.map((each) => each.type)), isFinal || hasText);
    const [format] = type === 'text' ? [] : formats;
    for (const each of found) {
      if (each.type === type) continue;
      const file = files[each.file]!;
      if (file.isConverted) {
        const types = widened.get(each.file) ?? {};
        types[each.name] = type;
        widened.set(each.file, types);
      } else if (!isWidening(each.type, type))
        throw createMismatch(each.name, type, each.type, file);
    }
    return format ? { name, type, format } : { name, type };
  });
  return { columns, widened };
}

function shareColumns(files: readonly FileColumns[]): SharedColumn[] {
  const shared = new Map<string, SharedColumn>();
  for (const [file, { columns }] of files.entries())
    for (const column of columns) {
      const { name } = column;
      const known = shared.get(name.toLowerCase()) ?? { name, found: [] };
      known.found.push({ ...column, file });
      shared.set(name.toLowerCase(), known);
    }
  return [...shared.values()];
}

/** The formats of a column: 12 % in one file is not 12 in another, nor 12 € 12 $. */
const listFormats = (found: SharedColumn['found']): FileColumn['format'][] => [
  ...new Map(
    found
      .filter(({ type }) => type !== 'text')
      .map(({ format }) => [JSON.stringify(format), format] as const),
  ).values(),
];

/** The type that has the values of all of these types. */
function chooseType(types: ReadonlySet<FieldType>, isFinal: boolean): FieldType {
  const [first = 'text', ...others] = isFinal
    ? types
    : [...types].filter((type) => type !== 'text');
  return others.reduce<FieldType>((one, other) => widest(one, other), first);
}

function widest(one: FieldType, other: FieldType): FieldType {
  if (one === other || isWidening(other, one)) return one;
  return isWidening(one, other) ? other : 'text';
}

/** Types, and those that have all of their values, which engines convert by themselves. */
const widenings: Partial<Record<FieldType, readonly FieldType[]>> = {
  integer: ['number', 'decimal'],
  date: ['datetime'],
};

const isWidening = (from: FieldType, to: FieldType): boolean =>
  widenings[from]?.includes(to) ?? false;

const createMismatch = (column: string, type: FieldType, own: FieldType, { name }: FileColumns) =>
  new DataFileError(
    `the column "${column}" is ${own} in ${name} and ${type} in other files; export it with one type`,
  );

/** Refuses a file that has no column of the first one, which a pattern has probably matched by mistake. */
function requireCommon([first, ...others]: readonly FileColumns[]): void {
  const known = new Set(first?.columns.map(({ name }) => name.toLowerCase()));
  for (const { name, columns } of others)
    if (!columns.some((column) => known.has(column.name.toLowerCase())))
      throw new DataFileError(
        `${name} has no column of ${first!.name}: ${listNames(columns)} instead of ${listNames(first!.columns)}; use files with the same columns, or another pattern`,
      );
}

const shownNames = 10;

const listNames = (columns: readonly FileColumn[]): string => {
  const names = columns.slice(0, shownNames).map(({ name }) => name);
  return `${names.join(', ')}${columns.length > shownNames ? ' …' : ''}`;
};

const shownFiles = 3;

const listFiles = (names: readonly string[]): string =>
  names.length > shownFiles
    ? `${names.slice(0, shownFiles).join(', ')} and ${names.length - shownFiles} more files`
    : names.join(', ');

/** Names the columns that each file lacks, by its name. Letter case does not count. */
export const listLacking = (
  files: readonly FileColumns[],
  columns: readonly FileColumn[],
): Map<string, string[]> =>
  new Map(
    files.flatMap((file) => {
      const has = new Set(file.columns.map(({ name }) => name.toLowerCase()));
      const lacking = columns.filter(({ name }) => !has.has(name.toLowerCase()));
      return lacking.length > 0 ? [[file.name, lacking.map(({ name }) => name)] as const] : [];
    }),
  );

/**
 * Names the columns that some files lack, and those whose type other files have changed.
 *
 * @param before the files as they were converted first
 */
export function describeUnified(
  before: readonly FileColumns[],
  columns: readonly FileColumn[],
): string[] {
  const shared = new Map(shareColumns(before).map((column) => [column.name, column]));
  return columns.flatMap(({ name, type }) => {
    const { found } = shared.get(name)!;
    const has = new Set(found.map(({ file }) => file));
    const lacking = before.filter((_, file) => !has.has(file)).map((file) => file.name);
    const texts = found.filter((each) => each.type === 'text');
    const isTurned = type === 'text' && texts.length < found.length;
    const types = new Set(found.map((each) => each.type).filter((each) => each !== 'text'));
    const others = [...types].join(' and ');
    const renamed = found.filter((each) => each.name !== name);
    return [
      ...(renamed.length > 0
        ? [
            `the column "${name}" is named "${renamed[0]!.name}" in ${listFiles(renamed.map(({ file }) => before[file]!.name))}, and is read as the same column`,
          ]
        : []),
      ...(lacking.length > 0
        ? [
            `the column "${name}" is missing in ${listFiles(lacking)}, and is null for ${lacking.length === 1 ? 'its' : 'their'} rows`,
          ]
        : []),
      ...(isTurned
        ? [
            `the column "${name}" becomes text in all files, because it is ${
              texts.length > 0
                ? `text in ${listFiles(texts.map(({ file }) => before[file]!.name))}; in the other files it is ${others}`
                : `${others} in different files`
            }`,
          ]
        : []),
    ];
  });
}
