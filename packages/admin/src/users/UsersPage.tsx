import { Anchor, Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { Breakable } from '../kit/Breakable.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { Pager } from '../kit/Pager.tsx';
import { readPage } from '../kit/read-page.ts';
import { useLastPage } from '../kit/use-last-page.ts';
import { useFormats } from '../messages/messages.ts';
import type { ListedUser } from '../requests/users.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Expiry } from './Expiry.tsx';
import { NewUser } from './NewUser.tsx';
import { roleLabels } from './roles.ts';
import { UserFilters } from './UserFilters.tsx';

/** All users of the organization. The filters are in the address, so that links can set them. */
export function UsersPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [params, setParams] = useSearchParams();
  const [isCreating, setIsCreating] = useState(false);
  const page = readPage(params);
  const users = useAnswer('listUsers', { organizationId, ...Object.fromEntries(params), page });
  const setFilter = (name: string, value: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (name !== 'page') next.delete('page');
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const setPage = (next: number) => setFilter('page', next === 1 ? '' : String(next));
  useLastPage(users.isPlaceholderData ? undefined : users.data?.totalPages, page, setPage);
  return (
    <Page
      title={formatMessage('users.title')}
      actions={<Button onClick={() => setIsCreating(true)}>{formatMessage('users.create')}</Button>}
    >
      {isCreating && <NewUser onClose={() => setIsCreating(false)} />}
      <UserFilters params={params} setFilter={setFilter} />
      <Loaded query={users}>
        {({ items, ...list }) =>
          items.length === 0 ? (
            <Empty title={formatMessage('users.none.title')}>
              {formatMessage('users.none.text')}
            </Empty>
          ) : (
            <>
              <UserTable users={items} />
              <Pager {...list} page={page} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function UserTable({ users }: { users: readonly ListedUser[] }) {
  const { formatMessage, formatEvery } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Table.ScrollContainer minWidth={760} className="fits-phone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{formatMessage('users.name')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('users.email')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('users.role')}</Table.Th>
            <Table.Th>{formatMessage('users.expiry')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('users.department')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('users.companies')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Td className="breakable">
                <Anchor
                  component={Link}
                  display="block"
                  href={`/organizations/${organizationId}/users/${user.id}`}
                >
                  {user.name}
                </Anchor>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  <Breakable>{user.email}</Breakable>
                </Text>
              </Table.Td>
              <Table.Td className="breakable email" visibleFrom="sm">
                <Breakable>{user.email}</Breakable>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {formatMessage(roleLabels[user.role] ?? 'role.viewer')}
              </Table.Td>
              <Table.Td>
                <Expiry date={user.expirationDate} isExpired={user.isExpired} />
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                {user.department}
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                {formatEvery(user.companies.map(({ name }) => name))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
