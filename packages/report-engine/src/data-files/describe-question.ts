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
  { file, interpretations }: FileQuestion,
  advise: (column: string) => string = (column) =>
    adviseAuthor(interpretations, column, isWorkbook(file) ? 'xlsx' : 'csv'),
): AskedColumn[] {
  const [first] = interpretations;
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
  interpretations: readonly Interpretation[],
  column: string,
  section: 'csv' | 'xlsx',
): string {
  const isOfFile = interpretations.some(({ options }) => Object.keys(options).length > 0);
  const choices = interpretations.map(({ options, fields }) =>
    isOfFile ? writeOptions(options) : writeField(fields?.[column] ?? {}),
  );
  const hasText = interpretations.some(({ fields }) => fields?.[column]?.type === 'text');
  const where = isOfFile ? `, under ${section}` : ' on the field';
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
