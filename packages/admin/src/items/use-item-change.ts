import { useRef, useState } from 'react';

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
  // Archived items have left the list from which they are restored.
  const restored = useRef<readonly ArrangedItem[]>([]);
  const finish =
    (action: ItemAction) =>
    ({ done, failed }: ArrangedItems) => {
      const names = new Map([...restored.current, ...items].map(({ id, name }) => [id, name]));
      const next = { action, done, failed, names };
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
    restoreAll: (archived: readonly ArrangedItem[]) => {
      restored.current = archived;
      restore.mutate({ organizationId, items: toKeys(archived) });
    },
  };
}

export type ItemChanges = ReturnType<typeof useItemChanges>;

export const toKeys = (items: readonly ArrangedItem[]) =>
  items.map(({ kind, id }) => ({ kind, id }));
