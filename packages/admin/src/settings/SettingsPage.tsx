import { Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm, useWatch } from 'react-hook-form';

import { useAnswer, useChange } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { SavedFields } from '../kit/SavedFields.tsx';
import { useFormats } from '../messages/messages.ts';
import type { OrganizationSettings } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';

const exampleUrl = 'https://app.example.com/reports';

export function SettingsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const settings = useAnswer('readSettings', { organizationId });
  return (
    <Page title={formatMessage('settings.title')}>
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {formatMessage('overview.id')}
        </Text>
        <CopyText value={organizationId} label={formatMessage('overview.id')} />
      </Stack>
      <Loaded query={settings}>
        {(answer) => (
          <>
            <SettingsForm settings={answer} />
            <LogRetention settings={answer} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function LogRetention({ settings }: { settings: OrganizationSettings }) {
  const { formatMessage } = useFormats();
  return (
    <Stack gap={4} mt="lg" maw={520}>
      <Text size="sm" fw={500}>
        {formatMessage('settings.logs')}
      </Text>
      <Text size="xs" c="dimmed">
        {formatMessage('settings.logs.help')}
      </Text>
      <Text size="sm">
        {settings.accessLogDays === null
          ? formatMessage('settings.logs.access.all')
          : formatMessage('settings.logs.access', { count: settings.accessLogDays })}
      </Text>
      <Text size="sm">
        {settings.activityLogDays === null
          ? formatMessage('settings.logs.activity.all')
          : formatMessage('settings.logs.activity', { count: settings.activityLogDays })}
      </Text>
    </Stack>
  );
}

interface SettingsValues {
  name: string;
  timeZone: string;
  /** Empty for English. */
  language: string;
  /** Empty for none. */
  homeUrl: string;
  unappliedFilters: 'note' | 'refuse';
}

const toValues = (settings: OrganizationSettings): SettingsValues => ({
  name: settings.name,
  timeZone: settings.timeZone,
  language: settings.language ?? '',
  homeUrl: settings.homeUrl ?? '',
  unappliedFilters: settings.unappliedFilters,
});

function SettingsForm({ settings }: { settings: OrganizationSettings }) {
  const { formatMessage, language } = useFormats();
  const organizationId = useOrganizationId();
  const form = useForm<SettingsValues>({
    values: toValues(settings),
    resetOptions: { keepDirtyValues: true },
  });
  const change = useChange('changeSettings', (saved) => {
    form.reset(toValues(saved), { keepDirtyValues: false });
    notify(formatMessage('settings.saved'));
  });
  const unappliedFilters = useWatch({ control: form.control, name: 'unappliedFilters' });
  const names = new Intl.DisplayNames([language], { type: 'language' });
  const submit = form.handleSubmit((values) => {
    change.mutate({
      organizationId,
      ...values,
      language: values.language === '' ? null : values.language,
      homeUrl: values.homeUrl === '' ? null : values.homeUrl,
    });
  });
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack maw={520}>
        {change.error && <Failure error={change.error} />}
        <SavedFields isSaving={change.isPending}>
          <TextInput
            label={formatMessage('settings.name')}
            description={formatMessage('settings.name.help')}
            required
            {...form.register('name')}
          />
          <NativeSelect
            label={formatMessage('settings.time_zone')}
            description={formatMessage('settings.time_zone.help')}
            data={['UTC', ...Intl.supportedValuesOf('timeZone')]}
            {...form.register('timeZone')}
          />
          <NativeSelect
            label={formatMessage('settings.language')}
            description={formatMessage('settings.language.help')}
            data={[
              { value: '', label: names.of('en')! },
              ...settings.languages
                .filter((tag) => tag !== 'en')
                .map((tag) => ({ value: tag, label: names.of(tag)! })),
            ]}
            {...form.register('language')}
          />
          <TextInput
            label={formatMessage('settings.home_url')}
            description={formatMessage('settings.home_url.help')}
            type="url"
            dir="ltr"
            placeholder={exampleUrl}
            {...form.register('homeUrl')}
          />
          <Radio.Group
            label={formatMessage('settings.unapplied')}
            description={formatMessage('settings.unapplied.help')}
            value={unappliedFilters}
            onChange={(value) => form.setValue('unappliedFilters', value, { shouldDirty: true })}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="note" label={formatMessage('settings.unapplied.note')} />
              <Radio value="refuse" label={formatMessage('settings.unapplied.refuse')} />
            </Stack>
          </Radio.Group>
        </SavedFields>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {formatMessage('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
