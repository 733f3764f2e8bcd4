import { Anchor, Table } from '@mantine/core';
import { Link } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';

/** All organizations, for an operator. */
export function Organizations() {
  const { formatMessage } = useFormats();
  const organizations = useAnswer('listOrganizations', {});
  return (
    <Page title={formatMessage('app.organizations')}>
      <Loaded query={organizations}>
        {({ organizations: list }) => (
          <Table className="table-card">
            <Table.Tbody>
              {list.map(({ id, name, slug }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} href={`/organizations/${id}`}>
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{slug}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Page>
  );
}
