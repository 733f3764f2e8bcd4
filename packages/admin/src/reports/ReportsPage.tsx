import { Anchor, Badge, Button, Group, NativeSelect, Table, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';

import { useAnswer } from '../api/queries.ts';
import { ItemList } from '../items/ItemList.tsx';
import { SelectAllCell, SelectCell } from '../items/SelectCells.tsx';
import type { Selection } from '../items/use-selection.ts';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { Pager } from '../kit/Pager.tsx';
import { useLastPage } from '../kit/use-last-page.ts';
import { useSearch } from '../kit/use-search.ts';
import { useFormats } from '../messages/messages.ts';
import { mostReaders, type ListedReport } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { useIsAdministrator, useRights } from '../session/rights.ts';
import { UploadButton } from '../uploads/UploadButton.tsx';
import { MissingRights } from './MissingRights.tsx';
import { NewReport } from './NewReport.tsx';

/** The reports that the caller may arrange. */
export function ReportsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const isAdministrator = useIsAdministrator();
  const rights = useRights();
  const { text, search, page, setPage, setText } = useSearch();
  const [workspaceId, setWorkspaceId] = useState('');
  const [isNew, setIsNew] = useState(false);
  const reports = useAnswer('findReports', {
    organizationId,
    page,
    search,
    ...(workspaceId !== '' && { workspaceId }),
  });
  useLastPage(reports.data?.totalPages, page, setPage);
  const workspaces = useAnswer('listWorkspaces', { organizationId });
  const whyEmpty =
    search !== '' || workspaceId !== ''
      ? 'reports.empty.filtered'
      : isAdministrator
        ? 'reports.empty.text'
        : reports.data?.canCreate
          ? 'reports.empty.contributor'
          : 'reports.empty.no_right';
  const canCreate = reports.data?.canCreate ?? false;
  const canReplace = rights?.canOverwrite === true && reports.data?.items.length !== 0;
  const create = (canCreate || canReplace) && reports.data && (
    <Button onClick={() => setIsNew(true)}>
      {formatMessage(canCreate ? 'reports.new' : 'reports.replace')}
    </Button>
  );
  return (
    <Page
      title={formatMessage('reports.title')}
      actions={
        <>
          {isAdministrator && <UploadButton variant="default" />}
          {create}
        </>
      }
    >
      {isNew && <NewReport onClose={() => setIsNew(false)} />}
      <MissingRights of={['canCreate', 'canOverwrite']} />
      <Group align="flex-end">
        <TextInput
          type="search"
          label={formatMessage('reports.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label={formatMessage('reports.workspace')}
          value={workspaceId}
          onChange={(event) => {
            setWorkspaceId(event.currentTarget.value);
            setPage(1);
          }}
        >
          <option value="">{formatMessage('reports.workspace.all')}</option>
          {workspaces.data?.workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </Group>
      <Loaded query={reports}>
        {({ items, totalPages, totalCount, canEdit }) => (
          <ItemList items={items.map(toItem)} canCreate={canCreate} canEdit={canEdit}>
            {(selection) =>
              items.length === 0 ? (
                <Empty
                  title={formatMessage('reports.empty')}
                  action={search === '' && workspaceId === '' && create}
                >
                  {formatMessage(whyEmpty)}
                </Empty>
              ) : (
                <>
                  <ReportTable reports={items} selection={selection} />
                  <Pager
                    page={page}
                    totalPages={totalPages}
                    totalCount={totalCount}
                    onPage={setPage}
                  />
                </>
              )
            }
          </ItemList>
        )}
      </Loaded>
    </Page>
  );
}

const toItem = ({ id, name }: ListedReport) => ({ kind: 'report' as const, id, name });

function ReportTable({
  reports,
  selection,
}: {
  reports: readonly ListedReport[];
  selection: Selection | undefined;
}) {
  const { formatMessage, formatNumber, formatTime } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Table.ScrollContainer minWidth={600} className="fits-phone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAllCell selection={selection} />}
            <Table.Th>{formatMessage('reports.name')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('reports.workspace')}</Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              {formatMessage('reports.readers')}
            </Table.Th>
            <Table.Th>{formatMessage('reports.last_opened')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reports.map(({ id, name, workspaceName, readers, lastOpenedAt, product }) => (
            <Table.Tr key={id}>
              {selection && <SelectCell selection={selection} id={id} name={name} />}
              <Table.Td className="breakable">
                <Anchor
                  component={Link}
                  href={`/organizations/${organizationId}/reports/${id}/edit`}
                >
                  {name}
                </Anchor>
                {product !== null && (
                  <Badge color="gray" ms="xs">
                    {product}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                {workspaceName}
              </Table.Td>
              <Table.Td ta="end" visibleFrom="sm">
                {readers > mostReaders
                  ? formatMessage('reports.readers.many', { count: formatNumber(mostReaders) })
                  : formatNumber(readers)}
              </Table.Td>
              <Table.Td className="unbroken">
                {lastOpenedAt === null ? formatMessage('reports.never') : formatTime(lastOpenedAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
