import type { FieldOptions, FileOptions } from '@portal-embed/report-model';

import { writeOptions } from '../files/csv-hints.ts';
import type { DescribedFile, FileHint } from '../files/tasks.ts';

/** What a draft says about a CSV file or workbook. */
export interface Adopted {
  options: Partial<FileOptions>;
  fields: Record<string, FieldOptions>;
  /** What was adopted and why, each as a sentence without the file. */
  notes: string[];
}

/**
 * Adopts what the hints of a file propose, unless it contradicts what is there. Returns `adopted` itself if
 * nothing is new.
 *
 * @param section where the options are written
 * @param isValid whether options fit one another
 */
export function adoptHints(
  adopted: Adopted,
  { hints, questions }: DescribedFile,
  section: 'csv' | 'xlsx',
  isValid: (options: Partial<FileOptions>) => boolean,
): Adopted {
  // A format of the file would also answer the questions about other columns.
  const hasDateQuestion = questions.some(({ about }) => about === 'dates');
  const formats = new Set(hints.flatMap(({ field }) => field?.date ?? []));
  const isOfFile = formats.size === 1 && !hasDateQuestion && adopted.options.date === undefined;
  let { options } = adopted;
  const fields = { ...adopted.fields };
  const notes: string[] = [];
  for (const hint of hints) {
    const { field } = hint;
    const date = field?.date;
    const added = { ...hint.csv, ...(isOfFile && date !== undefined && { date }) };
    const next = merge(options, added);
    if (next !== options && isValid(next)) {
      options = next;
      notes.push(describe(writeOptions(added), `under ${section}`, hint));
    }
    const { column } = hint;
    if (!field || isOfFile || column === undefined || fields[column]) continue;
    fields[column] = field;
    notes.push(describe(writeOptions(field), 'on the field', hint));
  }
  return notes.length === 0 ? adopted : { options, fields, notes: [...adopted.notes, ...notes] };
}

/** Adds options. Texts for missing values are added to those that are there; others must not change. */
function merge(csv: Partial<FileOptions>, added: Partial<FileOptions>): Partial<FileOptions> {
  const { nulls: given = [] } = csv;
  const nulls = [...new Set([...given, ...(added.nulls ?? [])])];
  const next = { ...csv, ...added, ...(nulls.length > 0 && { nulls }) };
  const isSame = Object.entries(csv).every(
    ([name, value]) => name === 'nulls' || next[name as keyof FileOptions] === value,
  );
  const isNew = nulls.length > given.length || Object.keys(next).length > Object.keys(csv).length;
  return isSame && isNew ? next : csv;
}

const describe = (options: string, place: string, { column, values = [] }: FileHint): string =>
  `wrote ${options} ${place} because of column "${column}" (${values.map((each) => JSON.stringify(each)).join(', ')})`;
