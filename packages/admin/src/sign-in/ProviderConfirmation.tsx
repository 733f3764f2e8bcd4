import { Loader, Paper } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';

import { call } from '../api/call.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import { Centered } from './Centered.tsx';

/** Redirects to the identity provider, where the user authenticates again. */
export function ProviderConfirmation() {
  const { formatMessage } = useFormats();
  const { mutate, error } = useMutation({
    mutationFn: () => call('confirmWithOidc', {}),
    onSuccess: ({ url }) => location.replace(url),
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <Centered title={formatMessage('confirm.title')}>
      <Paper withBorder p="xl" w="100%" maw={420} component="main">
        {error ? (
          <Failure error={error} onRetry={() => mutate()} />
        ) : (
          <Loader aria-label={formatMessage('state.loading')} />
        )}
      </Paper>
    </Centered>
  );
}
