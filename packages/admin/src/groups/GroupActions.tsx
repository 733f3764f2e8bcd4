import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { NameDialog } from '../kit/NameDialog.tsx';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Renames or deletes a group. */
export function GroupActions({ group: { id, name } }: { group: Named }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const [, navigate] = useLocation();
  const close = () => setOpen(undefined);
  const rename = useChange('renameGroup', close);
  const remove = useChange('deleteGroup', () =>
    navigate(`/organizations/${organizationId}/groups`),
  );
  return (
    <>
      <Button variant="default" onClick={() => setOpen('rename')}>
        {formatMessage('action.rename')}
      </Button>
      <Button color="red" variant="light" onClick={() => setOpen('delete')}>
        {formatMessage('action.delete')}
      </Button>
      {open === 'rename' && (
        <NameDialog
          title={formatMessage('groups.rename', { name })}
          name={name}
          isBusy={rename.isPending}
          error={rename.error}
          onClose={close}
          onSubmit={(next) =>
            rename.mutate({ organizationId, groupId: id, name: next, baseName: name })
          }
        />
      )}
      {open === 'delete' && (
        <Dialog
          title={formatMessage('groups.delete.title', { name })}
          submit={formatMessage('action.delete')}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onClose={close}
          onSubmit={() => remove.mutate({ organizationId, groupId: id })}
        >
          <Text>{formatMessage('groups.delete.text')}</Text>
        </Dialog>
      )}
    </>
  );
}
