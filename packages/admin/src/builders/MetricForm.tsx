import {
  Button,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';

import { Failure } from '../kit/Failure.tsx';
import { useFormats, type AdminMessageKey } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { findType } from './dataset-fields.ts';
import { textOf, writeItem, type Item } from './dataset-text.ts';
import type { DatasetEditing } from './DatasetDraft.tsx';
import { readMetric, writeMetric, type MetricParts } from './metric-expression.ts';
import { MetricPartFields } from './MetricPartFields.tsx';
import { TrialMistakes } from './TrialMistakes.tsx';
import { useMetricTrial, useReaderFormats } from './use-trial.ts';

const formatNames = ['automatic', 'integer', 'decimal', 'percent', 'currency'] as const;
type FormatName = (typeof formatNames)[number];

/** The name of a format in the form; `undefined` for other formats, which stay. */
function nameFormat(format: unknown): FormatName | undefined {
  if (format === undefined) return 'automatic';
  if (typeof format === 'string')
    return formatNames.find((name) => name === format && name !== 'currency');
  const isCurrency =
    JSON.stringify(Object.keys(format as object).toSorted()) === '["currency","style"]';
  return isCurrency ? 'currency' : undefined;
}

/** The currency of the metric's field, or the only one of the dataset. */
function guessCurrency({ fields }: AdminDataset, parts: MetricParts | undefined): string {
  const own = fields.find(({ name }) => name === parts?.value.field)?.currency;
  const all = new Set(fields.flatMap(({ currency }) => currency ?? []));
  const [only = 'USD'] = all.size === 1 ? all : [];
  return own ?? only;
}

const countOfRows: MetricParts = { value: { function: 'count', field: '', filters: [] } };

const currencyOf = (format: unknown): string => textOf(format as Item | undefined, 'currency');

/** Adds a metric or edits one: by function, field, filter and format, or by its expression. */
export function MetricForm({
  dataset,
  metric,
  editing,
  about = 'builder.not_active',
  onClose,
}: {
  dataset: AdminDataset;
  /** `undefined` to add one. */
  metric: Item | undefined;
  editing: DatasetEditing;
  /** What saving does. */
  about?: AdminMessageKey;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [name, setName] = useState(textOf(metric, 'name'));
  const [description, setDescription] = useState(textOf(metric, 'description'));
  const [expression, setExpression] = useState(textOf(metric, 'expression') || 'count()');
  const [parts, setParts] = useState<MetricParts | undefined>(() => readMetric(expression));
  const [typed, setTyped] = useState(0);
  const [sent, setSent] = useState<string>();
  const [isReplaced, setIsReplaced] = useState(false);
  const [format, setFormat] = useState(metric?.['format']);
  const typeOf = (field: string) => findType(dataset, field);
  const isComplete = !parts || writeMetric(parts, typeOf) !== undefined;
  const change = (next: MetricParts) => {
    setParts(next);
    const written = writeMetric(next, typeOf);
    if (written !== undefined) setExpression(written);
  };
  const changeExpression = (text: string) => {
    setExpression(text);
    setParts(readMetric(text));
    setTyped((count) => count + 1);
    setIsReplaced(false);
  };
  const replaceTyped = () => {
    setIsReplaced(true);
    change(countOfRows);
  };
  // A trial needs a name, which the person may choose last.
  const label = name.trim() || formatMessage('builder.metric.unnamed');
  const written = metric && textOf(metric, 'name');
  const item = { name: label, description: description || undefined, expression, format };
  const text = writeItem(editing.text, 'metrics', written, item);
  const trial = useMetricTrial(
    isComplete ? { organizationId, datasetId: dataset.id, text, metrics: [label] } : undefined,
  );
  const formatName = nameFormat(format);
  const changeFormat = (chosen: string) => {
    if (chosen === 'currency')
      setFormat({ style: 'currency', currency: guessCurrency(dataset, parts) });
    else if (chosen !== '') setFormat(chosen === 'automatic' ? undefined : chosen);
  };
  return (
    <Paper withBorder p="md" radius="md">
      <form
        aria-label={formatMessage(metric ? 'builder.metric.edit' : 'builder.metric.new')}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isComplete || name.trim() === '') return;
          setSent(text);
          editing.save(text, onClose);
        }}
      >
        <Stack>
          <Title order={2} size="h4" className="breakable">
            {written === undefined
              ? formatMessage('builder.metric.new')
              : formatMessage('builder.metric.edit_name', { name: written })}
          </Title>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Stack>
              <TextInput
                label={formatMessage('reports.name')}
                description={
                  written !== undefined &&
                  label !== written &&
                  formatMessage('builder.metric.rename')
                }
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                maxLength={200}
                required
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just opened the form
                autoFocus
              />
              <TextInput
                label={formatMessage('reports.description')}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
              {parts ? (
                <MetricPartFields
                  // What is typed does not move the focus to a field that appears.
                  key={typed}
                  dataset={dataset}
                  parts={parts}
                  isNew={isReplaced}
                  onChange={change}
                />
              ) : (
                <Stack gap="xs" align="flex-start">
                  <Text size="sm" c="dimmed">
                    {formatMessage('builder.metric.typed')}
                  </Text>
                  <Button size="xs" variant="default" onClick={replaceTyped}>
                    {formatMessage('builder.metric.choose')}
                  </Button>
                </Stack>
              )}
              <Group align="flex-end" grow preventGrowOverflow={false}>
                <NativeSelect
                  label={formatMessage('builder.format')}
                  value={formatName ?? ''}
                  onChange={(event) => changeFormat(event.currentTarget.value)}
                >
                  {formatName === undefined && (
                    <option value="">{formatMessage('builder.format.other')}</option>
                  )}
                  {formatNames.map((each) => (
                    <option key={each} value={each}>
                      {formatMessage(`builder.format.${each}`)}
                    </option>
                  ))}
                </NativeSelect>
                {formatName === 'currency' && (
                  <TextInput
                    label={formatMessage('builder.format.code')}
                    value={currencyOf(format)}
                    onChange={(event) =>
                      setFormat({
                        style: 'currency',
                        currency: event.currentTarget.value.toUpperCase(),
                      })
                    }
                    maxLength={3}
                    required
                  />
                )}
              </Group>
            </Stack>
            <Stack>
              <Textarea
                label={formatMessage('builder.expression')}
                description={formatMessage('builder.expression.help')}
                dir="ltr"
                value={expression}
                onChange={(event) => changeExpression(event.currentTarget.value)}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                autosize
                minRows={2}
                required
              />
              <TrialValue isComplete={isComplete} trial={trial} />
            </Stack>
          </SimpleGrid>
          {text === sent && editing.failure}
          <Group>
            <Button type="submit" loading={editing.isSaving} disabled={!isComplete}>
              {formatMessage('action.save')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {formatMessage('action.cancel')}
            </Button>
            <Text size="sm" c="dimmed">
              {formatMessage(about)}
            </Text>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** The value of the metric over the data of today. */
function TrialValue({
  isComplete,
  trial,
}: {
  isComplete: boolean;
  trial: ReturnType<typeof useMetricTrial>;
}) {
  const { formatMessage } = useFormats();
  const formats = useReaderFormats();
  const found = isComplete ? trial.data?.metrics[0] : undefined;
  const shown = found?.format && formats ? found : undefined;
  const value = shown && formats!.formatNumber(shown.value, shown.format!);
  const hasNone = shown?.value === null && !shown.failure;
  const about = hasNone ? 'none' : isComplete ? 'all_rows' : 'incomplete';
  return (
    <Stack gap={4} component="section" aria-label={formatMessage('builder.value')}>
      <Text size="sm" fw={600}>
        {formatMessage('builder.value')}
      </Text>
      <Text
        component="output"
        fz={28}
        fw={600}
        className="breakable"
        aria-live="polite"
        {...((value === undefined || trial.isPlaceholderData) && { c: 'dimmed' })}
      >
        {value ?? '—'}
      </Text>
      <Text size="xs" c="dimmed">
        {formatMessage(`builder.value.${about}`)}
      </Text>
      {isComplete && (
        <>
          <TrialMistakes mistakes={trial.data?.mistakes ?? []} />
          {found?.failure && <Text size="sm">{formatMessage('builder.value.failed')}</Text>}
          {trial.error && <Failure error={trial.error} onRetry={() => void trial.refetch()} />}
        </>
      )}
    </Stack>
  );
}
