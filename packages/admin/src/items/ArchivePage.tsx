import { Badge, Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { latestError, useAnswer } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { Pager } from '../kit/Pager.tsx';
import { useLastPage } from '../kit/use-last-page.ts';
import { useSearch } from '../kit/use-search.ts';
import { useFormats } from '../messages/messages.ts';
import type { ArchivedItem, ArrangedItem } from '../requests/items.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ActionBar } from './ActionBar.tsx';
import { DeleteItems } from './DeleteItems.tsx';
import { Outcome } from './Outcome.tsx';
import { SelectAllCell, SelectCell } from './SelectCells.tsx';
import { useItemChanges } from './use-item-change.ts';
import { useSelection, type Selection } from './use-selection.ts';

const none: readonly ArchivedItem[] = [];

/** Archived reports and datasets, with who archived them. They are restored or deleted here. */
export function ArchivePage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { role } = useIdentity();
  const isAdministrator = role === null || role === 1;
  const { text, search, page, setPage, setText } = useSearch();
  const archived = useAnswer('findArchived', { organizationId, page, search });
  useLastPage(archived.data?.totalPages, page, setPage);
  const items = archived.data?.items ?? none;
  const canRestore = archived.data?.canRestore === true;
  const selection = useSelection(items);
  const selected = items.filter(({ id }) => selection.ids.has(id));
  const [deleted, setDeleted] = useState<readonly ArrangedItem[]>();
  const changes = useItemChanges(items, selection.clear, () => setDeleted(undefined));
  const { restore, remove, outcome } = changes;
  const error = latestError(restore, remove);
  return (
    <Page title={formatMessage('archive.title')}>
      <Text c="dimmed">{formatMessage('archive.text')}</Text>
      <Group align="flex-end">
        <TextInput
          type="search"
          label={formatMessage('archive.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      {outcome && (
        <Outcome
          outcome={outcome}
          onRestore={changes.restoreAll}
          isBusy={restore.isPending}
          onClose={() => changes.setOutcome(undefined)}
        />
      )}
      {error && !deleted && <Failure error={error} />}
      {deleted && (
        <DeleteItems items={deleted} changes={changes} onClose={() => setDeleted(undefined)} />
      )}
      <ActionBar selection={selection}>
        {canRestore && (
          <Button
            size="xs"
            variant="default"
            loading={restore.isPending}
            onClick={() => changes.restoreAll(selected)}
          >
            {formatMessage('items.restore')}
          </Button>
        )}
        {isAdministrator && (
          <Button size="xs" color="red" variant="light" onClick={() => setDeleted(selected)}>
            {formatMessage('items.delete')}
          </Button>
        )}
      </ActionBar>
      <Loaded query={archived}>
        {({ totalPages, totalCount }) =>
          items.length === 0 ? (
            <Empty title={formatMessage('archive.empty')}>
              {formatMessage(search === '' ? 'archive.empty.text' : 'archive.empty.filtered')}
            </Empty>
          ) : (
            <>
              <ArchivedTable items={items} selection={canRestore ? selection : undefined} />
              <Pager page={page} totalPages={totalPages} totalCount={totalCount} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function ArchivedTable({
  items,
  selection,
}: {
  items: readonly ArchivedItem[];
  selection: Selection | undefined;
}) {
  const { formatMessage, formatTime } = useFormats();
  return (
    <Table.ScrollContainer minWidth={640} className="fits-phone">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectAllCell selection={selection} />}
            <Table.Th>{formatMessage('reports.name')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('archive.kind')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('reports.workspace')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('archive.by')}</Table.Th>
            <Table.Th>{formatMessage('archive.at')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => {
            const { kind, id, name, workspaceName, archivedAt } = item;
            const by =
              item.archivedBy ??
              (item.archivedFrom === 'product' ? item.product : null) ??
              formatMessage('archive.by.unknown');
            const hint = describeReturn(item);
            return (
              <Table.Tr key={`${kind} ${id}`}>
                {selection && <SelectCell selection={selection} id={id} name={name} />}
                <Table.Td className="breakable">
                  {name}
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {formatMessage(`archive.kind.${kind}`)} · {by}
                  </Text>
                  {hint !== null && (
                    <Text size="xs" c="dimmed">
                      {formatMessage(hint, { product: item.product ?? '' })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Badge color="gray">{formatMessage(`archive.kind.${kind}`)}</Badge>
                </Table.Td>
                <Table.Td className="breakable" visibleFrom="sm">
                  {workspaceName}
                </Table.Td>
                <Table.Td className="breakable" visibleFrom="sm">
                  {by}
                </Table.Td>
                <Table.Td className="unbroken">{formatTime(archivedAt)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Why an item cannot be restored here, and what brings it back; `null` for one that can. */
function describeReturn({ product, archivedFrom, archivedBy, isDefined }: ArchivedItem) {
  if (product === null) return isDefined ? null : 'archive.undefined';
  return archivedFrom === 'product' && archivedBy !== null
    ? 'archive.disconnected'
    : 'archive.gone';
}
