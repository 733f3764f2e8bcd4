import { CloseButton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

import { HolderPicker } from '../holders/HolderPicker.tsx';
import { Failure } from '../kit/Failure.tsx';
import { without } from '../kit/without.ts';
import { useFormats } from '../messages/messages.ts';
import { maxTriedUsers } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { TrialMistakes } from './TrialMistakes.tsx';
import { useRoleTrial } from './use-trial.ts';

/** How many rows chosen users would see, before the role is saved. */
export function RoleTrial({
  datasetId,
  text,
  role,
}: {
  datasetId: string;
  /** `undefined` while something is missing. */
  text: string | undefined;
  role: string;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const [users, setUsers] = useState<{ id: string; name: string }[]>([]);
  const userIds = users.map(({ id }) => id);
  const request =
    text === undefined ? undefined : { organizationId, datasetId, text, role, userIds };
  const trial = useRoleTrial(request);
  const answer = text === undefined ? undefined : trial.data;
  const readerOf = (id: string) => answer?.readers.find((reader) => reader.id === id);
  const show = (rows: number | undefined) => (rows === undefined ? '—' : formatNumber(rows));
  return (
    <Stack gap="xs" component="section" aria-label={formatMessage('builder.trial')}>
      <Text size="sm" fw={600}>
        {formatMessage('builder.trial')}
      </Text>
      <Text size="xs" c="dimmed">
        {formatMessage('builder.trial.text')}
      </Text>
      {users.length < maxTriedUsers && (
        <HolderPicker
          label={formatMessage('builder.trial.user')}
          kinds={['user']}
          onChoose={({ id, name }) => setUsers([...without(users, [{ id }]), { id, name }])}
        />
      )}
      {users.length > 0 && (
        <Table.ScrollContainer minWidth={280}>
          <Table aria-label={formatMessage('builder.trial')} aria-busy={trial.isFetching}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{formatMessage('builder.trial.name')}</Table.Th>
                <Table.Th ta="end">{formatMessage('builder.trial.role')}</Table.Th>
                <Table.Th ta="end">{formatMessage('builder.trial.after')}</Table.Th>
                <Table.Th>
                  <VisuallyHidden>{formatMessage('builder.actions')}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {users.map(({ id, name }) => (
                <Table.Tr key={id}>
                  <Table.Td className="breakable">
                    {name}
                    <Text size="xs" c="dimmed">
                      {readerOf(id) &&
                        formatMessage(
                          readerOf(id)!.holdsRole ? 'builder.trial.holds' : 'builder.trial.lacks',
                        )}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="end" fw={600}>
                    {show(readerOf(id)?.roleRows)}
                  </Table.Td>
                  <Table.Td ta="end">{show(readerOf(id)?.rows)}</Table.Td>
                  <Table.Td ta="end">
                    <CloseButton
                      size="sm"
                      aria-label={formatMessage('holder.remove_name', { name })}
                      onClick={() => setUsers(without(users, [{ id }]))}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {answer && answer.rowCount !== null && (
        <Text size="xs" c="dimmed">
          {formatMessage('builder.trial.total', { rows: formatNumber(answer.rowCount) })}
        </Text>
      )}
      {text === undefined && (
        <Text size="xs" c="dimmed">
          {formatMessage('builder.trial.incomplete')}
        </Text>
      )}
      <TrialMistakes mistakes={answer?.mistakes ?? []} />
      {text !== undefined && trial.error && (
        <Failure error={trial.error} onRetry={() => void trial.refetch()} />
      )}
    </Stack>
  );
}
