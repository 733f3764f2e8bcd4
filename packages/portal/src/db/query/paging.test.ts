import { expect, it } from 'vitest';

import { linksToRead, readWindow, requireSmallPage, toPage, type PageWindow } from './paging.ts';

const itemsWith = (...links: number[]) => links.map((length) => ({ length }));

it('a page may have 100,000 links, and a page of one item any number', () => {
  const page = { pageNumber: 1, pageSize: 2 };
  expect(() => requireSmallPage(page, itemsWith(99_999, 1))).not.toThrow();
  expect(() => requireSmallPage(page, itemsWith(99_999, 2))).toThrow(
    'pageSize is too large for these items: together they have more than 100000 links. Ask for a smaller one.',
  );
  expect(() => requireSmallPage({ ...page, pageSize: 1 }, itemsWith(100_001))).not.toThrow();
});

it('at most one link above the limit is read for a page, and all for a single item', () => {
  expect([linksToRead({ pageSize: 2 }), linksToRead({ pageSize: 1 })]).toEqual([100_001, null]);
});

it.each<[number, PageWindow | undefined]>([
  [1, { from: 'start', offset: 0, limit: 3 }],
  [2, { from: 'start', offset: 3, limit: 3 }],
  [3, { from: 'end', offset: 1, limit: 3 }],
  [4, { from: 'end', offset: 0, limit: 1 }],
  [5, undefined],
])(
  'page %i of ten rows, three to a page, is read from its nearer end',
  async (pageNumber, window) => {
    const windows: PageWindow[] = [];
    await readWindow({ pageNumber, pageSize: 3 }, 10, async (read) => {
      windows.push(read);
      return [];
    });
    expect(windows).toEqual(window ? [window] : []);
  },
);

it.each([
  [1, 0, 0, false, false],
  [2, 0, 0, false, false],
  [1, 3, 1, false, false],
  [1, 4, 2, true, false],
  [2, 4, 2, false, true],
])(
  'page %i of %i rows, three to a page, is one of %i',
  (pageIndex, total, totalPages, hasNextPage, hasPreviousPage) => {
    const page = toPage({ pageNumber: pageIndex, pageSize: 3 }, { total, rows: [] });
    expect(page).toEqual({ pageIndex, totalPages, hasNextPage, hasPreviousPage, data: [] });
  },
);
