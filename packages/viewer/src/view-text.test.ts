import { maxViewLength } from '@portal-embed/contract/frame';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { emptyView } from './report/filters/empty-view.ts';
import { portalSession, reportSession, sales, flights } from './test/samples.ts';
import { readView, writeView } from './view-text.ts';

const chosen = {
  filters: [
    { field: 'Região', values: ['São Paulo', null, 7, true] },
    { field: 'Order Date', values: ['2024-03-01'], grain: 'month' as const, tile: '0.0.1' },
  ],
  sorts: [{ tile: '0.1.0', column: 2, descending: true, keys: ['2024-01-01', null] }],
  drills: [{ tile: '0.0.2', path: ['West', null] }],
  searches: [{ tile: '0.1.0', text: 'São' }],
};
const place = { reportId: sales.id, pageIndex: 2, readerView: chosen, frameView: '' };

/** The text of any JSON value, as `writeView` would write it. */
const encode = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

/** The text of a place that can be opened, with a value that makes it as long as given. */
function encodeWithLength(length: number): string {
  const withValue = (value: string) =>
    encode([sales.id, 0, [{ field: 'Name', values: [value] }], [], []]);
  const bytes = Buffer.from(withValue(''), 'base64url').length;
  return withValue('x'.repeat(Math.floor((length * 3) / 4) - bytes));
}

it('a view is read as it was written, and needs no escapes in a URL', () => {
  const text = writeView(portalSession, place);
  expect(readView(portalSession, text)).toEqual(place);
  expect(encodeURIComponent(text)).toBe(text);
});

it('a view that opens nothing else than the URL is empty', () => {
  const start = { reportId: sales.id, pageIndex: 0, readerView: emptyView, frameView: '' };
  expect(writeView(reportSession, start)).toBe('');
  expect(readView(reportSession, '')).toEqual(start);
  expect(writeView(portalSession, { ...start, reportId: null })).toBe('');
  expect(writeView(portalSession, start)).not.toBe('');
});

it('a view of the whole portal can be read in a session of its report', () => {
  expect(readView(reportSession, writeView(portalSession, place))).toEqual(place);
});

it('a view can be of the last page that a report may have', () => {
  const last = { ...place, pageIndex: 1_000 };
  expect(readView(portalSession, writeView(portalSession, last))).toEqual(last);
});

it('a view of the greatest length keeps its choices', () => {
  const text = encodeWithLength(maxViewLength);
  expect(text).toHaveLength(maxViewLength);
  expect(writeView(portalSession, readView(portalSession, text)!)).toBe(text);
});

it('a view keeps what the reader has chosen in a frame', () => {
  const framed = { ...place, frameView: '{"page":"Ürün"}' };
  const text = writeView(portalSession, framed);
  expect(readView(portalSession, text)).toEqual(framed);
  const start = { ...framed, pageIndex: 0, readerView: emptyView };
  expect(readView(reportSession, writeView(reportSession, start))).toEqual(start);
});

it('a view that is too long has no choices', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `Customer ${index}`);
  const long = { ...place, readerView: { ...emptyView, filters: [{ field: 'Name', values }] } };
  const text = writeView(portalSession, long);
  expect(text.length).toBeLessThan(maxViewLength);
  expect(readView(portalSession, text)).toEqual({ ...place, readerView: emptyView });
});

it.each([
  ['a number for the choices in a frame', encode([sales.id, 0, [], [], [], 7])],
  ['too long choices in a frame', encode([sales.id, 0, [], [], [], 'x'.repeat(4_001)])],
  ['a report of others', encode(['99999999-0000-4000-8000-000000000009', 0, [], [], []])],
  ['another report than that of the session', encode([flights.id, 0, [], [], []])],
  ['the overview in a session of one report', encode([null, 0, [], [], []])],
  ['a page that is no number', encode([sales.id, '1', [], [], []])],
  ['a page that is negative', encode([sales.id, -1, [], [], []])],
  ['a page beyond the limit', encode([sales.id, 1_001, [], [], []])],
  ['filters that are no list', encode([sales.id, 0, { length: 0 }, [], []])],
  ['a filter without values', encode([sales.id, 0, [{ field: 'Region' }], [], []])],
  ['a value that is an object', encode([sales.id, 0, [{ field: 'A', values: ['', {}] }], [], []])],
  [
    'a drill with a key that is an object',
    encode([sales.id, 0, [], [], [{ tile: 'a', path: ['West', {}] }]]),
  ],
  ['a drill whose path is an object', encode([sales.id, 0, [], [], [{ tile: 'a', path: {} }]])],
  ['no JSON', 'AAAA'],
  ['no base64', 'ü'],
  ['too many characters', encodeWithLength(maxViewLength + 2)],
])('a text is refused: %s', (_, text) => {
  expect(readView(reportSession, text)).toBeUndefined();
});

it('any text is a place that can be opened, or refused', () => {
  const places = fc.tuple(
    fc.constantFrom(sales.id, flights.id, null),
    fc.oneof(fc.nat(3), fc.jsonValue()),
    fc.jsonValue(),
    fc.jsonValue(),
    fc.jsonValue(),
  );
  const texts = fc.oneof(fc.string(), fc.jsonValue().map(encode), places.map(encode));
  fc.assert(
    fc.property(texts, (text) => {
      const read = readView(reportSession, text);
      expect([undefined, sales.id]).toContain(read?.reportId);
    }),
  );
});
