import type { CsvOptions } from '@portal-embed/report-model';

import type { NumberCandidate } from './csv-candidates.ts';
import { writeOptions } from './csv-hints.ts';
import type { Separators } from './csv-numbers.ts';

/** Whether the author has chosen how numbers are read. */
export const isChosen = ({ decimal, thousands }: Separators): boolean =>
  decimal !== undefined || thousands !== undefined;

/** The options of an interpretation. A comma between thousands leaves the point to the decimals. */
export function optionsOf({ decimal, thousands }: Separators): Separators {
  if (decimal === '.' && thousands !== undefined) return { thousands };
  return { decimal, ...(thousands !== undefined && { thousands }) };
}

/** A counted way to read the numbers of a column. */
export interface CountedNumbers {
  candidate: NumberCandidate;
  count: number;
  /** Whole numbers of 64 bits among them. */
  whole: number;
}

/** Which characters stand between the digits of a column. */
export type UsedSeparators = Record<'.' | ',' | ' ' | "'", boolean>;

export interface NumberDecision extends CountedNumbers {
  /** The separators that the values need. */
  separators: Separators;
  /** Whether the options have them already. */
  isKnown: boolean;
}

/**
 * Decides between ways that read as many values.
 *
 * @returns `both` if points and commas can separate decimals or thousands
 */
export function decideNumbers(
  numbers: readonly CountedNumbers[],
  used: UsedSeparators,
  csv: CsvOptions,
): NumberDecision | 'both' | undefined {
  const ofDecimal = (decimal: string) =>
    numbers.filter(({ candidate }) => candidate.separators.decimal === decimal);
  const [points, commas] = [ofDecimal('.'), ofDecimal(',')];
  const hasTwo = points.length > 0 && commas.length > 0;
  if (hasTwo && (used['.'] || used[',']) && !isChosen(csv)) return 'both';
  const { decimal: wanted = '.', thousands: given } = csv;
  const family = hasTwo ? ofDecimal(wanted) : numbers;
  const [first] = family;
  if (!first) return undefined;
  const grouped = family.find(
    ({ candidate: { separators } }) =>
      separators.thousands !== undefined && used[separators.thousands],
  );
  const { decimal } = first.candidate.separators;
  const thousands = grouped?.candidate.separators.thousands;
  // Without points and commas, the decimal separator does not matter.
  const isOpen = hasTwo && !used['.'] && !used[','];
  return {
    ...(grouped ?? first),
    separators: { decimal, thousands },
    isKnown: (decimal === wanted || isOpen) && (thousands === undefined || thousands === given),
  };
}

/** Says which options read the numbers of a column. */
export function adviseNumbers(
  { separators, candidate }: NumberDecision,
  texts: readonly string[],
  csv: CsvOptions,
): { csv: Separators; advice: string } {
  const { decimal, thousands } = separators;
  const complete = { decimal, ...(thousands !== undefined && { thousands }) };
  const options = csv.decimal === ',' ? complete : optionsOf(separators);
  const example = findExample(texts, decimal === '.' ? (thousands ?? '.') : ',');
  const kinds = { ',': 'comma', '.': 'point', ' ': 'space', "'": 'apostrophe' };
  const kind =
    decimal === '.' && thousands !== undefined
      ? `a thousands ${kinds[thousands]}`
      : `a decimal ${example.includes(decimal ?? '.') ? kinds[decimal ?? '.'] : 'point'}`;
  const signs = candidate.signs.texts.length > 0 ? ` and the sign ${candidate.signs.texts[0]}` : '';
  return {
    csv: options,
    advice: `numbers with ${kind}${signs} (${example}); write ${writeOptions(options)} under csv`,
  };
}

/** The largest of the texts that has a separator, preferably the wanted one. */
export const findExample = (texts: readonly string[], wanted: string): string => {
  const sorted = texts.toSorted();
  return (
    sorted.findLast((text) => text.includes(wanted)) ??
    sorted.findLast((text) => /[.,]/.test(text)) ??
    sorted.at(-1) ??
    ''
  );
};
