import { Code, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import { maxTriedMetrics, type AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { textOf, type Item } from './dataset-text.ts';
import { DatasetDraft, type DatasetEditing } from './DatasetDraft.tsx';
import { DatasetItems, nameOf } from './DatasetItems.tsx';
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

function Metrics({ dataset, editing }: { dataset: AdminDataset; editing: DatasetEditing }) {
  const { formatMessage } = useFormats();
  return (
    <DatasetItems
      list="metrics"
      editing={editing}
      texts={{
        about: formatMessage('builder.metrics.text'),
        add: formatMessage('builder.metric.new'),
        none: formatMessage('builder.metrics.empty'),
        whatFor: formatMessage('builder.metrics.empty.text'),
      }}
      renderTable={(actionsOf) => (
        <MetricTable dataset={dataset} editing={editing} actionsOf={actionsOf} />
      )}
      renderForm={(metric, onClose) => (
        <MetricForm dataset={dataset} metric={metric} editing={editing} onClose={onClose} />
      )}
      renderQuestion={() => <Text size="sm">{formatMessage('builder.metric.delete.text')}</Text>}
    />
  );
}

function MetricTable({
  dataset,
  editing,
  actionsOf,
}: {
  dataset: AdminDataset;
  editing: DatasetEditing;
  actionsOf: (metric: Item) => ReactNode;
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
              <Table.Th ta="end">{formatMessage('builder.value')}</Table.Th>
              <Table.Th>{formatMessage('builder.expression')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{formatMessage('builder.actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {metrics.map((metric) => (
              <Table.Tr key={nameOf(metric)}>
                <Table.Td className="breakable">{nameOf(metric)}</Table.Td>
                <Table.Td ta="end" fw={600} className="unbroken">
                  {valueOf(nameOf(metric))}
                </Table.Td>
                <Table.Td className="breakable">
                  <Code>{textOf(metric, 'expression')}</Code>
                </Table.Td>
                <Table.Td>{actionsOf(metric)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
