import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { useFormats } from '../messages/messages.ts';
import { removeItem, textOf, type Item, type ItemList } from './dataset-text.ts';
import type { DatasetEditing } from './DatasetDraft.tsx';

export const nameOf = (item: Item): string => textOf(item, 'name');

/** The metrics or roles of a dataset: a table, a form for each, and a question before one is deleted. */
export function DatasetItems({
  list,
  editing,
  texts,
  renderTable,
  renderForm,
  renderQuestion,
  insteadOfFirst,
}: {
  list: ItemList;
  editing: DatasetEditing;
  texts: { about: string; add: string; none: string; whatFor: string };
  renderTable: (actionsOf: (item: Item) => ReactNode) => ReactNode;
  /** @param item `undefined` for a new one */
  renderForm: (item: Item | undefined, onClose: () => void) => ReactNode;
  /** What the deletion of an item means. */
  renderQuestion: (item: Item) => ReactNode;
  /** A button beside that of the first item. */
  insteadOfFirst?: ReactNode;
}) {
  const { formatMessage } = useFormats();
  const [opened, setOpened] = useState<{ item: Item | undefined }>();
  /** The item whose form was closed last. Its button gets the focus. */
  const [closed, setClosed] = useState<{ item: Item | undefined }>();
  const [removed, setRemoved] = useState<Item>();
  const open = (item: Item | undefined) => {
    editing.resetFailure();
    setOpened({ item });
  };
  const close = () => {
    setClosed(opened);
    setOpened(undefined);
  };
  if (opened) return renderForm(opened.item, close);
  const isListed = (item: Item | undefined) =>
    item !== undefined && editing.outline[list].some((each) => nameOf(each) === nameOf(item));
  const add = (
    <Button
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just closed the form
      autoFocus={closed !== undefined && !isListed(closed.item)}
      onClick={() => open(undefined)}
    >
      {texts.add}
    </Button>
  );
  return (
    <Stack>
      <Text size="sm">{texts.about}</Text>
      {editing.outline[list].length === 0 ? (
        <Empty
          title={texts.none}
          action={
            <Group>
              {add}
              {insteadOfFirst}
            </Group>
          }
        >
          {texts.whatFor}
        </Empty>
      ) : (
        <>
          <Group>{add}</Group>
          {renderTable((item) => (
            <ItemActions
              name={nameOf(item)}
              takesFocus={closed?.item !== undefined && nameOf(closed.item) === nameOf(item)}
              onEdit={() => open(item)}
              onRemove={() => {
                editing.resetFailure();
                setRemoved(item);
              }}
            />
          ))}
        </>
      )}
      {removed && (
        <Dialog
          title={formatMessage('builder.delete_name', { name: nameOf(removed) })}
          submit={formatMessage('builder.delete')}
          isDanger
          isBusy={editing.isSaving}
          error={undefined}
          onClose={() => setRemoved(undefined)}
          onSubmit={() =>
            editing.save(removeItem(editing.text, list, nameOf(removed)), () =>
              setRemoved(undefined),
            )
          }
        >
          {renderQuestion(removed)}
          {editing.failure}
        </Dialog>
      )}
    </Stack>
  );
}

/** Edits or deletes a metric or a role. */
function ItemActions({
  name,
  takesFocus,
  onEdit,
  onRemove,
}: {
  name: string;
  /** Whether its form was closed last. */
  takesFocus: boolean;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={formatMessage('builder.edit_name', { name })}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just closed the form
        autoFocus={takesFocus}
        onClick={onEdit}
      >
        {formatMessage('builder.edit')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={formatMessage('builder.delete_name', { name })}
        onClick={onRemove}
      >
        {formatMessage('builder.delete')}
      </Button>
    </Group>
  );
}
