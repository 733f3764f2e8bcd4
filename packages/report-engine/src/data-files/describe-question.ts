import {
  isWorkbook,
  type FieldOptions,
  type FileQuestion,
  type Interpretation,
} from '@portal-embed/report-model';

import { writeOptions } from '../files/csv-hints.ts';

/** A column of a question, and what to write. */
export interface AskedColumn {
  column: string;
  message: string;
}

/** Describes the values of each column in all interpretations. `advise` says how to choose. */
export function describeQuestion(
  { file, about, interpretations }: FileQuestion,
  advise: (column: string) => string = (column) => adviseAuthor(file, interpretations, column),
): AskedColumn[] {
  const [first] = interpretations;
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
  file: string,
  interpretations: readonly Interpretation[],
  column: string,
): string {
  const currencies = listCurrencies(interpretations, column);
  if (currencies.length > 0)
    return `write format: { style: currency, currency: ${currencies[0]} } on the field, or another currency, such as ${currencies.slice(1, 3).join(' or ')}, or give the field type: text`;
  const isOfFile = interpretations.some(({ options }) => Object.keys(options).length > 0);
  const choices = interpretations.map(({ options, fields }) =>
    isOfFile ? writeOptions(options) : writeField(fields?.[column] ?? {}),
  );
  const hasText = interpretations.some(({ fields }) => fields?.[column]?.type === 'text');
  const where = isOfFile ? `, under ${isWorkbook(file) ? 'xlsx' : 'csv'}` : ' on the field';
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
