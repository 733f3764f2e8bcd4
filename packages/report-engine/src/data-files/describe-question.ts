import type { FieldOptions, FileQuestion, Interpretation } from '@portal-embed/report-model';

import { writeOptions } from '../files/csv-hints.ts';
import { describeEncodings } from '../files/describe-encodings.ts';

/** A column of a question, and what to write. */
export interface AskedColumn {
  column: string;
  message: string;
}

/** Describes the values of each column in all interpretations. `advise` says how to choose. */
export function describeQuestion(
  { file, about, interpretations }: FileQuestion,
  advise: (column: string) => string = (column) => adviseAuthor(about, interpretations, column),
): AskedColumn[] {
  const [first, other] = interpretations;
  const [{ name: column = '' } = {}] = first?.columns ?? [];
  if (about === 'footer' && first && other)
    return [{ column, message: `${file}: ${describeFooter(first, other)}; ${advise(column)}` }];
  if (about === 'encoding')
    return [
      { column, message: `${file}: ${describeEncodings(interpretations)}; ${advise(column)}` },
    ];
  return (first?.columns ?? []).map(({ name, values }, index) => {
    const texts = values.map(({ text }) => JSON.stringify(text)).join(', ');
    const ways = interpretations.map(({ columns }) => {
      const column = columns[index];
      const list = (column?.values ?? []).map(({ read }) => read).join(', ');
      return column?.total === undefined ? list : `${list} (total ${column.total})`;
    });
    // Currencies do not change the numbers.
    const meanings = [...new Set(ways)].join(' or ');
    const count = numbers[interpretations.length] ?? String(interpretations.length);
    return {
      column: name,
      message: `${file}: column "${name}" has ${count} interpretations: ${texts} can be ${meanings}; ${advise(name)}`,
    };
  });
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** What an author writes in the dataset. */
function adviseAuthor(
  about: FileQuestion['about'],
  interpretations: readonly Interpretation[],
  column: string,
): string {
  const isOfFile = interpretations.some(({ options }) => Object.keys(options).length > 0);
  const choices = interpretations.map(({ options, fields }) =>
    isOfFile ? writeOptions(options) : writeField(fields?.[column] ?? {}),
  );
  if (about === 'footer') return `write ${choices.join(', or ')}, under csv`;
  if (about === 'encoding')
    return `write ${choices.join(', or ')}, under csv, or save the file as UTF-8`;
  const hasText = interpretations.some(({ fields }) => fields?.[column]?.type === 'text');
  const where = isOfFile ? ', under csv' : ' on the field';
  return `write ${choices.join(', or ')}${where}${hasText ? '' : ', or give the field type: text'}`;
}

/** Such as `date: "%d/%m/%Y"` or `format: { style: currency, currency: USD }`. */
export function writeField({ format, ...options }: FieldOptions): string {
  const { type, ...others } = options;
  const parts = [
    ...(type === undefined ? [] : [`type: ${type}`]),
    ...(Object.keys(others).length > 0 ? [writeOptions(others)] : []),
    ...(format?.currency === undefined
      ? []
      : [`format: { style: currency, currency: ${format.currency} }`]),
  ];
  return parts.join(' and ');
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
