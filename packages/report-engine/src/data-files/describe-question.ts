import type { FileQuestion, Interpretation } from '@portal-embed/report-model';

import { writeOptions } from '../files/csv-number-hints.ts';
import { describeEncodings } from '../files/describe-encodings.ts';

/** A column of a question, and what to write. */
export interface AskedColumn {
  column: string;
  message: string;
}

/**
 * Describes the values of each column in all interpretations.
 *
 * @param given what to do. Default: what to write in the content file
 */
export function describeQuestion(question: FileQuestion, given?: string): AskedColumn[] {
  const { file, about, interpretations } = question;
  const advice =
    given ??
    `write ${interpretations.map(({ options }) => writeOptions(options)).join(', or ')}, under csv${about === 'footer' ? '' : ', or give the field type: text'}`;
  const [one, other] = interpretations;
  if (!one || !other) return [];
  const [first] = one.columns;
  if (about === 'footer')
    return [
      { column: first?.name ?? '', message: `${file}: ${describeFooter(one, other)}; ${advice}` },
    ];
  if (about === 'encoding')
    return [
      { column: first?.name ?? '', message: `${file}: ${describeEncodings(question, given)}` },
    ];
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

/** Columns whose totals are named. */
const namedTotals = 3;

function describeFooter(without: Interpretation, together: Interpretation): string {
  const count = without.columns[0]?.values.length ?? 1;
  const rows = Array.from({ length: count }, (_, row) =>
    without.columns.map(({ values }) => JSON.stringify(values[row]?.text ?? '')).join(', '),
  );
  const totals = without.columns.flatMap(({ name, total }, index) => {
    const other = together.columns[index]?.total;
    return total === undefined || other === undefined
      ? []
      : [`${name} is ${total} without and ${other} with ${count === 1 ? 'it' : 'them'}`];
  });
  const what =
    count === 1 ? 'the last row is probably a total' : `the last ${count} rows are probably totals`;
  const sums = totals.length > 0 ? `; ${totals.slice(0, namedTotals).join(', ')}` : '';
  return `${what} of those above (${rows.join('; ')})${sums}`;
}
