import type { KeyboardEvent } from 'react';

const directions: Record<string, [x: number, y: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Moves the focus from one mark of a table to the next. One of them is in the tab order. */
export function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const from = event.currentTarget;
  const direction = directions[event.key];
  if (!direction) return;
  // The page must not scroll at the last mark.
  event.preventDefault();
  const marks = [...from.closest('table')!.querySelectorAll<HTMLElement>('.mark')];
  const next = findNext(from, marks, direction);
  if (!next) return;
  from.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The nearest mark in a direction, by the places of the cells on the page. */
function findNext(from: HTMLElement, marks: readonly HTMLElement[], [x, y]: [number, number]) {
  const start = boxOf(from);
  const distanceTo = (box: DOMRect) => {
    const [aside, below] = [centerOf(box) - centerOf(start), box.top - start.top];
    if (x !== 0) return below === 0 ? aside * x : 0;
    // The cells of other columns come last, because a column can lack marks.
    const isOtherColumn = box.right <= start.left || box.left >= start.right;
    return below * y > 0 ? below * y + Math.abs(aside) / 1_000 + Number(isOtherColumn) * 1e6 : 0;
  };
  return marks
    .map((mark) => ({ mark, distance: distanceTo(boxOf(mark)) }))
    .filter(({ distance }) => distance > 0)
    .toSorted((one, other) => one.distance - other.distance)[0]?.mark;
}

const boxOf = (mark: HTMLElement) => mark.parentElement!.getBoundingClientRect();
const centerOf = ({ left, right }: DOMRect) => (left + right) / 2;
