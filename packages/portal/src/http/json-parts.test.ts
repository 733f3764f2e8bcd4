import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { writeJson } from './json-parts.ts';

it.each([
  [{}],
  [{ first: undefined, shown: 1, last: undefined }],
  [{ nested: { absent: undefined } }],
  [{ list: [undefined, null, [], {}, 'a'] }],
  [{ at: new Date(0), 'key "1"': true }],
  [{ page: { rows: [[{ id: 'a', absent: undefined }, { id: 'b' }]] } }],
])('an answer in parts is the JSON of the value: %j', async (value) => {
  expect(await text(writeJson(value))).toBe(JSON.stringify(value));
});
