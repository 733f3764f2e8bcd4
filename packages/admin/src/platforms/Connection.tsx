import { Code, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CopyText } from '../kit/CopyText.tsx';
import { Section } from '../kit/Section.tsx';
import { isMessageKey, useFormats } from '../messages/messages.ts';
import type { PowerbiConnection } from '../requests/platforms.ts';

/** Tenant, application and workspaces, and the command that changes them. */
export function Connection({ connection }: { connection: PowerbiConnection }) {
  const { formatMessage, formatNumber, formatTime } = useFormats();
  const { label, tenant, clientId, cloud, username, customData, workspaces } = connection;
  const cloudKey = `platforms.cloud.${cloud}`;
  return (
    <Section
      title={label}
      text={formatMessage('platforms.connected', { time: formatTime(connection.connectedAt) })}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} component="dl" m={0}>
        <Fact label={formatMessage('platforms.tenant')}>
          <CopyText value={tenant} label={formatMessage('platforms.tenant')} />
        </Fact>
        <Fact label={formatMessage('platforms.client_id')}>
          <CopyText value={clientId} label={formatMessage('platforms.client_id')} />
        </Fact>
        <Fact label={formatMessage('platforms.cloud')}>
          {isMessageKey(cloudKey) ? formatMessage(cloudKey) : cloud}
        </Fact>
        <Fact label={formatMessage('platforms.username')}>
          {formatMessage(`platforms.username.${username}`)}
        </Fact>
        <Fact label={formatMessage('platforms.custom_data')}>
          {formatMessage(customData ? 'platforms.custom_data.sent' : 'platforms.custom_data.none')}
        </Fact>
      </SimpleGrid>
      <Table.ScrollContainer minWidth={480} className="fits-phone">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{formatMessage('reports.workspace')}</Table.Th>
              <Table.Th visibleFrom="sm">{formatMessage('platforms.workspace_id')}</Table.Th>
              <Table.Th ta="end">{formatMessage('datasets.reports')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {workspaces.map(({ id, name, reports }) => (
              <Table.Tr key={id}>
                <Table.Td className="breakable">
                  {name ?? (
                    <Text span c="dimmed">
                      {formatMessage('platforms.workspace.empty')}
                    </Text>
                  )}
                  <Text size="xs" hiddenFrom="sm">
                    <Code>{id}</Code>
                  </Text>
                </Table.Td>
                <Table.Td className="breakable" visibleFrom="sm">
                  <Code>{id}</Code>
                </Table.Td>
                <Table.Td ta="end">{formatNumber(reports)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <CopyText
        block
        value={connection.commands.change}
        label={formatMessage('platforms.command.change')}
      />
    </Section>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack gap={2}>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" m={0} size="sm">
      {children}
    </Text>
  </Stack>
);
