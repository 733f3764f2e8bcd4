import { isWorkbook, type FileQuestion } from '@portal-embed/report-model';

import { writeOptions } from '../files/csv-number-hints.ts';

/** A column of a question, and what to write. */
export interface AskedColumn {
  column: string;
  message: string;
}

/** Describes the values of each column in both interpretations. */
export function describeQuestion(
  { file, interpretations }: FileQuestion,
  advice = `write ${interpretations.map(({ options }) => writeOptions(options)).join(', or ')}, under ${isWorkbook(file) ? 'xlsx' : 'csv'}, or give the field type: text`,
): AskedColumn[] {
  const [one, other] = interpretations;
  if (!one || !other) return [];
  return one.columns.map(({ name, values, total }, index) => {
    const twin = other.columns[index]!;
    const texts = values.map(({ text }) => JSON.stringify(text)).join(', ');
    const list = (numbers: typeof values) => numbers.map(({ read }) => read).join(', ');
    return {
      column: name,
      message: `${file}: column "${name}" has two readings: ${texts} can be ${list(values)} (total ${total}) or ${list(twin.values)} (total ${twin.total}); ${advice}`,
    };
  });
}
