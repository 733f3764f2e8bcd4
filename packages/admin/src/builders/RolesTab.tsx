import { Button, Code, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState, type ReactNode } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminDataset, DatasetRole } from '../requests/datasets.ts';
import { openRows, toLine, type Item } from './dataset-text.ts';
import { DatasetDraft, type DatasetEditing } from './DatasetDraft.tsx';
import { DatasetItems, nameOf } from './DatasetItems.tsx';
import { RoleForm } from './RoleForm.tsx';

/** The roles of a dataset with their holders, and a form for each. */
export function RolesTab({ dataset }: { dataset: AdminDataset }) {
  return (
    <DatasetDraft dataset={dataset}>
      {(editing) => <Roles dataset={dataset} editing={editing} />}
    </DatasetDraft>
  );
}

function Roles({ dataset, editing }: { dataset: AdminDataset; editing: DatasetEditing }) {
  const { formatMessage } = useFormats();
  const { roles } = editing.outline;
  const isOpen = dataset.rowAccess === 'everyone' && roles.length === 0;
  return (
    <DatasetItems
      list="roles"
      editing={editing}
      texts={{
        about: formatMessage(isOpen ? 'rows.everyone' : 'rows.by_role'),
        add: formatMessage('builder.role.new'),
        none: formatMessage('rows.empty'),
        whatFor: formatMessage(isOpen ? 'builder.roles.empty.open' : 'builder.roles.empty.closed'),
      }}
      renderTable={(actionsOf) => (
        <RoleTable dataset={dataset} roles={roles} actionsOf={actionsOf} />
      )}
      renderForm={(role, onClose) => (
        <RoleForm dataset={dataset} role={role} editing={editing} onClose={onClose} />
      )}
      renderQuestion={(removed) => (
        <>
          <RoleHolders role={dataset.roles?.find(({ name }) => name === nameOf(removed))} />
          {roles.length === 1 && <Text size="sm">{formatMessage('builder.role.delete.last')}</Text>}
        </>
      )}
      insteadOfFirst={!isOpen && <OpenRows editing={editing} />}
    />
  );
}

/** Shows all rows of a dataset without roles to everyone, after a question. */
function OpenRows({ editing }: { editing: DatasetEditing }) {
  const { formatMessage } = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const title = formatMessage('builder.roles.open');
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          editing.resetFailure();
          setIsAsking(true);
        }}
      >
        {title}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          submit={title}
          isBusy={editing.isSaving}
          error={undefined}
          onClose={() => setIsAsking(false)}
          onSubmit={() => editing.save(openRows(editing.text), () => setIsAsking(false))}
        >
          <Text size="sm">{formatMessage('builder.roles.open.text')}</Text>
          {editing.failure}
        </Dialog>
      )}
    </>
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
  actionsOf,
}: {
  dataset: AdminDataset;
  roles: readonly Item[];
  actionsOf: (role: Item) => ReactNode;
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
                <Table.Td>{actionsOf(role)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
