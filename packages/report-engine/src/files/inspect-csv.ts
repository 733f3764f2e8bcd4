import {
  csvSchema,
  type CsvOptions,
  type Encoding,
  type Question,
} from '@portal-embed/report-model';

import { guessEncoding } from './csv-encoding.ts';
import { areNotes, readLastRows, showRow } from './csv-footer.ts';
import { findShape, readSeparatorLine } from './csv-shape.ts';
import { readBytes, readHead } from './csv-text.ts';
import { describeOtherKind } from './file-kind.ts';
import { Problem } from './problem.ts';
import { scanFile } from './scan-file.ts';
import type { InspectedFile, InspectTask } from './tasks.ts';
import { findByteOrder } from './utf16.ts';

/**
 * Finds how a CSV file is to be read, so far as its bytes and the shape of its rows say.
 *
 * @throws Problem if the file is none
 */
export async function inspectCsv({ source, csv: given }: InspectTask): Promise<InspectedFile> {
  const found = await inspectEncoding(source, given);
  const { encoding, question } = found;
  const other = await describeOtherKind(source, 'csv', encoding);
  if (other !== undefined) throw new Problem(other);
  const head = await readHead(source, encoding);
  const named = readSeparatorLine(head.text.slice(0, 20).split(/[\r\n]/, 1)[0]!);
  const shape = findShape(head, given.delimiter ?? named);
  const delimiter = given.delimiter ?? named ?? shape?.delimiter ?? ',';
  const skip = given.skip ?? shape?.skip ?? 0;
  const { ragged, hasBlank } =
    given.skipFooter === undefined && shape
      ? await readLastRows(source, delimiter, shape.width, encoding)
      : { ragged: [], hasBlank: false };
  const footer = areNotes(ragged) ? ragged.length : 0;
  const skipFooter = given.skipFooter ?? (footer > 0 || hasBlank ? footer : undefined);
  const notes = [
    given.encoding === undefined && encoding !== 'utf-8' && !question
      ? `encoding: ${encoding} under csv because the file is not UTF-8${showWord(head.text)}`
      : undefined,
    given.delimiter === undefined && delimiter !== ','
      ? `delimiter: ${JSON.stringify(delimiter)} under csv because ${named === undefined ? 'it separates the values' : 'the first line names it'}`
      : undefined,
    given.skip === undefined && skip > 0
      ? `skip: ${skip} under csv because the table begins in line ${skip + 1}, below ${JSON.stringify(shape!.title.slice(0, 60))}`
      : undefined,
    given.skipFooter === undefined && hasBlank
      ? `skipFooter: ${footer} under csv because the last rows have no values`
      : undefined,
    footer > 0 && !hasBlank
      ? `skipFooter: ${skipFooter} under csv because the end of the file has a different number of values than the table (${ragged.map(showRow).join('; ')})`
      : undefined,
  ];
  return {
    csv: {
      ...given,
      ...(delimiter !== ',' && { delimiter }),
      ...(encoding !== 'utf-8' && { encoding }),
      ...(skip > 0 && { skip }),
      ...(skipFooter !== undefined && { skipFooter }),
    },
    notes: notes.flatMap((note) => (note === undefined ? [] : [`wrote ${note}`])),
    questions: question ? [question] : [],
  };
}

/** A word that is not ASCII, if one is near the beginning. */
function showWord(text: string): string {
  const [word] = /[\p{L}\p{N}]*[^\p{ASCII}\u00a0][\p{L}\p{N}]*/u.exec(text) ?? [];
  return word === undefined ? '' : ` (${JSON.stringify(word)})`;
}

async function inspectEncoding(
  source: string,
  given: Partial<CsvOptions>,
): Promise<{ encoding: Encoding; question?: Question }> {
  if (given.encoding !== undefined) return { encoding: given.encoding };
  const head = await readBytes(source, 0, 4_096);
  if (findByteOrder(head)) return { encoding: 'utf-16' };
  const scanned = await scanFile(source);
  if (scanned.isUtf8) return { encoding: 'utf-8' };
  const text = await readHead(source, 'windows-1252');
  const shape = findShape(text, given.delimiter);
  const delimiter = given.delimiter ?? shape?.delimiter;
  const csv = csvSchema.parse({
    ...(delimiter !== undefined && { delimiter }),
    skip: given.skip ?? shape?.skip ?? 0,
  });
  return guessEncoding(source, csv, scanned);
}
