import { ActionIcon, Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { EmbeddingSettings } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Snippets } from './Snippets.tsx';
import { localOrigin } from './Snippets.tsx';
import { TestMint } from './TestMint.tsx';

/** Where the portal answers, which pages may frame it, and the code that embeds it. */
export function EmbeddingPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const embedding = useAnswer('readEmbedding', { organizationId });
  return (
    <Page title={formatMessage('embedding.title')}>
      <Loaded query={embedding}>
        {(settings) => (
          <Stack gap="xl">
            <EmbedOrigins embedOrigins={settings.embedOrigins} />
            <Addresses addresses={settings.addresses} />
            <Snippets settings={settings} />
            <TestMint />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function EmbedOrigins({ embedOrigins }: Pick<EmbeddingSettings, 'embedOrigins'>) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [origin, setOrigin] = useState('');
  const change = useChange('changeEmbedOrigins', () => {
    setOrigin('');
    notify(formatMessage('embedding.origins.saved'));
  });
  const save = (origins: string[]) => change.mutate({ organizationId, embedOrigins: origins });
  return (
    <Section
      title={formatMessage('embedding.origins')}
      text={formatMessage('embedding.origins.text')}
    >
      {change.error && <Failure error={change.error} />}
      {embedOrigins.length === 0 && (
        <Text size="sm">{formatMessage('embedding.origins.empty')}</Text>
      )}
      <List listStyleType="none" spacing={4}>
        {embedOrigins.map((each) => (
          <List.Item key={each}>
            <Group gap="xs">
              <Code className="breakable">{each}</Code>
              <ActionIcon
                variant="default"
                size="sm"
                aria-label={formatMessage('embedding.origins.remove', { origin: each })}
                onClick={() => save(embedOrigins.filter((other) => other !== each))}
              >
                ×
              </ActionIcon>
            </Group>
          </List.Item>
        ))}
      </List>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save([...embedOrigins, origin.trim()]);
        }}
      >
        <Group align="flex-end">
          <TextInput
            label={formatMessage('embedding.origins.add')}
            placeholder={localOrigin}
            dir="ltr"
            value={origin}
            onChange={(event) => setOrigin(event.currentTarget.value)}
            required
            miw={280}
          />
          <Button type="submit" loading={change.isPending}>
            {formatMessage('embedding.origins.add.submit')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function Addresses({ addresses }: Pick<EmbeddingSettings, 'addresses'>) {
  const { formatMessage } = useFormats();
  return (
    <Section
      title={formatMessage('embedding.addresses')}
      text={formatMessage('embedding.addresses.text')}
    >
      {addresses.length === 0 ? (
        <Text size="sm">{formatMessage('embedding.addresses.empty')}</Text>
      ) : (
        <List listStyleType="none" spacing={4}>
          {addresses.map((address) => (
            <List.Item key={address}>
              <Code className="breakable">{address}</Code>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
