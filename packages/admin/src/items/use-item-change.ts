import { useEffect, useRef, useState } from 'react';

import { useChange } from '../api/queries.ts';
import type { ArrangedItem, ArrangedItems } from '../requests/items.ts';
import { useOrganizationId } from '../session/organization.ts';
import type { ItemAction, ItemsOutcome } from './Outcome.tsx';

/**
 * The changes of items, and the outcome of the latest.
 *
 * @param onGone is called when items were archived or deleted, before the page loads its data again
 */
export function useItemChanges(
  items: readonly ArrangedItem[],
  onDone?: (outcome: ItemsOutcome) => void,
  onGone?: (answer: ArrangedItems) => void,
) {
  const organizationId = useOrganizationId();
  const [outcome, setOutcome] = useState<ItemsOutcome>();
  // Items that failed may have left the page, because somebody else deleted them.
  const known = useRef(new Map<string, string>());
  const learn = (named: readonly ArrangedItem[]) =>
    named.forEach(({ id, name }) => known.current.set(id, name));
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it only writes to the reference
  useEffect(() => learn(items), [items]);
  const finish =
    (action: ItemAction) =>
    ({ done, failed }: ArrangedItems) => {
      learn(done);
      const next = { action, done, failed, names: new Map(known.current) };
      setOutcome(next);
      onDone?.(next);
    };
  const duplicate = useChange('duplicateItems', finish('duplicate'));
  const rename = useChange('renameItems', finish('rename'));
  const move = useChange('moveReports', finish('move'));
  const archive = useChange('archiveItems', finish('archive'), onGone);
  const restore = useChange('restoreItems', finish('restore'));
  const remove = useChange('deleteItems', finish('delete'), onGone);
  return {
    organizationId,
    outcome,
    setOutcome,
    duplicate,
    rename,
    move,
    archive,
    restore,
    remove,
    restoreAll: (restored: readonly ArrangedItem[]) => {
      learn(restored);
      restore.mutate({ organizationId, items: toKeys(restored) });
    },
  };
}

export type ItemChanges = ReturnType<typeof useItemChanges>;

export const toKeys = (items: readonly ArrangedItem[]) =>
  items.map(({ kind, id }) => ({ kind, id }));
