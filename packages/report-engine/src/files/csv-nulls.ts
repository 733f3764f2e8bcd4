import { quoteText } from './csv-sql.ts';

/** Texts that stand for a missing value in files of numbers and dates, in lower case. */
const spellings = [
  'na',
  'n/a',
  'n.a.',
  'n/v',
  'k.a.',
  'nan',
  'inf',
  '-inf',
  'infinity',
  '-infinity',
  'null',
  '(null)',
  '\\n',
  'nil',
  'none',
  '-',
  '--',
  '---',
  '–',
  '—',
  '?',
  '.',
  '..',
  '...',
  'missing',
  'unknown',
  '(blank)',
  '#n/a',
  '#na',
  '#nv',
  '#null!',
  '#value!',
  '#wert!',
  '#div/0!',
  '#ref!',
  '#bezug!',
  '#name?',
  '#num!',
];
const known = new Set(spellings);

/** Spellings that a column of texts may have as values, such as NA for Namibia. */
export const isWord = (text: string): boolean => /^[a-z]+$/i.test(text);

export const isNullText = (text: string): boolean => known.has(text.toLowerCase());

/** SQL: whether a value is one of the texts that stand for a missing value. */
export const isNullish = (v: string): string =>
  `lower(${v}) IN (${spellings.map(quoteText).join(', ')})`;
