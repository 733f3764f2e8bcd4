import { Button, FileInput, Group, SimpleGrid, Stack, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AppearanceSettings } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';
import { createDraft, readColors, readDraft } from './look-draft.ts';
import { LookFields } from './LookFields.tsx';
import { LookPreview } from './LookPreview.tsx';

/** Logo and accent color of the organization's pages. */
export function AppearancePage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const appearance = useAnswer('readAppearance', { organizationId });
  return (
    <Page title={formatMessage('appearance.title')}>
      <Loaded query={appearance}>
        {(settings) => <AppearanceForm key={JSON.stringify(settings)} settings={settings} />}
      </Loaded>
    </Page>
  );
}

function AppearanceForm({ settings }: { settings: AppearanceSettings }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [accentColor, setAccentColor] = useState(settings.accentColor);
  const [file, setFile] = useState<File | null>(null);
  const [isRemoved, setIsRemoved] = useState(false);
  const change = useChange('changeAppearance', () => notify(formatMessage('settings.saved')));
  const [draft, setDraft] = useState(() => createDraft(settings.look));
  useEffect(
    () =>
      void import('page-kit/fonts').then(
        ({ addFonts }) => addFonts(),
        () => {},
      ),
    [],
  );
  const look = readDraft(draft);
  const isColor = /^#[0-9a-f]{6}$/i.test(accentColor);
  const save = async () => {
    const logo = file ? await readBase64(file) : isRemoved ? null : undefined;
    change.mutate({ organizationId, accentColor, look, ...(logo !== undefined && { logo }) });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isColor && look) void save();
      }}
    >
      <Stack maw={520}>
        {change.error && <Failure error={change.error} />}
        <TextInput
          label={formatMessage('appearance.accent')}
          description={formatMessage('appearance.accent.help')}
          dir="ltr"
          value={accentColor}
          onChange={(event) => setAccentColor(event.currentTarget.value.trim())}
          error={!isColor && formatMessage('appearance.accent.invalid')}
          leftSectionPointerEvents="all"
          leftSection={
            <input
              type="color"
              className="color-picker"
              aria-label={formatMessage('appearance.accent.pick')}
              value={accentColor}
              onChange={(event) => setAccentColor(event.currentTarget.value)}
            />
          }
          required
        />
        <FileInput
          label={formatMessage('appearance.logo')}
          description={formatMessage('appearance.logo.help')}
          placeholder={formatMessage('field.file')}
          accept="image/png"
          value={file}
          onChange={setFile}
          clearable
          clearButtonProps={{ 'aria-label': formatMessage('appearance.logo.clear') }}
        />
        {settings.logo !== null && !isRemoved && !file && (
          <Group>
            <img src={settings.logo} alt={formatMessage('appearance.logo.current')} height={28} />
            <Button size="compact-sm" variant="default" onClick={() => setIsRemoved(true)}>
              {formatMessage('appearance.logo.remove')}
            </Button>
          </Group>
        )}
        <LookFields draft={draft} onChange={setDraft} />
      </Stack>
      <Stack maw={960} mt="md">
        <Title order={2} size="h4">
          {formatMessage('appearance.preview')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['light', 'dark'] as const).map((scheme) => (
            <LookPreview
              key={scheme}
              scheme={scheme}
              accentColor={accentColor}
              look={{ ...draft, palette: readColors(draft.palette) }}
            />
          ))}
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {formatMessage('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
