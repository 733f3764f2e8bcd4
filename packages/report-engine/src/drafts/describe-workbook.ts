import { xlsxSchema, type FieldType, type XlsxOptions } from '@portal-embed/report-model';

import { convertSheet } from '../files/data-file.ts';
import type { DescribedFile } from '../files/tasks.ts';
import { DraftError } from './draft-error.ts';

/** Options that the author of a workbook has not written, or not all of them. */
type Given = Partial<XlsxOptions>;

/**
 * Reads the columns of a sheet of a workbook. Columns that a question is about are text.
 *
 * @param given what the author has chosen
 * @throws `DraftError`; `FileError`
 */
export async function describeWorkbook(
  file: string,
  given: Given,
  converted: string,
  signal: AbortSignal | undefined,
): Promise<{ described: DescribedFile; xlsx: Given }> {
  const convert = (options: Given, types: Record<string, FieldType> = {}) =>
    convertSheet(file, { xlsx: parseOptions(options), types, isDraft: true }, converted, signal);
  const { chosen = {}, ...described } = await convert(given);
  const xlsx = { ...chosen, ...given };
  const asked = described.questions.flatMap(({ about, interpretations: [first] }) =>
    about === 'sheet' ? [] : first!.columns.map(({ name }) => [name, 'text']),
  );
  if (asked.length === 0) return { described, xlsx };
  const { chosen: _, ...asText } = await convert(
    given,
    Object.fromEntries(asked) as Record<string, 'text'>,
  );
  return { described: { ...asText, questions: described.questions }, xlsx };
}

/** @throws `DraftError` for options that contradict each other */
function parseOptions(given: Given): XlsxOptions {
  const { data, error } = xlsxSchema.safeParse(given);
  if (data) return data;
  throw new DraftError(`${error.issues.map(({ message }) => message).join('; ')}.`);
}
