import type { FieldType } from '../files/dataset.ts';

const integer = /^-?\d{1,19}$/;
const decimal = /^-?\d{1,38}(\.\d{1,38})?$/;
const date = /^\d{4}-\d{2}-\d{2}$/;
const datetime = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)?$/;

function isDate(text: string): boolean {
  if (!date.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(text);
  // Date.parse turns February 30 into March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const fits: Record<FieldType, (text: string) => boolean> = {
  text: () => true,
  integer: (text) => integer.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
  decimal: (text) => decimal.test(text) && text.replace(/\D/g, '').length <= 38,
  number: (text) => decimal.test(text),
  date: isDate,
  datetime: (text) => isDate(datetime.exec(text)?.[1] ?? ''),
  boolean: (text) => text === 'true' || text === 'false',
};

/** Whether a text is a value of a type. Times have no zone. */
export const isTextOf = (type: FieldType, text: string) => fits[type](text);
