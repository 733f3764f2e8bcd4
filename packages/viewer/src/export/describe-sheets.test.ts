import pseudo from 'page-kit/messages/ar-XB.json';
import texts from 'page-kit/messages/en.json';
import { beforeEach, expect, it } from 'vitest';

import type { Viewer } from '../create-viewer.ts';
import { createFormats } from '../format/create-formats.ts';
import { formats as english } from '../test/formats.ts';
import { portalSession, salesView } from '../test/samples.ts';
import type { ViewerState } from '../viewer-state.ts';
import { describeSheets } from './describe-sheets.ts';

beforeEach(() => {
  document.documentElement.lang = 'en';
});

type Shown = NonNullable<ViewerState['view']>;

function describe(view: Partial<Shown> | null, formats = english): string {
  const state = { session: portalSession, view: view && { ...salesView, ...view }, formats };
  return describeSheets({ getState: () => state } as unknown as Viewer);
}
/** The content of a box at the edge of each sheet. */
const boxOf = (css: string, box: string) =>
  new RegExp(`@${box}\\{content:([^}]*)\\}`).exec(css)?.[1];
const filtered = (value: string) => ({ filters: [{ key: 'Orders/Region', value }] });

it('a sheet has the report, its page, the reader, and the number of the sheet', () => {
  const css = describe({});
  expect(boxOf(css, 'top-left')).toBe('"Superstore sales – Overview";font-weight:600');
  expect(boxOf(css, 'bottom-left')).toMatch(/^"Printed by Wendy West, .*\d{4}.*"$/);
  expect(boxOf(css, 'bottom-right')).toBe("counter(page) ' / ' counter(pages)");
});

it('the time of print has the format of the other times of the page', () => {
  const css = describe({}, createFormats('en-GB', texts));
  expect(boxOf(css, 'bottom-left')).toMatch(/, \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d"$/);
});

it('a sheet of a page without a name has the name of the report', () => {
  const css = describe({ page: { ...salesView.page, name: '' } });
  expect(boxOf(css, 'top-left')).toBe('"Superstore sales";font-weight:600');
});

it('a sheet has the filters of the host and of the reader', () => {
  const css = describe({
    filters: [
      { key: 'Orders/Region', value: 'West' },
      { key: 'Orders/Region', value: 'East' },
    ],
    readerFilters: [{ field: 'Sales', type: 'number', values: ['20..'] }],
  });
  expect(boxOf(css, 'top-right')).toBe('"Region West or East · Sales from 20";font-size:9pt');
});

it.each([
  [149, 9],
  [150, 7],
  [399, 7],
  [400, 5],
  [1_000, 5],
])('filters of %i characters are written whole, in %i pt', (length, size) => {
  const text = `Region ${'x'.repeat(length - 'Region '.length)}`;
  const css = describe(filtered('x'.repeat(length - 'Region '.length)));
  expect(boxOf(css, 'top-right')).toBe(`"${text}";font-size:${size}pt`);
});

it('filters over 1,000 characters end with an ellipsis', () => {
  const text = boxOf(describe(filtered('x'.repeat(994))), 'top-right')!;
  expect(text).toBe(`"Region ${'x'.repeat(993)}…";font-size:5pt`);
});

it('a name cannot close the CSS string or the style element', () => {
  const css = describe({ report: { ...salesView.report, name: 'a"b\\c</style>\n' } });
  expect(boxOf(css, 'top-left')).toBe('"a\\22 b\\5c c\\3c /style>\\a  – Overview";font-weight:600');
});

it('from right to left, the report is named on the right', () => {
  const css = describe({}, createFormats('en-US', pseudo));
  expect(boxOf(css, 'top-right')).toContain('Superstore sales');
  expect(boxOf(css, 'top-left')).toContain('font-size');
  expect(boxOf(css, 'bottom-left')).toContain('counter(page)');
});

it('without a report, nothing is written on a sheet', () => {
  expect(describe(null)).toBe('');
});
