import type { PortalMessage } from '@portal-embed/contract/frame';

import type { ReaderFilter, ReaderView } from '../../requests/reader-view.ts';
import { isSameField } from './selection.ts';

type Selection = Omit<Extract<PortalMessage, { type: 'selected' }>, 'type'>;

/** The selected marks, those of one field of a tile as one. */
function listMarks({ filters }: ReaderView): ReaderFilter[] {
  const marks: ReaderFilter[] = [];
  for (const filter of filters) {
    if (filter.tile === undefined) continue;
    const index = marks.findIndex((mark) => mark.tile === filter.tile && isSameField(mark, filter));
    const known = marks[index];
    if (!known) marks.push(filter);
    else marks[index] = { ...known, values: [...new Set([...known.values, ...filter.values])] };
  }
  return marks;
}

const isSameMark = (one: ReaderFilter, other: ReaderFilter) =>
  one.tile === other.tile && isSameField(one, other);

const describe = ({ field, grain }: ReaderFilter, values: ReaderFilter['values']): Selection =>
  grain ? { field, values, grain } : { field, values };

/**
 * The fields whose selected marks differ between two views. A field without selected marks has no
 * values.
 */
export function listSelections(previous: ReaderView, next: ReaderView): Selection[] {
  const before = listMarks(previous);
  const after = listMarks(next);
  const ended = before.filter((mark) => !after.some((other) => isSameMark(mark, other)));
  const begun = after.filter((mark) => {
    const replaced = before.find((other) => isSameMark(mark, other));
    return String(replaced?.values) !== String(mark.values);
  });
  return [
    ...ended.map((mark) => describe(mark, [])),
    ...begun.map((mark) => describe(mark, mark.values)),
  ];
}
