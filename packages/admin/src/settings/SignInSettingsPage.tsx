import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** How users of the organization sign in. Only operators change it, because the portal sends requests to the issuer. */
export function SignInSettingsPage() {
  const { formatMessage } = useFormats();
  const settings = useAnswer('readSignInSettings', { organizationId: useOrganizationId() });
  return (
    <Page title={formatMessage('provider.title')}>
      <Loaded query={settings}>
        {({ passwords, provider }) => (
          <Stack>
            <Text>
              {formatMessage(
                provider === null
                  ? 'provider.settings.passwords'
                  : passwords
                    ? 'provider.settings.both'
                    : 'provider.settings.provider',
              )}
            </Text>
            {provider && (
              <>
                <Value label={formatMessage('provider.issuer')} value={provider.issuer} />
                <Value label={formatMessage('provider.client_id')} value={provider.clientId} />
                <Value label={formatMessage('provider.redirect')} value={provider.redirectUri} />
                {provider.trustEmails && <Text>{formatMessage('provider.settings.trusted')}</Text>}
              </>
            )}
            <Text size="sm" c="dimmed">
              {formatMessage('provider.settings.operators')}
            </Text>
            <Anchor component={Link} href="/account">
              {formatMessage('provider.settings.sessions')}
            </Anchor>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Value({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={4}>
      <Title order={2} size="h5">
        {label}
      </Title>
      <CopyText value={value} label={label} />
    </Stack>
  );
}
