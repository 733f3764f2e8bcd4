import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';

import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminApiKey, AdminNewApiKey } from '../requests/api-keys.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Hours for which the old key stays valid beside the new one. */
const overlaps = [24, 168, 1] as const;

export function RotateApiKey({
  apiKey,
  onClose,
  onCreated,
}: {
  apiKey: AdminApiKey;
  onClose: () => void;
  onCreated: (key: AdminNewApiKey) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [hours, setHours] = useState<number>(overlaps[0]);
  const rotate = useChange('rotateApiKey', onCreated);
  return (
    <Dialog
      title={formatMessage('api_keys.rotate.named', { name: apiKey.name })}
      submit={formatMessage('api_keys.rotate')}
      isBusy={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={() =>
        rotate.mutate({
          organizationId,
          keyId: apiKey.id,
          oldWorksUntil: new Date(Date.now() + hours * 3_600_000).toISOString(),
        })
      }
    >
      <Text size="sm">{formatMessage('api_keys.rotate.text')}</Text>
      <NativeSelect
        label={formatMessage('api_keys.rotate.overlap')}
        value={String(hours)}
        onChange={(event) => setHours(Number(event.currentTarget.value))}
        data={overlaps.map((value) => ({
          value: String(value),
          label: formatMessage('api_keys.in_hours', { count: value }),
        }))}
      />
    </Dialog>
  );
}
