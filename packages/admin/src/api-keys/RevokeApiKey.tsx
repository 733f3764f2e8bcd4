import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';

import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { AdminApiKey } from '../requests/api-keys.ts';
import { useOrganizationId } from '../session/organization.ts';

export function RevokeApiKey({ apiKey, onClose }: { apiKey: AdminApiKey; onClose: () => void }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [keepSessions, setKeepSessions] = useState(false);
  const revoke = useChange('revokeApiKey', () => {
    notify(formatMessage('api_keys.revoke.done', { name: apiKey.name }));
    onClose();
  });
  return (
    <Dialog
      title={formatMessage('api_keys.revoke.named', { name: apiKey.name })}
      submit={formatMessage('api_keys.revoke')}
      isDanger
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onSubmit={() => revoke.mutate({ organizationId, keyId: apiKey.id, keepSessions })}
    >
      <Text size="sm">{formatMessage('api_keys.revoke.text')}</Text>
      <Checkbox
        label={formatMessage('api_keys.revoke.keep')}
        checked={keepSessions}
        onChange={(event) => setKeepSessions(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
