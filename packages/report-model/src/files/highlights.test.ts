import { describe, expect, it } from 'vitest';

import type { Issue } from '../issues/issue.ts';
import { parseDatasetFile, parseReportFile } from './parse-files.ts';

/** The path of each issue, and its message without the names of the item and the property. */
const show = ({ issues }: { issues: Issue[] }) =>
  issues.map(({ path, message }) => [
    path.join('.'),
    message.replace(/^(Priority|P, table): ((low|Name|to) )?/, ''),
  ]);

const field = (properties: object) =>
  parseDatasetFile({
    name: 'Orders',
    source: { file: 'a.csv' },
    fields: [{ name: 'Priority', ...properties }],
  });

const table = (properties: object) =>
  show(
    parseReportFile({
      name: 'R',
      workspace: 'W',
      dataset: 'orders',
      pages: [{ name: 'P', rows: [{ tiles: [{ type: 'table', metrics: ['N'], ...properties }] }] }],
    }),
  ).map(([path, message]) => [path!.replace('pages.0.rows.0.tiles.0.', ''), message]);

describe('the colors and the order of a field', () => {
  it.each([
    ['green', '#008000'],
    ['#1a7f37', '#1a7f37'],
    ['#ABC', '#aabbcc'],
    ['rgb(255, 0, 10)', '#ff000a'],
    ['hsl(120, 100%, 25%)', '#008000'],
  ])('%s is a color', (color, hex) => {
    const { value, issues } = field({ colors: { low: color } });
    expect(issues).toEqual([]);
    expect(value?.fields[0]?.colors).toEqual({ low: hex });
  });

  it.each(['greenish', 'url(https://acme.example)', 'var(--text)', '#12345', 'red;}', ''])(
    '%s is no color',
    (color) => {
      expect(show(field({ colors: { low: color } }))).toEqual([
        ['fields.0.colors.low', 'is not a color of CSS; write a name such as green, or "#1a7f37"'],
      ]);
    },
  );

  it('a color must be opaque', () => {
    for (const color of ['transparent', 'rgba(0, 0, 0, 0.5)'])
      expect(show(field({ colors: { low: color } }))).toEqual([
        ['fields.0.colors.low', 'the color is transparent; write an opaque one'],
      ]);
  });

  it('an order has quoted texts, each once', () => {
    expect(show(field({ order: [1, 2] }))).toEqual([
      ['fields.0.order.0', 'write text, true or false; put a number in quotes'],
      ['fields.0.order.1', 'write text, true or false; put a number in quotes'],
    ]);
    expect(show(field({ order: ['low', 'low'] }))).toEqual([
      ['fields.0.order', 'a value is listed twice; remove one'],
    ]);
  });
});

describe('a link', () => {
  it.each([
    'https://acme.example/orders/{Order ID}',
    'http://localhost:3000/?q={Name}&r={Region}#{Order ID}',
    'https://[::1]/{Id}',
    'https://münchen.example?x={Id}',
    'mailto:{E-mail}?subject={Order ID}',
  ])('%s is a link', (link) => {
    expect(table({ links: { Name: link } })).toEqual([]);
  });

  it.each([
    'javascript:alert({Id})',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,{Id}',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://acme.example/{Id}',
    '{Address}',
    'https://{Host}/x',
    'https://{Host}.acme.example/',
    'https://acme.example{Port}/',
    'https://acme.example:{Port}/',
    'https://user@evil.example/',
    'https://acme.example\\@evil.example/',
    '//acme.example/{Id}',
    '/orders/{Id}',
    ' https://acme.example/',
    'https:acme.example/',
  ])('%j is refused', (link) => {
    expect(table({ links: { Name: link } })).toEqual([
      [
        'links.Name',
        'must begin with https:// or http:// and a host, or with mailto:; a {field} can stand only after them',
      ],
    ]);
  });

  it.each([
    ['https://a.example/{Id', 'has a brace without its pair; write fields such as {Order ID}'],
    [
      'https://a.example/a b',
      'has a space, a backslash or a control character; write %20 for a space',
    ],
    [
      'https://a.example/\\x',
      'has a space, a backslash or a control character; write %20 for a space',
    ],
    ['https://a.example/x/../{Id}', 'has a path with "." or ".."; remove it'],
    ['https://a.example/x/%2E%2e/{Id}', 'has a path with "." or ".."; remove it'],
  ])('%j says what is wrong', (link, message) => {
    expect(table({ links: { Name: link } })).toEqual([['links.Name', message]]);
  });
});

describe('a conditional format', () => {
  const format = (conditionalFormat: unknown) =>
    table({ conditionalFormat: { N: conditionalFormat } });

  it.each([
    {
      type: 'thresholds',
      thresholds: [
        { below: 0, status: 'bad' },
        { atLeast: 0.2, status: 'good' },
      ],
    },
    { type: 'scale' },
    { type: 'scale', from: 0, to: 100 },
    { type: 'bar' },
    { type: 'arrow' },
  ])('%j is one', (conditionalFormat) => {
    expect(format(conditionalFormat)).toEqual([]);
  });

  it.each([
    [{ type: 'bars' }, '.type', 'write a type: thresholds, scale, bar or arrow'],
    [
      { type: 'thresholds', thresholds: [{ status: 'bad' }] },
      '.thresholds.0',
      'a threshold needs below, atLeast or both',
    ],
    [
      { type: 'thresholds', thresholds: [{ atLeast: 5, below: 5, status: 'bad' }] },
      '.thresholds.0',
      'atLeast must be less than below; no number is between them',
    ],
    [{ type: 'scale', from: 5, to: 5 }, '.to', 'must be greater than from'],
    [{ type: 'bar', colour: 'red' }, '.colour', 'unknown property "colour"; write type'],
  ])('%j says what is wrong', (conditionalFormat, path, message) => {
    expect(format(conditionalFormat)).toEqual([[`conditionalFormat.N${path}`, message]]);
  });
});
