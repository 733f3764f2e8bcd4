import { Button, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { findType } from './dataset-fields.ts';
import { FieldValues } from './FieldValues.tsx';
import { filterOperators, type FilterOperator, type MetricFilter } from './metric-expression.ts';
import { useListFocus } from './use-list-focus.ts';

const newFilter: MetricFilter = { field: '', operator: 'in', values: [] };

/** Operators for booleans, which have no order. */
const forBooleans: ReadonlySet<FilterOperator> = new Set([
  'in',
  'not in',
  'is null',
  'is not null',
]);

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
  const { addButton, isNew, add, remove } = useListFocus(filters, onChange);
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
            isNew={isNew(index)}
            onRemove={() => remove(index)}
          />
        </Paper>
      ))}
      <Group>
        <Button ref={addButton} size="xs" variant="default" onClick={() => add(newFilter)}>
          {formatMessage('builder.condition.add')}
        </Button>
      </Group>
    </Stack>
  );
}

function Filter({
  dataset,
  filter,
  isNew,
  onChange,
  onRemove,
}: {
  dataset: AdminDataset;
  filter: MetricFilter;
  /** Whether the person has just added it. */
  isNew: boolean;
  onChange: (filter: MetricFilter) => void;
  onRemove: () => void;
}) {
  const { formatMessage } = useFormats();
  const { field, operator, values } = filter;
  const type = findType(dataset, field);
  const changeField = (next: string) => {
    const isBoolean = findType(dataset, next) === 'boolean';
    const kept = isBoolean && !forBooleans.has(operator) ? 'in' : operator;
    onChange({ field: next, operator: kept, values: [] });
  };
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just added the condition
          autoFocus={isNew}
          onChange={({ currentTarget }) => changeField(currentTarget.value)}
          data={[
            { value: '', label: formatMessage('builder.field.choose') },
            ...dataset.fields.map(({ name }) => name),
          ]}
        />
        <NativeSelect
          label={formatMessage('builder.operator')}
          value={operator}
          onChange={({ currentTarget }) => changeOperator(currentTarget.value as FilterOperator)}
          data={filterOperators
            .filter((each) => type !== 'boolean' || each === operator || forBooleans.has(each))
            .map((value) => ({ value, label: formatMessage(`builder.filter.${value}`) }))}
        />
      </Group>
      {isList(operator) && (
        <FieldValues
          dataset={dataset}
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
