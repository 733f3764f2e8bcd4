import { Alert, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Permission } from '@portal-embed/contract';
import { useState } from 'react';

import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import { keyPermissions, type AdminNewApiKey } from '../requests/api-keys.ts';
import { useOrganizationId } from '../session/organization.ts';

const dayMs = 86_400_000;

/** Lifetimes of a key in days; a key with 0 never expires. */
const lifetimes = [365, 90, 30, 0] as const;

/** Permissions that give away more than their endpoints suggest. */
const warned = ['administrators:write', 'content:write'] as const;

export function CreateApiKey({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (key: AdminNewApiKey) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Permission[]>(['identity:mint']);
  const [days, setDays] = useState<number>(lifetimes[0]);
  const create = useChange('createApiKey', onCreated);
  return (
    <Dialog
      title={formatMessage('api_keys.create')}
      submit={formatMessage('api_keys.create.submit')}
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          organizationId,
          name,
          permissions: chosen,
          expiresAt: days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString(),
        })
      }
    >
      <TextInput
        data-autofocus
        label={formatMessage('api_keys.name')}
        description={formatMessage('api_keys.name.help')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
      <Checkbox.Group
        label={formatMessage('api_keys.permissions')}
        value={chosen}
        onChange={setChosen}
        error={chosen.length === 0 && formatMessage('api_keys.permissions.required')}
      >
        <Stack gap="xs" mt="xs">
          {keyPermissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={permission}
              description={formatMessage(`permission.${permission}`)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {warned
        .filter((permission) => chosen.includes(permission))
        .map((permission) => (
          <Alert key={permission} color="yellow">
            {formatMessage(`api_keys.warning.${permission}`)}
          </Alert>
        ))}
      <NativeSelect
        label={formatMessage('api_keys.expires')}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
        data={lifetimes.map((value) => ({
          value: String(value),
          label:
            value === 0
              ? formatMessage('api_keys.never')
              : formatMessage('api_keys.in_days', { count: value }),
        }))}
      />
    </Dialog>
  );
}
