import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';

import { useAnswer, useChange } from '../api/queries.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import { useIdentity } from '../session/identity.ts';
import { NewPassword } from '../sign-in/NewPassword.tsx';

/** The open sessions and the password of the account. */
export function AccountPage() {
  const { formatMessage } = useFormats();
  const { mayHavePassword } = useIdentity();
  return (
    <Page title={formatMessage('account.title')}>
      <Sessions />
      {mayHavePassword && <ChangePassword />}
    </Page>
  );
}

function Sessions() {
  const { formatMessage, formatTime } = useFormats();
  const sessions = useAnswer('listAccountSessions', {});
  const end = useChange('endAccountSession');
  return (
    <Stack gap="xs" component="section" aria-labelledby="sessions">
      <Title order={2} size="h4" id="sessions">
        {formatMessage('account.sessions')}
      </Title>
      <Loaded query={sessions}>
        {({ sessions: list }) => (
          <Table.ScrollContainer minWidth={480} className="fits-phone">
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{formatMessage('account.sessions.browser')}</Table.Th>
                  <Table.Th visibleFrom="sm">{formatMessage('account.sessions.started')}</Table.Th>
                  <Table.Th>{formatMessage('account.sessions.used')}</Table.Th>
                  <Table.Th>
                    <span className="skip-link">{formatMessage('account.sessions.actions')}</span>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((session) => (
                  <Table.Tr key={session.id}>
                    <Table.Td className="breakable">{session.userAgent}</Table.Td>
                    <Table.Td className="unbroken" visibleFrom="sm">
                      {formatTime(session.createdAt)}
                    </Table.Td>
                    <Table.Td className="unbroken">{formatTime(session.lastUsedAt)}</Table.Td>
                    <Table.Td>
                      {session.isCurrent ? (
                        <Badge>{formatMessage('account.sessions.current')}</Badge>
                      ) : (
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => end.mutate({ sessionId: session.id })}
                        >
                          {formatMessage('account.sessions.end')}
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </Stack>
  );
}

function ChangePassword() {
  const { formatMessage } = useFormats();
  const [password, setPassword] = useState('');
  const change = useChange('changePassword', () => {
    setPassword('');
    notify(formatMessage('account.password.done'));
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ password });
      }}
    >
      <Stack gap="xs" maw={420}>
        <Title order={2} size="h4">
          {formatMessage('account.password')}
        </Title>
        <Text size="sm" c="dimmed">
          {formatMessage('account.password.text')}
        </Text>
        <NewPassword value={password} onChange={setPassword} error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {formatMessage('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
