import { Button, Code, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import { maxTriedMetrics, type AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { removeItem, textOf, type Item } from './dataset-text.ts';
import { DatasetDraft, type DatasetEditing } from './DatasetDraft.tsx';
import { MetricForm } from './MetricForm.tsx';
import { useMetricTrial, useReaderFormats } from './use-trial.ts';

/** The metrics of a dataset with their values today, and a form for each. */
export function MetricsTab({ dataset }: { dataset: AdminDataset }) {
  return (
    <DatasetDraft dataset={dataset}>
      {(editing) => <Metrics dataset={dataset} editing={editing} />}
    </DatasetDraft>
  );
}

const nameOf = (item: Item): string => textOf(item, 'name');

function Metrics({ dataset, editing }: { dataset: AdminDataset; editing: DatasetEditing }) {
  const { formatMessage } = useFormats();
  const { metrics } = editing.outline;
  const [opened, setOpened] = useState<{ metric: Item | undefined }>();
  const [removed, setRemoved] = useState<Item>();
  const open = (metric: Item | undefined) => {
    editing.resetFailure();
    setOpened({ metric });
  };
  const add = (
    <Button onClick={() => open(undefined)}>{formatMessage('builder.metric.new')}</Button>
  );
  if (opened)
    return (
      <MetricForm
        dataset={dataset}
        metric={opened.metric}
        editing={editing}
        onClose={() => setOpened(undefined)}
      />
    );
  return (
    <Stack>
      <Text size="sm">{formatMessage('builder.metrics.text')}</Text>
      {metrics.length === 0 ? (
        <Empty title={formatMessage('builder.metrics.empty')} action={add}>
          {formatMessage('builder.metrics.empty.text')}
        </Empty>
      ) : (
        <>
          <Group>{add}</Group>
          <MetricTable
            dataset={dataset}
            editing={editing}
            onEdit={open}
            onRemove={(metric) => {
              editing.resetFailure();
              setRemoved(metric);
            }}
          />
        </>
      )}
      {removed && (
        <Dialog
          title={formatMessage('builder.delete_name', { name: nameOf(removed) })}
          submit={formatMessage('builder.delete')}
          isDanger
          isBusy={editing.isSaving}
          error={undefined}
          onClose={() => setRemoved(undefined)}
          onSubmit={() =>
            editing.save(removeItem(editing.text, 'metrics', nameOf(removed)), () =>
              setRemoved(undefined),
            )
          }
        >
          <Text size="sm">{formatMessage('builder.metric.delete.text')}</Text>
          {editing.failure}
        </Dialog>
      )}
    </Stack>
  );
}

function MetricTable({
  dataset,
  editing,
  onEdit,
  onRemove,
}: {
  dataset: AdminDataset;
  editing: DatasetEditing;
  onEdit: (metric: Item) => void;
  onRemove: (metric: Item) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const formats = useReaderFormats();
  const { text, outline } = editing;
  const { metrics } = outline;
  const trial = useMetricTrial({
    organizationId,
    datasetId: dataset.id,
    text,
    metrics: metrics.slice(0, maxTriedMetrics).map(nameOf),
  });
  const valueOf = (name: string): string => {
    const found = trial.data?.metrics.find((tried) => tried.name === name);
    return found?.format && formats ? formats.formatNumber(found.value, found.format) : '—';
  };
  return (
    <>
      {trial.error && <Failure error={trial.error} onRetry={() => void trial.refetch()} />}
      <Table.ScrollContainer minWidth={560}>
        <Table aria-label={formatMessage('datasets.metrics')} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{formatMessage('reports.name')}</Table.Th>
              <Table.Th>{formatMessage('builder.expression')}</Table.Th>
              <Table.Th ta="end">{formatMessage('builder.value')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{formatMessage('builder.actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {metrics.map((metric) => (
              <Table.Tr key={nameOf(metric)}>
                <Table.Td className="breakable">{nameOf(metric)}</Table.Td>
                <Table.Td className="breakable">
                  <Code>{textOf(metric, 'expression')}</Code>
                </Table.Td>
                <Table.Td ta="end" fw={600} className="unbroken">
                  {valueOf(nameOf(metric))}
                </Table.Td>
                <Table.Td>
                  <ItemActions
                    name={nameOf(metric)}
                    onEdit={() => onEdit(metric)}
                    onRemove={() => onRemove(metric)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** Edits or deletes a metric or a role. */
export function ItemActions({
  name,
  onEdit,
  onRemove,
}: {
  name: string;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={formatMessage('builder.edit_name', { name })}
        onClick={onEdit}
      >
        {formatMessage('builder.edit')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={formatMessage('builder.delete_name', { name })}
        onClick={onRemove}
      >
        {formatMessage('builder.delete')}
      </Button>
    </Group>
  );
}
