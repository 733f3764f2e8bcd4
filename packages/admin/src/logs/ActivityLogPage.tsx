import { Autocomplete, Button, Code, Group, Switch, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { Breakable } from '../kit/Breakable.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { isMessageKey, useFormats } from '../messages/messages.ts';
import type { AdminActivity } from '../requests/logs.ts';
import { refusalKey } from '../requests/refusals.ts';
import { useOrganizationId } from '../session/organization.ts';

const exampleAction = 'createUser';

/** Changes and refused requests of API keys, users and operators. */
export function ActivityLogPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useSearchParams();
  const action = search.get('action') ?? '';
  const refused = search.get('refused') === 'true';
  const beforeId = search.get('before') ?? '';
  const [typed, setTyped] = useState(action);
  const log = useAnswer('listActivity', {
    organizationId,
    ...(action !== '' && { action }),
    ...(refused && { refused: 'true' }),
    ...(beforeId !== '' && { beforeId }),
  });
  const recent = useAnswer('listActivity', { organizationId });
  const recentActions = [...new Set(recent.data?.entries.map((entry) => entry.action))].toSorted();
  const show = (values: { action?: string; refused?: boolean }) => {
    const next = { action, refused, ...values };
    setSearch({
      ...(next.action && { action: next.action }),
      ...(next.refused && { refused: 'true' }),
    });
  };
  return (
    <Page title={formatMessage('activity_log.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          show({ action: typed.trim() });
        }}
      >
        <Group align="flex-end">
          <Autocomplete
            label={formatMessage('activity_log.action')}
            placeholder={exampleAction}
            data={recentActions}
            selectFirstOptionOnChange
            value={typed}
            onChange={setTyped}
            onOptionSubmit={(name) => show({ action: name })}
          />
          <Button type="submit" variant="default">
            {formatMessage('log.filter')}
          </Button>
          <Switch
            label={formatMessage('activity_log.refused_only')}
            checked={refused}
            onChange={(event) => show({ refused: event.currentTarget.checked })}
          />
        </Group>
      </form>
      <Loaded query={log}>
        {({ entries, isEnd }) =>
          entries.length === 0 ? (
            <Empty title={formatMessage('log.empty')}>
              {formatMessage(
                action === '' && !refused ? 'activity_log.empty.text' : 'log.empty.filtered',
              )}
            </Empty>
          ) : (
            <>
              <ActivityTable entries={entries} />
              {!isEnd && (
                <Group>
                  <Button
                    variant="default"
                    onClick={() =>
                      setSearch((before) => {
                        const after = new URLSearchParams(before);
                        after.set('before', String(entries.at(-1)!.id));
                        return after;
                      })
                    }
                  >
                    {formatMessage('activity_log.older')}
                  </Button>
                </Group>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function ActivityTable({ entries }: { entries: readonly AdminActivity[] }) {
  const { formatMessage, formatTime } = useFormats();
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{formatMessage('log.time')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.actor')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.action')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.subject')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.result')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td className="unbroken">{formatTime(entry.createdAt)}</Table.Td>
              <Table.Td className="breakable">
                <Breakable>
                  {entry.actor.name ??
                    formatMessage(
                      entry.actor.kind === 'anonymous'
                        ? 'activity_log.anonymous'
                        : 'activity_log.deleted_key',
                    )}
                </Breakable>
              </Table.Td>
              <Table.Td>
                <Code>{entry.action}</Code>
              </Table.Td>
              <Table.Td className="breakable">
                <Breakable>{entry.subjectName ?? entry.subject}</Breakable>
                {entry.subjectName !== null && (
                  <Text size="xs" c="dimmed">
                    {entry.subject}
                  </Text>
                )}
                {entry.details !== null && (
                  <details>
                    <summary>{formatMessage('activity_log.details')}</summary>
                    <Code block className="wrapped">
                      {JSON.stringify(entry.details, null, 2)}
                    </Code>
                  </details>
                )}
              </Table.Td>
              <Table.Td>
                {entry.refusal === null ? (
                  formatMessage('activity_log.done')
                ) : (
                  <>
                    <Text size="sm" c="var(--mantine-color-error)">
                      <Breakable>
                        {formatMessage('activity_log.refused', {
                          code: entry.refusal,
                          count: entry.count,
                        })}
                      </Breakable>
                    </Text>
                    <RefusalReason details={entry.details} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** What administrators can do about a refused sign-in. */
function RefusalReason({ details }: { details: unknown }) {
  const { formatMessage } = useFormats();
  const { reason } = (details ?? {}) as { reason?: unknown };
  const key = refusalKey(String(reason));
  return isMessageKey(key) && <Text size="sm">{formatMessage(key)}</Text>;
}
