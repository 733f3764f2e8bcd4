import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { notify } from '../kit/notify.ts';
import { SavedFields } from '../kit/SavedFields.tsx';
import { useFormats } from '../messages/messages.ts';
import type { UserDetails } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ExpiryField } from './ExpiryField.tsx';
import { listRoleChoices } from './roles.ts';
import { toFields, toRequest, type UserFields } from './user-fields.ts';

/** Roles whose rights an administrator can limit. */
const limitedRoles = new Set(['2', '4']);

const rights = [
  ['canCreateReport', 'users.can_create'],
  ['canEditReport', 'users.can_edit'],
  ['canOverwriteReport', 'users.can_overwrite'],
] as const;

/** The fields of a user. Typed values stay when someone else has changed the user. */
export function UserForm({ user }: { user: UserDetails }) {
  const { formatMessage, timeZone } = useFormats();
  const organizationId = useOrganizationId();
  const client = useQueryClient();
  const [base, setBase] = useState(user);
  const form = useForm<UserFields>({ values: toFields(base, timeZone) });
  const { control, register, setValue } = form;
  const [role, chosen] = useWatch({ control, name: ['role', 'reportLandingPage'] });
  const { isDirty } = form.formState;
  const companies = useAnswer('listCompanies', { organizationId });
  const save = useChange('updateUser', () => {
    form.reset(form.getValues());
    notify(formatMessage('users.saved'));
  });
  const isStale = save.error instanceof AdminError && save.error.code === 'stale_version';

  // While nothing is typed, the form shows changes by others.
  if (!isDirty && user.version !== base.version) setBase(user);
  const loadCurrent = () => {
    setBase(user);
    form.reset(toFields(user, timeZone));
    save.reset();
  };

  const submit = form.handleSubmit((fields) =>
    save.mutate(
      { organizationId, userId: user.id, ...toRequest(fields, base, timeZone) },
      { onError: () => void client.invalidateQueries({ queryKey: ['readUser'] }) },
    ),
  );
  const landing = user.reports.map(({ id, name }) => ({ value: id, label: name }));
  if (chosen !== null && !landing.some(({ value }) => value === chosen))
    landing.push({ value: chosen, label: formatMessage('users.landing.unreadable') });
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack maw={560}>
        {save.error && (
          <Stack gap="xs" align="flex-start">
            <Failure error={save.error} />
            {isStale && (
              <Button size="xs" variant="default" onClick={loadCurrent}>
                {formatMessage('action.load_current')}
              </Button>
            )}
          </Stack>
        )}
        <SavedFields isSaving={save.isPending}>
          <TextInput label={formatMessage('users.name')} required {...register('name')} />
          <Controller
            control={control}
            name="role"
            render={({ field }) => (
              <Select
                label={formatMessage('users.role')}
                data={listRoleChoices(formatMessage)}
                allowDeselect={false}
                {...field}
                onChange={(next) => {
                  if (next === null) return;
                  field.onChange(next);
                  // A new role brings its default rights.
                  for (const [name] of rights) setValue(name, next !== '3', { shouldDirty: true });
                }}
              />
            )}
          />
          {limitedRoles.has(role) && (
            <Fieldset legend={formatMessage('users.rights')}>
              <Stack gap="xs">
                {rights.map(([name, label]) => (
                  <Checkbox key={name} label={formatMessage(label)} {...register(name)} />
                ))}
              </Stack>
            </Fieldset>
          )}
          <Controller
            control={control}
            name="expiry"
            render={({ field }) => <ExpiryField value={field.value} onChange={field.onChange} />}
          />
          <TextInput label={formatMessage('users.department')} {...register('department')} />
          <Controller
            control={control}
            name="companies"
            render={({ field }) => (
              <MultiSelect
                label={formatMessage('users.companies')}
                data={(companies.data?.companies ?? []).map(({ id, name }) => ({
                  value: id,
                  label: name,
                }))}
                searchable
                selectFirstOptionOnChange
                nothingFoundMessage={formatMessage('choose.none')}
                {...field}
              />
            )}
          />
          <Controller
            control={control}
            name="reportLandingPage"
            render={({ field }) => (
              <Select
                label={formatMessage('users.landing')}
                description={formatMessage('users.landing.help')}
                placeholder={formatMessage('users.landing.overview')}
                data={landing}
                searchable
                selectFirstOptionOnChange
                clearable
                nothingFoundMessage={formatMessage('choose.none')}
                clearButtonProps={{ 'aria-label': formatMessage('filter.clear') }}
                {...field}
              />
            )}
          />
        </SavedFields>
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {formatMessage('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
