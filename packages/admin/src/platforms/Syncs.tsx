import { Button, Group, List, Stack, Table, Text, Title } from '@mantine/core';

import { useChange } from '../api/queries.ts';
import { Breakable } from '../kit/Breakable.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { PlatformSync, PowerbiConnection } from '../requests/platforms.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Changes } from './Changes.tsx';
import { isPending } from './runs.ts';
import { RunState } from './RunState.tsx';

/** The latest synchronizations, and what they left out. */
export function Syncs({ connection }: { connection: PowerbiConnection }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { platform, label, syncs } = connection;
  const request = useChange('requestPlatformSync');
  const ended = syncs.filter((sync) => !isPending(sync));
  // One that failed in part has notes, too.
  const listed = syncs.find(({ state, noteCount }) => state === 'done' || noteCount > 0);
  return (
    <Section
      title={formatMessage('platforms.syncs')}
      text={formatMessage('platforms.syncs.text', { product: label })}
    >
      {request.error && <Failure error={request.error} />}
      <Group>
        <Button
          loading={request.isPending || syncs.some(isPending)}
          onClick={() => request.mutate({ organizationId, platform })}
        >
          {formatMessage('platforms.syncs.now')}
        </Button>
      </Group>
      <RunState run={syncs[0]} label={label} />
      {listed && listed.noteCount > 0 && <LeftOut sync={listed} />}
      {ended.length > 0 && <SyncTable syncs={ended} />}
    </Section>
  );
}

/** Reports and workspaces that the catalogue does not list, with what to do. */
function LeftOut({ sync: { notes, noteCount } }: { sync: PlatformSync }) {
  const { formatMessage, formatNumber } = useFormats();
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {formatMessage('platforms.left_out')}
      </Title>
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note} className="breakable">
            {note}
          </List.Item>
        ))}
      </List>
      {noteCount > notes.length && (
        <Text size="sm" c="dimmed">
          {formatMessage('platforms.left_out.more', {
            count: formatNumber(noteCount - notes.length),
          })}
        </Text>
      )}
    </Stack>
  );
}

function SyncTable({ syncs }: { syncs: readonly PlatformSync[] }) {
  const { formatMessage, formatTime } = useFormats();
  const nameRequester = ({ requestedBy }: PlatformSync) =>
    requestedBy ?? formatMessage('platforms.run.portal');
  return (
    <Table.ScrollContainer minWidth={640} className="fits-phone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{formatMessage('log.time')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('platforms.by')}</Table.Th>
            <Table.Th visibleFrom="sm" ta="end">
              {formatMessage('platforms.duration')}
            </Table.Th>
            <Table.Th>{formatMessage('activity_log.result')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {syncs.map((sync) => (
            <Table.Tr key={sync.id}>
              <Table.Td className="unbroken">
                {formatTime(sync.endedAt ?? sync.requestedAt)}
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  <Breakable>{nameRequester(sync)}</Breakable>
                </Text>
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                <Breakable>{nameRequester(sync)}</Breakable>
              </Table.Td>
              <Table.Td ta="end" className="unbroken" visibleFrom="sm">
                <Duration sync={sync} />
              </Table.Td>
              <Table.Td className="breakable">
                <Result sync={sync} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Duration({ sync: { startedAt, endedAt } }: { sync: PlatformSync }) {
  const { formatMessage, formatNumber } = useFormats();
  if (startedAt === null || endedAt === null) return '—';
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return formatMessage('platforms.seconds', {
    count: formatNumber(Number(seconds.toFixed(seconds < 10 ? 1 : 0))),
  });
}

function Result({ sync: { state, failure, changes } }: { sync: PlatformSync }) {
  const { formatMessage } = useFormats();
  const hasChanges = Object.keys(changes).length > 0;
  if (state === 'failed')
    return (
      <>
        <Text size="sm" c="var(--mantine-color-error)">
          {failure ?? formatMessage('platforms.run.interrupted')}
        </Text>
        {hasChanges && <Changes changes={changes} />}
      </>
    );
  if (!hasChanges)
    return (
      <Text size="sm" c="dimmed">
        {formatMessage('platforms.changes.none')}
      </Text>
    );
  return <Changes changes={changes} />;
}
