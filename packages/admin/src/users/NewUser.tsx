import { Button, Group, Select, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { notify } from '../kit/notify.ts';
import { Picker } from '../kit/Picker.tsx';
import { useSearch } from '../kit/use-search.ts';
import { without } from '../kit/without.ts';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';
import { listRoleChoices } from './roles.ts';

/** The role without a sign-in to the administration. */
const viewer = '3';

const noneChosen: readonly Named[] = [];

/** Creates a user who can open the chosen reports and sees the rows of the chosen roles. */
export function NewUser({
  reports: firstReports = noneChosen,
  roles: firstRoles = noneChosen,
  onClose,
}: {
  /** Chosen at first. */
  reports?: readonly Named[];
  /** Chosen at first. */
  roles?: readonly Named[];
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, navigate] = useLocation();
  const [role, setRole] = useState(viewer);
  const [reports, setReports] = useState(firstReports);
  const [roles, setRoles] = useState(firstRoles);
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
          create.mutate({
            organizationId,
            ...user,
            role: Number(role),
            reports: reports.map(({ id }) => id),
            roles: roles.map(({ id }) => id),
          }),
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
      <RoleChoice value={roles} onChange={setRoles} />
    </Dialog>
  );
}

interface ChoiceProps {
  value: readonly Named[];
  onChange: (value: readonly Named[]) => void;
}

function ReportChoice(props: ChoiceProps) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('searchReports', { organizationId, search: search.search });
  return (
    <Chosen
      {...props}
      label={formatMessage('users.reports')}
      description={formatMessage('users.reports.help')}
      search={search}
      found={found}
      labelOf={({ name }) => name}
    />
  );
}

function RoleChoice(props: ChoiceProps) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('searchRoles', { organizationId, search: search.search });
  return (
    <Chosen
      {...props}
      label={formatMessage('users.roles')}
      description={formatMessage('users.roles.help')}
      search={search}
      found={found}
      labelOf={({ name, datasetName }) => `${name} · ${datasetName}`}
    />
  );
}

/** Searches items and shows those that are chosen. */
function Chosen<Item extends Named>({
  label,
  description,
  search,
  found,
  labelOf,
  value,
  onChange,
}: ChoiceProps & {
  label: string;
  description: string;
  search: ReturnType<typeof useSearch>;
  found: UseQueryResult<{ items: Item[] }>;
  labelOf: (item: Item) => string;
}) {
  const { formatMessage } = useFormats();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Picker
        ref={field}
        label={label}
        description={description}
        search={search}
        found={found}
        listChoices={({ items }) =>
          without(items, value).map((item) => ({ value: item.id, label: labelOf(item) }))
        }
        onChoose={(id) => {
          const chosen = found.data?.items.find((item) => item.id === id);
          if (chosen) onChange([...value, { id, name: labelOf(chosen) }]);
        }}
        isMultiple
      />
      {value.length > 0 && (
        <Group gap="xs">
          {value.map(({ id, name }) => (
            <Button
              key={id}
              size="compact-sm"
              variant="default"
              rightSection="×"
              aria-label={formatMessage('links.remove', { name })}
              onClick={() => {
                onChange(value.filter((item) => item.id !== id));
                field.current?.focus();
              }}
            >
              {name}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
