import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import type { ItemChanges } from './use-item-change.ts';

/** Asks for the new name of each item. */
export function RenameItems({
  items,
  changes: { rename, organizationId },
  onClose,
}: {
  items: readonly ArrangedItem[];
  changes: ItemChanges;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(
    new Map(items.map(({ id, name }) => [id, name])),
  );
  const changed = items.filter(({ id, name }) => (names.get(id) ?? '').trim() !== name);
  return (
    <Dialog
      title={formatMessage('items.rename')}
      submit={formatMessage('action.save')}
      isBusy={rename.isPending}
      isDisabled={changed.length === 0}
      error={rename.error}
      onClose={onClose}
      onSubmit={() =>
        rename.mutate(
          {
            organizationId,
            items: changed.map(({ kind, id }) => ({ kind, id, name: names.get(id)! })),
          },
          { onSuccess: onClose },
        )
      }
    >
      {items.some(({ kind }) => kind === 'dataset') && (
        <Text size="sm">{formatMessage('items.rename.dataset')}</Text>
      )}
      {items.map(({ id, name }, index) => (
        <TextInput
          key={id}
          {...(index === 0 && { 'data-autofocus': true })}
          label={
            items.length === 1
              ? formatMessage('field.name')
              : formatMessage('items.rename.of', { name })
          }
          value={names.get(id) ?? ''}
          onChange={(event) => setNames(new Map([...names, [id, event.currentTarget.value]]))}
          maxLength={200}
          pattern=".*\S.*"
          required
        />
      ))}
    </Dialog>
  );
}
