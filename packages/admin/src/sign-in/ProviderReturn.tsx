import { Anchor, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { call } from '../api/call.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import { Centered } from './Centered.tsx';
import { announceConfirmation } from './confirmation.ts';
import { rememberOrganization } from './remembered-organization.ts';

/** The redirect page of identity providers. It finishes the sign-in. */
export function ProviderReturn() {
  const { formatMessage } = useFormats();
  const [answer] = useState(() => Object.fromEntries(new URLSearchParams(location.search)));
  const { code, error: refusal, state, iss } = answer;
  const [isConfirmed, setIsConfirmed] = useState(false);
  const { mutate, error, isPending, isIdle } = useMutation({
    mutationFn: () => call('finishOidc', { code, error: refusal, state: state ?? '', iss }),
    onSuccess: ({ isConfirmation, organization }) => {
      rememberOrganization(organization);
      if (!isConfirmation) {
        location.replace('/admin');
        return;
      }
      announceConfirmation();
      setIsConfirmed(true);
      window.close();
    },
  });
  const isRefused = code === undefined || state === undefined;
  useEffect(() => {
    // The code is worthless after this, but it should not stay in the history.
    history.replaceState(null, '', '/admin/oidc');
    // The activity log has the reason of a refusal, too.
    if (state !== undefined && (code ?? refusal) !== undefined) mutate();
  }, [code, refusal, state, mutate]);
  return (
    <Centered title={formatMessage('sign_in.title')}>
      <Paper withBorder p="xl" w="100%" maw={420} component="main">
        <Stack>
          <Title order={1} size="h2">
            {formatMessage('sign_in.title')}
          </Title>
          {isConfirmed && <Text component="output">{formatMessage('provider.confirmed')}</Text>}
          {isRefused && (
            <Text c="red" role="alert">
              {formatMessage('provider.refused')}
            </Text>
          )}
          {error && !isRefused && <Failure error={error} />}
          {(isRefused || error) && <Anchor href="/admin">{formatMessage('provider.back')}</Anchor>}
          {(isPending || isIdle) && !isRefused && (
            <Loader aria-label={formatMessage('state.loading')} />
          )}
        </Stack>
      </Paper>
    </Centered>
  );
}
