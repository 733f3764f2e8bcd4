import { Button, Code, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminDataset, DatasetRole } from '../requests/datasets.ts';
import { removeItem, textOf, toLine, type Item } from './dataset-text.ts';
import { DatasetDraft, type DatasetEditing } from './DatasetDraft.tsx';
import { ItemActions } from './MetricsTab.tsx';
import { RoleForm } from './RoleForm.tsx';

/** The roles of a dataset with their holders, and a form for each. */
export function RolesTab({ dataset }: { dataset: AdminDataset }) {
  return (
    <DatasetDraft dataset={dataset}>
      {(editing) => <Roles dataset={dataset} editing={editing} />}
    </DatasetDraft>
  );
}

const nameOf = (item: Item): string => textOf(item, 'name');

function Roles({ dataset, editing }: { dataset: AdminDataset; editing: DatasetEditing }) {
  const { formatMessage } = useFormats();
  const { roles } = editing.outline;
  const [opened, setOpened] = useState<{ role: Item | undefined }>();
  const [removed, setRemoved] = useState<Item>();
  const open = (role: Item | undefined) => {
    editing.resetFailure();
    setOpened({ role });
  };
  const add = <Button onClick={() => open(undefined)}>{formatMessage('builder.role.new')}</Button>;
  if (opened)
    return (
      <RoleForm
        dataset={dataset}
        role={opened.role}
        editing={editing}
        onClose={() => setOpened(undefined)}
      />
    );
  return (
    <Stack>
      <Text size="sm">
        {formatMessage(
          dataset.rowAccess === 'everyone' && roles.length === 0 ? 'rows.everyone' : 'rows.by_role',
        )}
      </Text>
      {roles.length === 0 ? (
        <Empty title={formatMessage('rows.empty')} action={add}>
          {formatMessage('builder.roles.empty.text')}
        </Empty>
      ) : (
        <>
          <Group>{add}</Group>
          <RoleTable
            dataset={dataset}
            roles={roles}
            onEdit={open}
            onRemove={(role) => {
              editing.resetFailure();
              setRemoved(role);
            }}
          />
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
            editing.save(removeItem(editing.text, 'roles', nameOf(removed)), () =>
              setRemoved(undefined),
            )
          }
        >
          <RoleHolders role={dataset.roles?.find(({ name }) => name === nameOf(removed))} />
          {editing.failure}
        </Dialog>
      )}
    </Stack>
  );
}

/** Whom the deletion of a role concerns. A role that is not saved has no holders. */
function RoleHolders({ role }: { role: DatasetRole | undefined }) {
  const { formatMessage, formatEvery } = useFormats();
  const count = role ? role.users + role.groups : 0;
  if (!role || count === 0)
    return <Text size="sm">{formatMessage('builder.role.delete.unheld')}</Text>;
  const rest = count - role.firstHolders.length;
  const names = formatEvery([
    ...role.firstHolders,
    ...(rest > 0 ? [formatMessage('items.more', { count: rest })] : []),
  ]);
  return (
    <>
      <Text size="sm" className="breakable">
        {formatMessage('builder.role.delete.holders', { count, names })}
      </Text>
      <Text size="sm">{formatMessage('builder.role.delete.text')}</Text>
    </>
  );
}

function RoleTable({
  dataset,
  roles,
  onEdit,
  onRemove,
}: {
  dataset: AdminDataset;
  roles: readonly Item[];
  onEdit: (role: Item) => void;
  onRemove: (role: Item) => void;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const savedOf = (name: string) => dataset.roles?.find((role) => role.name === name);
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table aria-label={formatMessage('datasets.roles')} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{formatMessage('datasets.role')}</Table.Th>
            <Table.Th>{formatMessage('builder.role.rows')}</Table.Th>
            <Table.Th ta="end">{formatMessage('holder.users')}</Table.Th>
            <Table.Th ta="end">{formatMessage('holder.groups')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{formatMessage('builder.actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => {
            const name = nameOf(role);
            return (
              <Table.Tr key={name}>
                <Table.Td className="breakable">{name}</Table.Td>
                <Table.Td className="breakable">
                  <Code>{toLine(role['rows'] ?? null)}</Code>
                </Table.Td>
                <Table.Td ta="end">{formatNumber(savedOf(name)?.users ?? 0)}</Table.Td>
                <Table.Td ta="end">{formatNumber(savedOf(name)?.groups ?? 0)}</Table.Td>
                <Table.Td>
                  <ItemActions
                    name={name}
                    onEdit={() => onEdit(role)}
                    onRemove={() => onRemove(role)}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
