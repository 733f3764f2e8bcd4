import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { call } from '../api/call.ts';
import { useFormats } from '../messages/messages.ts';
import { rememberOrganization } from './remembered-organization.ts';
import { SignInFailure } from './SignInFailure.tsx';

/** Redirects to the identity provider of the organization. */
export function ProviderButton({
  organization,
  provider,
}: {
  organization: string;
  /** Host of the provider. */
  provider: string;
}) {
  const { formatMessage } = useFormats();
  const start = useMutation({
    mutationFn: () => call('startOidc', { organization }),
    onSuccess: ({ url }) => {
      rememberOrganization(organization);
      location.assign(url);
    },
  });
  return (
    <Stack gap="xs">
      <SignInFailure error={start.error ?? undefined} failed="provider.failed" />
      <Button
        variant="default"
        h="auto"
        mih={36}
        py={6}
        classNames={{ label: 'breakable' }}
        loading={start.isPending}
        onClick={() => start.mutate()}
      >
        {formatMessage('provider.sign_in', { provider })}
      </Button>
    </Stack>
  );
}
