import type { CsvOptions } from '@portal-embed/report-model';

import type { Appearance, Guess } from './csv-hints.ts';
import { commaReading, pointReading, type Separators } from './csv-numbers.ts';

/** Such as `decimal: "," and thousands: "."`. */
export const writeOptions = (csv: Partial<CsvOptions>): string =>
  Object.entries(csv)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(' and ');

/** Whether the author has chosen how numbers are read. */
export const isChosen = ({ decimal, thousands }: Separators): boolean =>
  decimal !== undefined || thousands !== undefined;

/** The options of a reading. A comma between thousands leaves the point to the decimals. */
export function optionsOf(
  { decimal, thousands }: typeof pointReading | typeof commaReading,
  hasGroups: boolean,
): Separators {
  if (decimal === '.' && hasGroups) return { thousands };
  return { decimal, ...(hasGroups && { thousands }) };
}

/** Guesses the separators of numbers. Numbers with two readings get advice and no options. */
export function guessNumbers(appearance: Appearance, csv: CsvOptions): Guess[] {
  const { point, points, pointGroups, comma, commas, commaGroups, both, separated } = appearance;
  const hasTwo = separated > 0 && both === points && both === commas;
  if (hasTwo && !isChosen(csv)) return guessTwo(appearance);
  const isPoint = (csv.decimal ?? '.') === '.';
  return [
    ...(hasTwo && !isPoint ? [] : guess(point, points, csv, pointReading, pointGroups > 0)),
    ...(hasTwo && isPoint ? [] : guess(comma, commas, csv, commaReading, commaGroups > 0)),
  ];
}

function guess(
  example: string | null,
  count: number,
  csv: CsvOptions,
  reading: typeof pointReading | typeof commaReading,
  hasGroups: boolean,
): Guess[] {
  const { decimal = '.', thousands } = csv;
  const check: Separators = {
    decimal: reading.decimal,
    ...(hasGroups && { thousands: reading.thousands }),
  };
  // The forms of these options have counted the values already.
  const isKnown = check.decimal === decimal && (!hasGroups || check.thousands === thousands);
  if (example === null || isKnown) return [];
  const options = decimal === ',' ? check : optionsOf(reading, hasGroups);
  const kind = `a ${reading.decimal === '.' && hasGroups ? 'thousands' : 'decimal'} ${example.includes(',') ? 'comma' : 'point'}`;
  const advice = `numbers with ${kind} (${example}); write ${writeOptions(options)} under csv`;
  return [{ type: 'number', count, csv: options, check, advice }];
}

function guessTwo({ point, both, pointGroups, commaGroups }: Appearance): Guess[] {
  const one = optionsOf(pointReading, pointGroups > 0);
  const other = optionsOf(commaReading, commaGroups > 0);
  const advice = `numbers with two readings (${point}); write ${writeOptions(one)}, or ${writeOptions(other)}, under csv`;
  return [{ type: 'number', count: both, csv: {}, check: one, advice }];
}
