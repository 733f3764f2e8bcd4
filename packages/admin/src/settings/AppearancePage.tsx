import { Box, Button, FileInput, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Look } from '@portal-embed/contract/frame';
import { useEffect, useState, type CSSProperties } from 'react';

import { listLookVariables, paletteSizes } from '#viewer/requests';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AppearanceSettings } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';
import { contrastOf } from './contrast.ts';
import { createDraft, readColors, readDraft } from './look-draft.ts';
import { LookFields } from './LookFields.tsx';

/** Surfaces of the viewer in light and dark mode. */
const surfaces = { light: '#ffffff', dark: '#171c23' } as const;

/** The contrast that text needs (WCAG 2.2, level AA). */
const readable = 4.5;

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
        <Title order={2} size="h4">
          {formatMessage('appearance.preview')}
        </Title>
        <Group grow align="stretch">
          {(['light', 'dark'] as const).map((scheme) => (
            <Preview
              key={scheme}
              scheme={scheme}
              accentColor={accentColor}
              look={{ ...draft, palette: readColors(draft.palette) }}
            />
          ))}
        </Group>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {formatMessage('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/**
 * A preview of the viewer's links and buttons, with a remark if the color is hard to read there. The
 * viewer's style sheet corrects colors in the same way.
 */
function Preview({
  scheme,
  accentColor,
  look,
}: {
  scheme: 'light' | 'dark';
  accentColor: string;
  look: Look;
}) {
  const { formatMessage } = useFormats();
  const strong =
    scheme === 'light'
      ? `oklch(from ${accentColor} min(l, 0.48) c h)`
      : `oklch(from ${accentColor} max(l, 0.76) c h)`;
  const quiet = scheme === 'light' ? '#566171' : '#9ca7b5';
  const variables = Object.fromEntries(listLookVariables(look)) as CSSProperties;
  const series = (look.palette ?? []).slice(0, paletteSizes.most);
  const bars =
    series.length === 0 ? [strong] : series.map((_, index) => `var(--series-${index + 1})`);
  return (
    <Box
      style={{
        ...variables,
        padding: 'var(--space)',
        borderRadius: 'var(--radius)',
        background: surfaces[scheme],
        colorScheme: scheme,
        fontFamily: 'var(--font)',
        fontSize: 'var(--text-size)',
        outlineStyle: 'solid',
        outlineWidth: 1,
        outlineColor: 'var(--mantine-color-default-border)',
      }}
    >
      <p style={{ margin: 0, color: quiet }}>{formatMessage(`appearance.preview.${scheme}`)}</p>
      <p style={{ margin: 0, color: strong, fontWeight: 600 }}>
        {formatMessage('appearance.preview.sample')}
      </p>
      <svg
        viewBox="0 0 100 40"
        width="100%"
        height="80"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map((fill, index) => (
          <rect
            key={fill}
            x={index * 10 + 1}
            width="8"
            y={4 + ((index * 7) % 20)}
            height={36 - ((index * 7) % 20)}
            fill={fill}
          />
        ))}
      </svg>
      {contrastOf(accentColor, surfaces[scheme]) < readable && (
        <Text size="xs" c={quiet}>
          {formatMessage(`appearance.preview.${scheme}.changed`)}
        </Text>
      )}
    </Box>
  );
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
