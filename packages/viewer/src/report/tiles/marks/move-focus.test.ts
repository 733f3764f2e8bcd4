import type { KeyboardEvent } from 'react';
import { expect, it, vi } from 'vitest';

import { moveFocus } from './move-focus.ts';

/** Each mark's first and last column, by row. There are no values of 2018. */
const rows: Record<string, [first: number, last: number]>[] = [
  { 2016: [1, 2], 2017: [3, 3], 2018: [4, 4] },
  { West: [0, 0], $1: [1, 1], $3: [3, 3] },
  { East: [0, 0], $4: [1, 1], $5: [2, 2], $6: [3, 3] },
];

/** jsdom has no layout, so each cell has a box of its own. */
function createTable() {
  const table = document.createElement('table');
  for (const [index, marks] of rows.entries()) {
    const row = table.insertRow();
    for (const [name, [first, last]] of Object.entries(marks)) {
      const cell = row.insertCell();
      cell.innerHTML = `<button class="mark" tabindex="-1">${name}</button>`;
      const box = new DOMRect(first * 10, index * 10, (last - first + 1) * 10, 10);
      cell.getBoundingClientRect = () => box;
    }
  }
  document.body.replaceChildren(table);
  return (name: string) =>
    [...table.querySelectorAll('button')].find((mark) => mark.textContent === name)!;
}

function press(key: string, mark: HTMLButtonElement) {
  const preventDefault = vi.fn<() => void>();
  mark.tabIndex = 0;
  mark.focus();
  moveFocus({ key, currentTarget: mark, preventDefault } as Partial<
    KeyboardEvent<HTMLButtonElement>
  > as KeyboardEvent<HTMLButtonElement>);
  return preventDefault;
}

it.each([
  ['ArrowRight', 'West', '$1'],
  ['ArrowRight', '$1', '$3'],
  ['ArrowLeft', '$3', '$1'],
  ['ArrowRight', '2016', '2017'],
  ['ArrowDown', 'West', 'East'],
  ['ArrowDown', '2016', '$1'],
  ['ArrowUp', '$6', '$3'],
  // Prefers the same column to a nearer mark.
  ['ArrowUp', '$5', '2016'],
  // Without a mark in its own column, the nearest one of the nearest row.
  ['ArrowUp', 'West', '2016'],
  ['ArrowDown', '2018', '$3'],
])('%s moves the focus from %s to %s and makes it the tab stop', (key, from, to) => {
  const mark = createTable();
  press(key, mark(from));
  expect(mark(to)).toHaveFocus();
  expect([mark(from).tabIndex, mark(to).tabIndex]).toEqual([-1, 0]);
});

it('at the last mark, an arrow key neither moves the focus nor scrolls the page', () => {
  const mark = createTable();
  expect(press('ArrowRight', mark('$3'))).toHaveBeenCalledOnce();
  expect(mark('$3')).toHaveFocus();
  expect(mark('$3').tabIndex).toBe(0);
});

it('keys other than arrows keep their default action', () => {
  const mark = createTable();
  expect(press('Enter', mark('West'))).not.toHaveBeenCalled();
  expect(mark('West')).toHaveFocus();
});
