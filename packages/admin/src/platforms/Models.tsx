import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';

import { CopyText } from '../kit/CopyText.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { PowerbiConnection } from '../requests/platforms.ts';
import { useOrganizationId } from '../session/organization.ts';

/** The product's datasets, and the roles that operators have named. */
export function Models({
  connection: { label, datasets, commands },
}: {
  connection: PowerbiConnection;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Section
      title={formatMessage('platforms.models')}
      text={formatMessage('platforms.models.text', { product: label })}
    >
      {datasets.length === 0 ? (
        <Text size="sm">{formatMessage('platforms.models.empty')}</Text>
      ) : (
        <>
          <Table.ScrollContainer minWidth={480} className="fits-phone">
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{formatMessage('datasets.dataset')}</Table.Th>
                  <Table.Th>{formatMessage('datasets.roles')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {datasets.map(({ id, name, rowAccess, roles }) => (
                  <Table.Tr key={id}>
                    <Table.Td className="breakable">
                      <Anchor
                        component={Link}
                        href={`/organizations/${organizationId}/datasets/${id}`}
                      >
                        {name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td className="breakable">
                      {roles.length > 0
                        ? roles.join(', ')
                        : formatMessage(
                            rowAccess === 'everyone'
                              ? 'platforms.roles.everyone'
                              : 'platforms.roles.missing',
                          )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {commands.roles !== null && (
            <CopyText
              block
              value={commands.roles}
              label={formatMessage('platforms.command.roles')}
            />
          )}
        </>
      )}
    </Section>
  );
}
