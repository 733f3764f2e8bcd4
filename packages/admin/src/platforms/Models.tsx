import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';

import { CopyText } from '../kit/CopyText.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { PowerbiConnection } from '../requests/platforms.ts';
import { useOrganizationId } from '../session/organization.ts';

/** The product's datasets, and the roles that operators have named. */
export function Models({
  connection: { label, datasets },
  organization,
}: {
  connection: PowerbiConnection;
  organization: string;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const unnamed = datasets.find(({ rowAccess, roles }) => rowAccess === 'by-role' && !roles.length);
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
          <CopyText
            block
            value={writeRolesCommand(organization, unnamed?.id ?? datasets[0]!.id)}
            label={formatMessage('platforms.command.roles')}
          />
        </>
      )}
    </Section>
  );
}

const writeRolesCommand = (organization: string, datasetId: string) =>
  `portal platforms set-roles ${datasetId} -o ${organization} --role East West`;
