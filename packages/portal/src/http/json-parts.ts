import { setImmediate } from 'node:timers/promises';

import type { Response } from 'express';

import { serializeTile } from '#platform';

import { sendStream } from './stream.ts';

/** The tiles of a report are in the rows of its page. */
export const tileDepth = 4;

/** Characters after which other requests are answered. */
const partLength = 64_000;

/** Lists the parts of a value's JSON: each object at the depth of a tile is one. */
function* listParts(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value)
    yield JSON.stringify(value) ?? 'null';
  else if (depth === 0) yield serializeTile(value);
  else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* listParts(item, depth - 1);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* listParts(item, depth - 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}

/** Writes JSON in parts, between which other requests are answered. */
export async function* writeJson(value: object, depth = tileDepth): AsyncGenerator<string> {
  let part = '';
  for (const next of listParts(value, depth)) {
    part += next;
    if (part.length < partLength) continue;
    yield part;
    part = '';
    await setImmediate();
  }
  yield part;
}

/** Sends a value that may be a large report as JSON. */
export async function sendJson(res: Response, value: object): Promise<void> {
  const parts = writeJson(value);
  const first = await parts.next();
  res.type('json');
  if (first.done || first.value.length < partLength) {
    res.send(first.value ?? '');
    return;
  }
  async function* all() {
    yield first.value as string;
    yield* parts;
  }
  await sendStream(res, all());
}
