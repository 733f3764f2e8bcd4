import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { notify } from '../kit/notify.ts';
import { useOrganizationId } from '../layout/organization.ts';
import { useFormats } from '../messages/messages.ts';
import { listRoleChoices } from './roles.ts';

/** The role without a sign-in to the administration. */
const viewer = '3';

/** Creates a user who can open the chosen reports. */
export function NewUser({ onClose }: { onClose: () => void }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, navigate] = useLocation();
  const [role, setRole] = useState(viewer);
  const [reports, setReports] = useState<string[]>([]);
  const { register, handleSubmit, getValues } = useForm({
    defaultValues: { email: '', name: '' },
  });
  const create = useChange('createUser', ({ id }) => {
    notify(formatMessage('users.created', { name: getValues('name') }));
    onClose();
    // The invitation to the administration is on the page of the user.
    if (role !== viewer) navigate(`/organizations/${organizationId}/users/${id}`);
  });
  const errorOf = (field: string) =>
    create.error instanceof AdminError &&
    create.error.errors.some(({ path }) => path === field) &&
    formatMessage('field.invalid');
  return (
    <Dialog
      title={formatMessage('users.create')}
      submit={formatMessage('users.create.submit')}
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        void handleSubmit((user) =>
          create.mutate({ organizationId, ...user, role: Number(role), reports }),
        )()
      }
    >
      <TextInput
        data-autofocus
        label={formatMessage('users.email')}
        type="email"
        required
        error={errorOf('email')}
        {...register('email')}
      />
      <TextInput
        label={formatMessage('users.name')}
        required
        error={errorOf('name')}
        {...register('name')}
      />
      <Select
        label={formatMessage('users.role')}
        data={listRoleChoices(formatMessage)}
        value={role}
        onChange={(value) => value !== null && setRole(value)}
        allowDeselect={false}
      />
      <ReportChoice value={reports} onChange={setReports} />
    </Dialog>
  );
}

/** Chooses several reports. Keeps the names of chosen reports while the search shows others. */
function ReportChoice({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search, 200);
  const found = useAnswer('searchReports', { organizationId, search: searched });
  const [chosen, setChosen] = useState<{ value: string; label: string }[]>([]);
  const choices = (found.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = new Map([...chosen, ...choices].map((choice) => [choice.value, choice]));
  return (
    <MultiSelect
      label={formatMessage('users.reports')}
      description={formatMessage('users.reports.help')}
      data={[...known.values()]}
      value={value}
      onChange={(ids) => {
        setChosen(ids.map((id) => known.get(id)!));
        onChange(ids);
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={formatMessage('choose.none')}
      hidePickedOptions
      // Below the field, the list would cover the buttons of the dialog.
      comboboxProps={{ position: 'top' }}
      // Otherwise Enter would create the user without the report that was searched.
      selectFirstOptionOnChange
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
