import { Checkbox, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem, Deletion } from '../requests/items.ts';
import { toKeys, type ItemChanges } from './use-item-change.ts';

/** Shows what goes with archived items, and deletes them after a confirmation. */
export function DeleteItems({
  items,
  changes: { remove, organizationId },
  onClose,
}: {
  items: readonly ArrangedItem[];
  changes: ItemChanges;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const deletion = useAnswer('describeDeletion', { organizationId, items: toKeys(items) });
  const [typed, setTyped] = useState('');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const only = items.length === 1 ? items[0] : undefined;
  const isSure = only ? typed.trim() === only.name.trim() : isConfirmed;
  const isComplete = deletion.data?.items.every(({ reports }) => reports.length === 0) === true;
  return (
    <Dialog
      title={formatMessage('items.delete.title', { count: items.length })}
      submit={formatMessage('items.delete')}
      isDanger
      isBusy={remove.isPending}
      isDisabled={!isSure || !isComplete}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate({ organizationId, items: toKeys(items) })}
    >
      <Text size="sm">{formatMessage('items.delete.text')}</Text>
      <Loaded query={deletion}>{(loaded) => <Effects deletion={loaded} />}</Loaded>
      {only ? (
        <TextInput
          data-autofocus
          label={formatMessage('items.delete.type', { name: only.name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          required
        />
      ) : (
        <Checkbox
          data-autofocus
          label={formatMessage('items.delete.confirm', { count: items.length })}
          checked={isConfirmed}
          onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  );
}

function Effects({ deletion }: { deletion: Deletion }) {
  const { formatMessage, formatNumber, language } = useFormats();
  const listOf = (names: readonly string[]) => new Intl.ListFormat(language).format(names);
  const { bytes, files } = deletion;
  const size = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: bytes < 1e6 ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: 1,
  }).format(bytes < 1e6 ? bytes / 1e3 : bytes / 1e6);
  return (
    <Stack gap="xs">
      {deletion.items.map(({ kind, id, name, file, users, groups, roles, reports }) => {
        const counts = { users: formatNumber(users), groups: formatNumber(groups) };
        return (
          <Stack key={`${kind} ${id}`} gap={2}>
            <Text size="sm" fw={600} className="breakable">
              {name}
            </Text>
            <List size="sm">
              <List.Item>
                {kind === 'report'
                  ? formatMessage('items.delete.links', counts)
                  : roles.length === 0
                    ? formatMessage('items.delete.no_roles')
                    : formatMessage('items.delete.roles', { ...counts, roles: listOf(roles) })}
              </List.Item>
              {file !== null && (
                <List.Item className="breakable">
                  {formatMessage('items.delete.file', { file })}
                </List.Item>
              )}
              {reports.length > 0 && (
                <List.Item className="breakable">
                  <Text component="span" inherit c="red">
                    {formatMessage('items.delete.reports', { reports: listOf(reports) })}
                  </Text>
                </List.Item>
              )}
            </List>
          </Stack>
        );
      })}
      {(bytes > 0 || files.length > 0) && (
        <Text size="sm" className="breakable">
          {files.length > 0
            ? formatMessage('items.delete.files', { files: listOf(files), size })
            : formatMessage('items.delete.bytes', { size })}
        </Text>
      )}
    </Stack>
  );
}
