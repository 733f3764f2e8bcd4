import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';

import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { UserDetails } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Deletes a user after a confirmation. */
export function DeleteUser({ user }: { user: UserDetails }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [, navigate] = useLocation();
  const remove = useChange('deleteUser', () => {
    notify(formatMessage('users.deleted', { name: user.name }));
    navigate(`/organizations/${organizationId}/users`);
  });
  return (
    <>
      <Button color="red" variant="light" onClick={open}>
        {formatMessage('action.delete')}
      </Button>
      {isOpen && (
        <Dialog
          title={formatMessage('users.delete.title', { name: user.name })}
          submit={formatMessage('action.delete')}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onClose={close}
          onSubmit={() => remove.mutate({ organizationId, userId: user.id })}
        >
          <Text>{formatMessage('users.delete.text')}</Text>
        </Dialog>
      )}
    </>
  );
}
