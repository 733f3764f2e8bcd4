import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it, onTestFinished } from 'vitest';

import { sendJson, writeJson } from './json-parts.ts';

async function writeParts(value: object, depth?: number): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of writeJson(value, depth)) parts.push(part);
  return parts;
}

it.each([
  ['absent fields', { first: undefined, second: 1, third: undefined }],
  ['only absent fields', { all: { first: undefined } }],
  ['an absent item', { items: [undefined, 1] }],
  ['absent fields below the parts', { a: { b: { c: { d: { e: undefined, f: [undefined] } } } } }],
  ['a date', { at: new Date(0), list: [new Date(1)] }],
  ['null, text and empty lists', { none: null, 'a "key"': 'a "text"', list: [], object: {} }],
  ['a list', [[1, 2], [], [{ a: 1 }, { b: 2 }]]],
])('the JSON in parts is the same as in one piece: %s', async (_, value) => {
  for (const depth of [1, 2, 4])
    expect((await writeParts(value, depth)).join('')).toBe(JSON.stringify(value));
});

const long = { rows: Array.from({ length: 4 }, () => ({ text: 'x'.repeat(64_000) })) };

it('other work runs between the parts of a long answer', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  onTestFinished(() => clearImmediate(pending));
  expect((await writeParts(long)).join('')).toBe(JSON.stringify(long));
  expect(turns).toBeGreaterThan(2);
});

/** A service that answers with the value, and lists the failures of its answers. */
async function listen(value: object) {
  const answers: unknown[] = [];
  const app = express().get('/', async (_req, res) => {
    answers.push(await sendJson(res, value).catch((error: unknown) => error));
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, answers };
}

it.each([
  ['short', { absent: undefined, list: [1] }],
  ['long', { absent: undefined, ...long }],
])('a %s answer is JSON', async (_, value) => {
  const { url } = await listen(value);
  const answer = await fetch(url);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.text()).toBe(JSON.stringify(value));
});

it('a failure in the middle of a long answer is passed on', async () => {
  const broken = {
    toJSON: () => {
      throw new Error('no JSON');
    },
  };
  const { url, answers } = await listen({ ...long, broken });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow('terminated');
  await expect.poll(() => answers).toMatchObject([{ message: 'no JSON' }]);
});

it('a reader who leaves during a long answer is no failure', async () => {
  const rows = Array.from({ length: 400 }, () => ({ text: 'x'.repeat(64_000) }));
  const { url, answers } = await listen({ rows });
  const reader = new AbortController();
  await fetch(url, { signal: reader.signal });
  reader.abort();
  await expect.poll(() => answers).toEqual([undefined]);
});
