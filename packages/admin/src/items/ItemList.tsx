import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';

import { latestError } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import { ActionBar } from './ActionBar.tsx';
import { ItemDialogs, type OpenItemDialog } from './ItemDialogs.tsx';
import { Outcome } from './Outcome.tsx';
import { toKeys, useItemChanges } from './use-item-change.ts';
import { useSelection, type Selection } from './use-selection.ts';

/** What the page of an item leaves behind when it archives the item. */
export interface ArchivedState {
  archived?: readonly ArrangedItem[];
}

/** A list of datasets or reports whose rows can be selected and arranged. */
export function ItemList({
  items,
  canCreate,
  canEdit,
  children,
}: {
  items: readonly ArrangedItem[];
  canCreate: boolean;
  canEdit: boolean;
  /** Draws the rows. Without a right, there is no selection. */
  children: (selection: Selection | undefined) => ReactNode;
}) {
  const { formatMessage } = useFormats();
  const selection = useSelection(items);
  const selected = items.filter(({ id }) => selection.ids.has(id));
  const [open, setOpen] = useState<OpenItemDialog>();
  const [dialogItems, setDialogItems] = useState<readonly ArrangedItem[]>([]);
  const changes = useItemChanges(items, selection.clear);
  const { duplicate, restore, organizationId } = changes;
  const { archived }: ArchivedState = useHistoryState<ArchivedState | null>() ?? {};
  const [isSeen, setIsSeen] = useState(false);
  const left =
    archived && !isSeen
      ? { action: 'archive' as const, done: archived, failed: [], names: new Map() }
      : undefined;
  const outcome = changes.outcome ?? left;
  const show = (dialog: OpenItemDialog) => {
    setDialogItems(selected);
    setOpen(dialog);
  };
  const error = latestError(duplicate, restore);
  return (
    <>
      {outcome && (
        <Outcome
          outcome={outcome}
          onRestore={changes.restoreAll}
          isBusy={restore.isPending}
          onClose={() => {
            changes.setOutcome(undefined);
            setIsSeen(true);
          }}
        />
      )}
      {error && <Failure error={error} />}
      <ItemDialogs
        open={open}
        items={dialogItems}
        changes={changes}
        onClose={() => setOpen(undefined)}
      />
      <ActionBar selection={selection}>
        {canEdit && (
          <Button size="xs" variant="default" onClick={() => show('rename')}>
            {formatMessage('items.rename')}
          </Button>
        )}
        {canCreate && (
          <Button
            size="xs"
            variant="default"
            loading={duplicate.isPending}
            onClick={() => duplicate.mutate({ organizationId, items: toKeys(selected) })}
          >
            {formatMessage('items.duplicate')}
          </Button>
        )}
        {canEdit && selected.every(({ kind }) => kind === 'report') && (
          <Button size="xs" variant="default" onClick={() => show('move')}>
            {formatMessage('items.move')}
          </Button>
        )}
        {canEdit && (
          <Button size="xs" variant="default" onClick={() => show('archive')}>
            {formatMessage('items.archive')}
          </Button>
        )}
      </ActionBar>
      {children(canEdit || canCreate ? selection : undefined)}
    </>
  );
}
