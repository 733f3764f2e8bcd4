const newline = 10;

/** Whole rows of COPY text. A line break ends a row, because COPY escapes those in values. */
export interface Rows {
  text: Buffer;
  count: number;
}

/**
 * Arranges COPY text in parts of whole rows: each is as long as `maxBytes` allows, or one longer row.
 * The parts depend on the text alone, not on its chunks.
 */
export async function* splitRows(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Rows> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < maxBytes) continue;
    let text = Buffer.concat(waiting);
    for (let end = findEnd(text, maxBytes); end > 0; end = findEnd(text, maxBytes)) {
      yield toRows(text.subarray(0, end));
      text = text.subarray(end);
    }
    waiting = [text];
    bytes = text.byteLength;
  }
  if (bytes > 0) yield toRows(Buffer.concat(waiting));
}

/** Returns where the first part ends, or 0 if more text is needed to know. */
function findEnd(text: Buffer, maxBytes: number): number {
  if (text.byteLength < maxBytes) return 0;
  return text.lastIndexOf(newline, maxBytes - 1) + 1 || text.indexOf(newline, maxBytes) + 1;
}

function toRows(text: Buffer): Rows {
  return { text, count: countRows(text) };
}

export function countRows(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Divides COPY text into groups of at most `maxRows` rows. */
export function* groupRows(text: Buffer, maxRows: number): Generator<Buffer> {
  let start = 0;
  let count = 0;
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) {
    count += 1;
    if (count < maxRows) continue;
    yield text.subarray(start, at + 1);
    start = at + 1;
    count = 0;
  }
  if (start < text.byteLength) yield text.subarray(start);
}
