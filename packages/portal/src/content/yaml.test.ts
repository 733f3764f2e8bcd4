import { describe, expect, it } from 'vitest';

import { locate } from './positions.ts';
import { parseYaml } from './yaml.ts';

function parse(text: string) {
  const { problems, content } = parseYaml(text);
  expect(problems).toEqual([]);
  return content!;
}

const findProblems = (text: string): string[] =>
  parseYaml(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('parsing a content file', () => {
  it.each([
    ['a: 1.50\nb: 1e3\nc: -0.5', { a: 1.5, b: 1000, c: -0.5 }],
    ['a: yes\nb: 2024-01-01\nc: 1:30', { a: 'yes', b: '2024-01-01', c: '1:30' }],
    ['\uFEFF---\na: "012"\n...\n', { a: '012' }],
    ['a: {<<: {b: 1}}', { a: { '<<': { b: 1 } } }],
  ])('reads %j', (text, value) => {
    expect(parse(text).value).toEqual(value);
  });

  it.each([
    ['a: 012', '1:4 012 is read as the number 12; quote it: "012"'],
    ['a: 0x1F', '1:4 0x1F is read as the number 31; quote it: "0x1F"'],
    [
      'a: -9007199254740993',
      '1:4 -9007199254740993 is read as the number -9007199254740992; quote it: "-9007199254740993"',
    ],
    ['%YAML 1.1\n---\na: yes', '1:1 directives are not supported; remove this one'],
    ['a: !!binary aGk=', '1:13 tags are not supported; remove this one'],
    ['', '1:1 the file is empty'],
    ['# only a comment', '1:1 the file is empty'],
    ['a: 1\n# \x1B]0;title', '2:3 the character U+001B is not allowed here; remove it'],
    ['a: ["\\0"]', '1:5 this has a character that cannot be stored, such as U+0000; remove it'],
    ['a: "x\nb: 1\n', '1:4 the closing quote is missing; add it'],
    ["a: 1\nb: [x, 'y]\nc: 1\n", '2:8 the closing quote is missing; add it'],
    [
      'a: [1\nb: 2',
      '2:1 this is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['a: 1\nb: 2\na: 3', '3:1 "a" is written twice; keep one of them'],
    ['"\\ud800": 1', '1:1 this has a character that cannot be stored, such as U+0000; remove it'],
    [`a: ${'x'.repeat(256_000)}`, '1:1 the file is larger than 256 kB; split it'],
    [`a: ${'é'.repeat(128_000)}`, '1:1 the file is larger than 256 kB; split it'],
  ])('refuses %.40j', (text, problem) => {
    expect(findProblems(text)).toEqual([problem]);
  });

  it.each([
    ['size', (bytes: number) => `a:${'x'.padStart(bytes - 2)}`, 256_000],
    ['depth', (depth: number) => '['.repeat(depth) + ']'.repeat(depth), 99],
    ['number of tokens', (count: number) => `[${'\n'.repeat(count - 3)}]`, 100_000],
  ])('reads a file of the maximum %s', (_, write, most) => {
    expect(findProblems(write(most))).toEqual([]);
    expect(findProblems(write(most + 1))).toHaveLength(1);
  });

  it.each([
    ['flow lists', '['.repeat(100_000)],
    ['flow lists on lines', '[\n'.repeat(100_000)],
    ['flow objects', '{a: '.repeat(50_000)],
    ['block lists', '- '.repeat(100_000)],
    ['complex keys', '? '.repeat(100_000)],
    [
      'levels of indentation',
      Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
    ],
    ['commas', `[${','.repeat(200_000)}]`],
    ['keys', Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['anchors', '&a '.repeat(80_000)],
    ['quoted lines', `a: "${'x\n'.repeat(100_000)}"`],
  ])('refuses too many %s soon, without the parser’s recursion', (_, text) => {
    const started = performance.now();
    expect(findProblems(text)).not.toEqual([]);
    // Without limits, some of these take 40 s or end the process.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the position of an issue', () => {
  const at = (text: string, path: (string | number)[], start?: number): string => {
    const { source } = parse(text);
    const span = start === undefined ? {} : { span: { start, end: start + 1 } };
    const { line, column } = locate(source, { path, ...span });
    return text.split('\n')[line - 1]!.slice(column - 1);
  };

  it.each([
    ['a: Profit / Sals', 'Sals'],
    ['a: "Profit / Sals"', 'Sals"'],
    ["a: 'Profit / Sals' # x", "Sals' # x"],
    ['a: "Pr\\x6Ffit / Sals"', 'Sals"'],
    ['a: >\n  Profit /\n  Sals', 'Sals'],
    ['a: |-\n    Profit /\n    Sals', 'Sals'],
    ['a: Profit /\n  Sals', 'Sals'],
    ['a: "\\U0001F600234567\\"Sals\\""', 'Sals\\""'],
  ])('the position in the expression %j is that of the wrong part', (text, rest) => {
    expect(at(text, ['a'], 9)).toBe(rest);
  });

  it('the position is found in a time that does not depend on the number of issues and escapes', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}:`);
    const { source } = parse(`${keys.join('\n')}\ntext: "${'\\x7a'.repeat(4_000)}"`);
    const started = performance.now();
    const wrong = keys.filter((_, index) => {
      const span = { start: index % 4_000, end: 4_000 };
      const ofKey = locate(source, { path: [`k${index}`], isKey: true });
      const ofText = locate(source, { path: ['text'], span });
      return ofKey.line !== index + 1 || ofText.column !== 8 + 4 * span.start;
    });
    expect(wrong).toEqual([]);
    // Searching from the start each time takes minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('the position is that of the value, the key, an empty key, or the parent of a missing key', () => {
    const text = 'list:\n  - name: A\n    empty:\n    size: 3\n';
    const { source } = parse(text);
    const place = (path: (string | number)[], isKey = false) => {
      const { line, column } = locate(source, { path, isKey });
      return `${line}:${column}`;
    };
    expect(place(['list', 0, 'size'])).toBe('4:11');
    expect(place(['list', 0, 'size'], true)).toBe('4:5');
    expect(place(['list', 0, 'empty'])).toBe('3:5');
    expect(place(['list', 0, 'missing'])).toBe('2:5');
    expect(place(['list', 5])).toBe('2:3');
    expect(place([])).toBe('1:1');
  });
});
