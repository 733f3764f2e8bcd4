import { Button, Modal, Stack, Text } from '@mantine/core';

import { useChange } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { UserDetails } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Creates a link that lets a user set a password for the administration, and shows it once. */
export function InviteUser({ user }: { user: UserDetails }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const invite = useChange('inviteToAdministration');
  return (
    <>
      <Button
        variant="default"
        loading={invite.isPending}
        onClick={() => invite.mutate({ organizationId, userId: user.id })}
      >
        {formatMessage('users.invite')}
      </Button>
      <Modal
        opened={invite.data !== undefined || invite.isError}
        onClose={invite.reset}
        title={formatMessage('users.invite.title', { name: user.name })}
        size="lg"
        closeButtonProps={{ 'aria-label': formatMessage('action.close') }}
      >
        <Stack>
          {invite.error && <Failure error={invite.error} />}
          {invite.data && (
            <>
              <Text>{formatMessage('users.invite.text', { email: user.email })}</Text>
              <CopyText value={invite.data.url} label={formatMessage('users.invite.link')} />
            </>
          )}
        </Stack>
      </Modal>
    </>
  );
}
