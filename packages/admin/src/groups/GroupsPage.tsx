import { Anchor, Button, Table, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { NameDialog } from '../kit/NameDialog.tsx';
import { Page } from '../kit/Page.tsx';
import { Pager } from '../kit/Pager.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** All groups of the organization. */
export function GroupsPage() {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const [, navigate] = useLocation();
  const [isCreating, { open, close }] = useDisclosure(false);
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search, 200);
  const [page, setPage] = useState(1);
  const groups = useAnswer('listGroups', { organizationId, search: searched, page });
  const hrefOf = (id: string) => `/organizations/${organizationId}/groups/${id}`;
  const create = useChange('createGroup', ({ id }) => navigate(hrefOf(id)));
  const action = <Button onClick={open}>{formatMessage('groups.create')}</Button>;
  return (
    <Page title={formatMessage('groups.title')} actions={action}>
      {isCreating && (
        <NameDialog
          title={formatMessage('groups.create')}
          isBusy={create.isPending}
          error={create.error}
          onClose={close}
          onSubmit={(name) => create.mutate({ organizationId, name })}
        />
      )}
      <TextInput
        type="search"
        label={formatMessage('groups.search')}
        maw={360}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPage(1);
        }}
      />
      <Loaded query={groups}>
        {({ items, ...list }) =>
          items.length === 0 ? (
            <Empty title={formatMessage('groups.none.title')} action={searched === '' && action}>
              {formatMessage('groups.none.text')}
            </Empty>
          ) : (
            <>
              <Table.ScrollContainer minWidth={420} className="fits-phone">
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{formatMessage('field.name')}</Table.Th>
                      <Table.Th ta="end">{formatMessage('groups.members')}</Table.Th>
                      <Table.Th ta="end">{formatMessage('users.reports')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {items.map(({ id, name, members, reports }) => (
                      <Table.Tr key={id}>
                        <Table.Td className="breakable">
                          <Anchor component={Link} href={hrefOf(id)}>
                            {name}
                          </Anchor>
                        </Table.Td>
                        <Table.Td ta="end">{formatNumber(members)}</Table.Td>
                        <Table.Td ta="end">{formatNumber(reports)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <Pager {...list} page={page} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
