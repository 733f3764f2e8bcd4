import { Button, Code, Group, Select, Switch, Table, Text } from '@mantine/core';
import { useSearchParams } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { Breakable } from '../kit/Breakable.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { isMessageKey, operations, useFormats, type Formats } from '../messages/messages.ts';
import { Changes } from '../platforms/Changes.tsx';
import type { AdminActivity } from '../requests/logs.ts';
import type { PlatformChanges } from '../requests/platforms.ts';
import { refusalKey } from '../requests/refusals.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Changes and refused requests of API keys, users and operators. */
export function ActivityLogPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useSearchParams();
  const action = search.get('action') ?? '';
  const refused = search.get('refused') === 'true';
  const beforeId = search.get('before') ?? '';
  const log = useAnswer('listActivity', {
    organizationId,
    ...(action !== '' && { action }),
    ...(refused && { refused: 'true' }),
    ...(beforeId !== '' && { beforeId }),
  });
  const recent = useAnswer('listActivity', { organizationId });
  const recentActions = new Set(recent.data?.entries.map((entry) => entry.action));
  const show = (values: { action?: string; refused?: boolean }) => {
    const next = { action, refused, ...values };
    setSearch({
      ...(next.action && { action: next.action }),
      ...(next.refused && { refused: 'true' }),
    });
  };
  return (
    <Page title={formatMessage('activity_log.title')}>
      <Group align="flex-end">
        <Select
          label={formatMessage('activity_log.action')}
          placeholder={formatMessage('activity_log.action.all')}
          w={{ base: '100%', xs: 360 }}
          maxDropdownHeight={360}
          searchable
          clearable
          selectFirstOptionOnChange
          nothingFoundMessage={formatMessage('choose.none')}
          data={listChoices(formatMessage, recentActions, action)}
          value={action === '' ? null : action}
          onChange={(name) => show({ action: name ?? '' })}
        />
        <Switch
          label={formatMessage('activity_log.refused_only')}
          checked={refused}
          onChange={(event) => show({ refused: event.currentTarget.checked })}
          pb={8}
        />
      </Group>
      <Loaded query={log}>
        {({ entries, isEnd }) =>
          entries.length === 0 ? (
            <Empty
              title={formatMessage('log.empty')}
              action={
                (action !== '' || refused) && (
                  <Button variant="default" onClick={() => setSearch({})}>
                    {formatMessage('log.clear')}
                  </Button>
                )
              }
            >
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

/** What an operation does, in words; the name of an operation of another release as it is. */
function describeOperation(formatMessage: Formats['formatMessage'], action: string): string {
  const key = `operation.${action}`;
  return isMessageKey(key) ? formatMessage(key) : action;
}

/** All operations, those of recent entries first. */
function listChoices(
  formatMessage: Formats['formatMessage'],
  recent: ReadonlySet<string>,
  chosen: string,
) {
  const toChoices = (actions: readonly string[]) =>
    actions
      .map((value) => ({ value, label: describeOperation(formatMessage, value) }))
      .toSorted((a, b) => a.label.localeCompare(b.label));
  const isOther = (action: string) => action !== '' && !recent.has(action);
  return [
    { group: formatMessage('activity_log.action.recent'), items: toChoices([...recent]) },
    {
      group: formatMessage('activity_log.action.others'),
      items: toChoices([...new Set([...operations, chosen])].filter(isOther)),
    },
  ].filter(({ items }) => items.length > 0);
}

function ActivityTable({ entries }: { entries: readonly AdminActivity[] }) {
  const { formatMessage, formatTime } = useFormats();
  const nameActor = ({ kind, name }: AdminActivity['actor']) =>
    name ??
    formatMessage(kind === 'anonymous' ? 'activity_log.anonymous' : 'activity_log.deleted_key');
  return (
    <Table.ScrollContainer minWidth={720} className="fits-phone">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="sm">{formatMessage('log.time')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.action')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('activity_log.actor')}</Table.Th>
            <Table.Th>{formatMessage('activity_log.result')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td className="unbroken" visibleFrom="sm">
                {formatTime(entry.createdAt)}
              </Table.Td>
              <Table.Td className="breakable">
                <Text size="sm" fw={600}>
                  {describeOperation(formatMessage, entry.action)}
                </Text>
                {(entry.subjectName ?? entry.subject) !== '' && (
                  <Text size="sm">
                    <Breakable>{entry.subjectName ?? entry.subject}</Breakable>
                  </Text>
                )}
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  <Breakable>{nameActor(entry.actor)}</Breakable>
                  {' · '}
                  {formatTime(entry.createdAt)}
                </Text>
                <Described entry={entry} />
                <Details entry={entry} />
              </Table.Td>
              <Table.Td className="breakable email" visibleFrom="sm">
                <Breakable>{nameActor(entry.actor)}</Breakable>
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

/** What a change of a connection to another product has changed, in words. */
function Described({ entry: { action, details } }: { entry: AdminActivity }) {
  const { formatMessage } = useFormats();
  const { changes, changed, roles } = (details ?? {}) as PlatformDetails;
  if (action === 'syncPlatform' && changes) return <Changes changes={changes} />;
  if (action === 'changePlatform' && changed)
    return (
      <Text size="sm">{formatMessage('activity_log.settings', { names: changed.join(', ') })}</Text>
    );
  if (action === 'declareRoles' && roles)
    return (
      <Text size="sm">
        <Breakable>
          {roles.length === 0
            ? formatMessage('activity_log.roles.none')
            : formatMessage('activity_log.roles', { names: roles.join(', ') })}
        </Breakable>
      </Text>
    );
  return null;
}

interface PlatformDetails {
  changes?: PlatformChanges;
  /** Names of settings. */
  changed?: readonly string[];
  /** Names. */
  roles?: readonly string[];
}

/** The names and values of an entry as the API and the command line have them. */
function Details({ entry: { action, subject, subjectName, details } }: { entry: AdminActivity }) {
  const { formatMessage } = useFormats();
  return (
    <Text component="details" size="xs" c="dimmed">
      <summary>{formatMessage('activity_log.details')}</summary>
      <Code block className="wrapped">
        {JSON.stringify({ action, ...(subjectName !== null && { subject }), details }, null, 2)}
      </Code>
    </Text>
  );
}

/** What administrators can do about a refused sign-in. */
function RefusalReason({ details }: { details: unknown }) {
  const { formatMessage } = useFormats();
  const { reason } = (details ?? {}) as { reason?: unknown };
  const key = refusalKey(String(reason));
  return isMessageKey(key) && <Text size="sm">{formatMessage(key)}</Text>;
}
