import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { AdminError } from '../api/admin-error.ts';
import { call } from '../api/call.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { useFormats } from '../messages/messages.ts';
import { Centered } from './Centered.tsx';
import { NewPassword } from './NewPassword.tsx';

/** The page that an invitation's link opens. The token is the fragment of the address. */
export function Invitation() {
  const { formatMessage } = useFormats();
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => call('checkInvitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accept = useMutation({
    mutationFn: () => call('acceptInvitation', { token, password }),
    onSuccess: () => location.assign('/admin'),
  });
  const isEnded = [invitation.error, accept.error].some(
    (error) =>
      error instanceof AdminError && ['invitation_ended', 'invalid_request'].includes(error.code),
  );
  return (
    <Centered title={formatMessage('invitation.title')}>
      <Paper withBorder p="xl" w="100%" maw={420} component="main">
        {isEnded ? (
          <Stack>
            <Title order={1} size="h2">
              {formatMessage('invitation.ended.title')}
            </Title>
            <Text>{formatMessage('invitation.ended.text')}</Text>
          </Stack>
        ) : (
          <Loaded query={invitation}>
            {({ email, organizationName }) => (
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  accept.mutate();
                }}
              >
                <Stack>
                  <Title order={1} size="h2">
                    {formatMessage('invitation.title')}
                  </Title>
                  <Text className="breakable">
                    {organizationName === null
                      ? formatMessage('invitation.text.operator', { email })
                      : formatMessage('invitation.text', { email, organization: organizationName })}
                  </Text>
                  <input type="email" autoComplete="username" value={email} readOnly hidden />
                  <NewPassword value={password} onChange={setPassword} error={accept.error} />
                  <Button type="submit" loading={accept.isPending}>
                    {formatMessage('invitation.submit')}
                  </Button>
                </Stack>
              </form>
            )}
          </Loaded>
        )}
      </Paper>
    </Centered>
  );
}
