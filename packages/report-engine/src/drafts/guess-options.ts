import type { CsvOptions } from '@portal-embed/report-model';

import { isUtf8Start } from '../files/utf8.ts';

/**
 * Guesses encoding and delimiter of a CSV file. Returns only the options that differ from the defaults.
 *
 * @param bytes the beginning of the file
 */
export function guessOptions(bytes: Uint8Array): Partial<CsvOptions> {
  const { label, encoding } = guessEncoding(bytes);
  const [first = ''] = new TextDecoder(label).decode(bytes).split(/\r?\n/, 1);
  const unquoted = first.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: unquoted.split(delimiter).length,
  }));
  const best = counts.toSorted((a, b) => b.count - a.count)[0]!;
  return {
    ...(best.delimiter !== ',' && best.count > 1 && { delimiter: best.delimiter }),
    ...(encoding && { encoding }),
  };
}

/** The encoding as `TextDecoder` names it, and as an option. */
function guessEncoding(bytes: Uint8Array): { label: string; encoding?: CsvOptions['encoding'] } {
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return { label: 'utf-16le', encoding: 'utf-16' };
  if (one === 0xfe && two === 0xff) return { label: 'utf-16be', encoding: 'utf-16' };
  return isUtf8Start(bytes)
    ? { label: 'utf-8' }
    : { label: 'windows-1252', encoding: 'windows-1252' };
}
