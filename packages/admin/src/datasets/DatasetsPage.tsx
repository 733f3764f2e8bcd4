import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { ItemList } from '../items/ItemList.tsx';
import { SelectAllCell, SelectCell } from '../items/SelectCells.tsx';
import type { Selection } from '../items/use-selection.ts';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ListedDataset } from '../requests/datasets.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { UploadButton } from '../uploads/UploadButton.tsx';

/** The datasets of the organization. Administrators create new ones from files. */
export function DatasetsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { role } = useIdentity();
  const isAdministrator = role === null || role === 1;
  const datasets = useAnswer('findDatasets', { organizationId });
  const upload = isAdministrator && <UploadButton />;
  return (
    <Page title={formatMessage('datasets.title')} actions={upload}>
      <Loaded query={datasets}>
        {({ datasets: list }) => (
          <ItemList items={list.map(toItem)} canCreate={isAdministrator} canEdit={isAdministrator}>
            {(selection) =>
              list.length === 0 ? (
                <Empty title={formatMessage('datasets.empty')} action={upload}>
                  {formatMessage('datasets.empty.text')}
                </Empty>
              ) : (
                <DatasetTable datasets={list} selection={selection} />
              )
            }
          </ItemList>
        )}
      </Loaded>
    </Page>
  );
}

const toItem = ({ id, name }: ListedDataset) => ({ kind: 'dataset' as const, id, name });

function DatasetTable({
  datasets,
  selection,
}: {
  datasets: readonly ListedDataset[];
  selection: Selection | undefined;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Table.ScrollContainer minWidth={560} className="fits-phone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAllCell selection={selection} />}
            <Table.Th>{formatMessage('reports.name')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('datasets.source')}</Table.Th>
            <Table.Th ta="end">{formatMessage('datasets.reports')}</Table.Th>
            <Table.Th ta="end">{formatMessage('datasets.roles')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {datasets.map(({ id, name, source, product, reports, roles }) => (
            <Table.Tr key={id}>
              {selection && <SelectCell selection={selection} id={id} name={name} />}
              <Table.Td className="breakable">
                <Anchor component={Link} href={`/organizations/${organizationId}/datasets/${id}`}>
                  {name}
                </Anchor>
                {product !== null && (
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {product}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                {product === null ? source : <Badge color="gray">{product}</Badge>}
              </Table.Td>
              <Table.Td ta="end">{formatNumber(reports)}</Table.Td>
              <Table.Td ta="end">{formatNumber(roles)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
