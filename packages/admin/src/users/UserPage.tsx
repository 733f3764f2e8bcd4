import { Badge, Group, Text } from '@mantine/core';
import { useRoute } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { UserDetails } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';
import { DeleteUser } from './DeleteUser.tsx';
import { InviteUser } from './InviteUser.tsx';
import { UserAccess } from './UserAccess.tsx';
import { UserForm } from './UserForm.tsx';
import { ViewAsLink } from './ViewAsLink.tsx';

/** One user: fields, access and roles. */
export function UserPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, params] = useRoute('/organizations/:organizationId/users/:userId');
  const userId = params?.userId ?? '';
  const user = useAnswer('readUser', { organizationId, userId });
  const current = user.data?.id === userId ? user.data : undefined;
  return (
    <Page
      title={current?.name ?? formatMessage('users.title')}
      actions={
        current && (
          <>
            <ViewAsLink user={current} />
            {current.role !== 3 && <InviteUser user={current} />}
            <DeleteUser user={current} />
          </>
        )
      }
    >
      <Loaded query={user}>
        {(loaded) => (
          <>
            <Facts user={loaded} />
            <UserForm key={loaded.id} user={loaded} />
            <UserAccess user={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ user }: { user: UserDetails }) {
  const { formatMessage } = useFormats();
  return (
    <Group gap="sm">
      <Text c="dimmed" className="breakable">
        {user.email}
      </Text>
      {user.signIn !== 'none' && (
        <Badge>{formatMessage(user.signIn === 'active' ? 'users.sign_in' : 'users.invited')}</Badge>
      )}
      {user.directoryAdUser !== null && (
        <Text c="dimmed" className="breakable">
          {formatMessage('users.directory', { name: user.directoryAdUser })}
        </Text>
      )}
    </Group>
  );
}
