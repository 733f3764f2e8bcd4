import { Button, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { FieldValues } from './FieldValues.tsx';
import { filterOperators, type FilterOperator, type MetricFilter } from './metric-expression.ts';

const newFilter: MetricFilter = { field: '', operator: 'in', values: [] };

const isList = (operator: FilterOperator) => operator === 'in' || operator === 'not in';
const isEmpty = (operator: FilterOperator) => operator.startsWith('is');

/** The conditions on the rows of a metric. All must hold. */
export function MetricFilters({
  dataset,
  filters,
  onChange,
}: {
  dataset: AdminDataset;
  filters: readonly MetricFilter[];
  onChange: (filters: MetricFilter[]) => void;
}) {
  const { formatMessage } = useFormats();
  const change = (index: number, filter: MetricFilter) => onChange(filters.with(index, filter));
  return (
    <Stack gap="xs" component="fieldset" className="builder-group">
      <legend>{formatMessage('builder.filter')}</legend>
      {filters.map((filter, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a condition has no name
        <Paper key={index} withBorder p="xs" component="fieldset" className="builder-group">
          <legend>{formatMessage('builder.condition', { number: index + 1 })}</legend>
          <Filter
            dataset={dataset}
            filter={filter}
            onChange={(next) => change(index, next)}
            onRemove={() => onChange(filters.toSpliced(index, 1))}
          />
        </Paper>
      ))}
      <Group>
        <Button size="xs" variant="default" onClick={() => onChange([...filters, newFilter])}>
          {formatMessage('builder.filter.add')}
        </Button>
      </Group>
    </Stack>
  );
}

function Filter({
  dataset,
  filter,
  onChange,
  onRemove,
}: {
  dataset: AdminDataset;
  filter: MetricFilter;
  onChange: (filter: MetricFilter) => void;
  onRemove: () => void;
}) {
  const { formatMessage } = useFormats();
  const { field, operator, values } = filter;
  const changeOperator = (next: FilterOperator) => {
    const kept = isEmpty(next) ? [] : isList(next) ? values : values.slice(0, 1);
    onChange({ ...filter, operator: next, values: kept });
  };
  return (
    <Stack gap="xs">
      <Group align="flex-end" grow preventGrowOverflow={false}>
        <NativeSelect
          label={formatMessage('builder.field')}
          value={field}
          onChange={({ currentTarget }) =>
            onChange({ ...filter, field: currentTarget.value, values: [] })
          }
          data={[
            { value: '', label: formatMessage('builder.field.choose') },
            ...dataset.fields.map(({ name }) => name),
          ]}
        />
        <NativeSelect
          label={formatMessage('builder.operator')}
          value={operator}
          onChange={({ currentTarget }) => changeOperator(currentTarget.value as FilterOperator)}
          data={filterOperators.map((value) => ({
            value,
            label: formatMessage(`builder.filter.${value}`),
          }))}
        />
      </Group>
      {isList(operator) && (
        <FieldValues
          datasetId={dataset.id}
          field={field}
          values={values}
          label={formatMessage('builder.values')}
          onChange={(next) => onChange({ ...filter, values: next })}
        />
      )}
      {!isList(operator) && !isEmpty(operator) && (
        <TextInput
          label={formatMessage('builder.compared')}
          value={values[0] ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...filter, values: currentTarget.value === '' ? [] : [currentTarget.value] })
          }
        />
      )}
      <Group>
        <Button size="compact-xs" variant="default" onClick={onRemove}>
          {formatMessage('builder.condition.remove')}
        </Button>
      </Group>
    </Stack>
  );
}
