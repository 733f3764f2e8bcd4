import { List, Stack, Text } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import { toKeys, type ItemChanges } from './use-item-change.ts';

/** Confirms that items are archived, and the reports of datasets with them. */
export function ArchiveItems({
  items,
  changes: { archive, organizationId },
  onClose,
}: {
  items: readonly ArrangedItem[];
  changes: ItemChanges;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const datasetIds = items.flatMap(({ kind, id }) => (kind === 'dataset' ? [id] : []));
  const used = useAnswer(
    'findReportsOfDatasets',
    { organizationId, datasetIds },
    { enabled: datasetIds.length > 0 },
  );
  const only = items.length === 1 ? items[0] : undefined;
  const reports = used.data?.reports ?? [];
  return (
    <Dialog
      title={
        only
          ? formatMessage('items.archive.one', { name: only.name })
          : formatMessage('items.archive.title', { count: items.length })
      }
      submit={formatMessage(reports.length > 0 ? 'items.archive.all' : 'items.archive')}
      isBusy={archive.isPending}
      isDisabled={datasetIds.length > 0 && used.data === undefined}
      error={archive.error}
      onClose={onClose}
      onSubmit={() =>
        archive.mutate(
          { organizationId, items: toKeys(items), reportIds: reports.map(({ id }) => id) },
          { onSuccess: onClose },
        )
      }
    >
      {!only && <Names items={items} />}
      <Text size="sm">
        {formatMessage(datasetIds.length > 0 ? 'items.archive.dataset' : 'items.archive.report')}
      </Text>
      {used.isError && <Failure error={used.error} onRetry={() => void used.refetch()} />}
      {reports.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {formatMessage('items.archive.reports', { count: reports.length })}
          </Text>
          <Names items={reports} />
        </Stack>
      )}
    </Dialog>
  );
}

const Names = ({ items }: { items: readonly { id: string; name: string }[] }) => (
  <List size="sm">
    {items.map(({ id, name }) => (
      <List.Item key={id} className="breakable">
        {name}
      </List.Item>
    ))}
  </List>
);
