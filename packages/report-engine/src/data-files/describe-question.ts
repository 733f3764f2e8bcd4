import {
  isWorkbook,
  type FieldOptions,
  type FileQuestion,
  type Interpretation,
} from '@portal-embed/report-model';

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
  advise: (column: string) => string = (column) =>
    adviseAuthor(about, interpretations, { column, section: isWorkbook(file) ? 'xlsx' : 'csv' }),
): AskedColumn[] {
  const [first, other] = interpretations;
  const [{ name: column = '' } = {}] = first?.columns ?? [];
  if (about === 'footer' && first && other)
    return [{ column, message: `${file}: ${describeFooter(first, other)}; ${advise(column)}` }];
  if (about === 'encoding')
    return [
      { column, message: `${file}: ${describeEncodings(interpretations)}; ${advise(column)}` },
    ];
  // All currencies have the same numbers.
  if (about === 'currency')
    return (first?.columns ?? []).map(({ name, values }) => ({
      column: name,
      message: `${file}: column "${name}" has a sign of several currencies (${list(values.map(({ text }) => text))}); ${advise(name)}`,
    }));
  return (first?.columns ?? []).map(({ name, values }, index) => {
    const texts = list(values.map(({ text }) => JSON.stringify(text)));
    const ways = interpretations.map(({ columns }) => {
      const column = columns[index];
      const shown = list((column?.values ?? []).map(({ read }) => read));
      return column?.total === undefined ? shown : `${shown} (total ${column.total})`;
    });
    const meanings = ways.join(' or ');
    const count = numbers[interpretations.length] ?? String(interpretations.length);
    return {
      column: name,
      message: `${file}: column "${name}" has ${count} interpretations: ${texts} can be ${meanings}; ${advise(name)}`,
    };
  });
}

const list = (texts: readonly string[]) => texts.join(', ');

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** What an author writes in the dataset. */
function adviseAuthor(
  about: FileQuestion['about'],
  interpretations: readonly Interpretation[],
  { column, section }: { column: string; section: 'csv' | 'xlsx' },
): string {
  const currencies = listCurrencies(interpretations, column);
  if (currencies.length > 0)
    return `write format: { style: currency, currency: ${currencies[0]} } on the field, or another currency, such as ${currencies.slice(1, 3).join(' or ')}, or give the field type: text`;
  const isOfFile = interpretations.some(({ options }) => Object.keys(options).length > 0);
  const choices = interpretations.map(({ options, fields }) =>
    isOfFile ? writeOptions(options) : writeField(fields?.[column] ?? {}),
  );
  if (about === 'footer') return `write ${choices.join(', or ')}, under ${section}`;
  if (about === 'encoding')
    return `write ${choices.join(', or ')}, under csv, or save the file as UTF-8`;
  const hasText = interpretations.some(({ fields }) => fields?.[column]?.type === 'text');
  const where = isOfFile ? `, under ${section}` : ' on the field';
  return `write ${choices.join(', or ')}${where}${hasText ? '' : ', or give the field type: text'}`;
}

/** The currencies that the interpretations of a column have. */
export const listCurrencies = (
  interpretations: readonly Interpretation[],
  column: string,
): string[] => interpretations.flatMap(({ fields }) => fields?.[column]?.format?.currency ?? []);

/** Such as `date: "%d/%m/%Y"`. */
function writeField({ type, date, yearsFrom }: FieldOptions): string {
  const others = {
    ...(date !== undefined && { date }),
    ...(yearsFrom !== undefined && { yearsFrom }),
  };
  return [
    ...(type === undefined ? [] : [`type: ${type}`]),
    ...(Object.keys(others).length > 0 ? [writeOptions(others)] : []),
  ].join(' and ');
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
