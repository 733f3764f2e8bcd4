import type { PortalMessage } from '@portal-embed/contract/frame';

import type { ReaderFilter, ReaderView } from '../../requests/reader-view.ts';

type Selection = Omit<Extract<PortalMessage, { type: 'selected' }>, 'type'>;

const listMarks = ({ filters }: ReaderView) =>
  filters.filter(({ tile }: ReaderFilter) => tile !== undefined);

const isSameField = (one: ReaderFilter, other: ReaderFilter) =>
  one.tile === other.tile && one.field === other.field && one.grain === other.grain;

const describe = ({ field, grain }: ReaderFilter, values: ReaderFilter['values']): Selection =>
  grain ? { field, values, grain } : { field, values };

/**
 * The fields whose selected marks differ between two views. A field without selected marks has no
 * values.
 */
export function listSelections(previous: ReaderView, next: ReaderView): Selection[] {
  const before = listMarks(previous);
  const after = listMarks(next);
  const ended = before.filter((mark) => !after.some((other) => isSameField(mark, other)));
  const begun = after.filter((mark) => {
    const replaced = before.find((other) => isSameField(mark, other));
    return String(replaced?.values) !== String(mark.values);
  });
  return [
    ...ended.map((mark) => describe(mark, [])),
    ...begun.map((mark) => describe(mark, mark.values)),
  ];
}
