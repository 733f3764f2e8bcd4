import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { listNames } from './dataset-fields.ts';
import {
  metricFunctions,
  takesField,
  type MetricFunction,
  type MetricParts,
  type MetricValue,
} from './metric-expression.ts';
import { MetricFilters } from './MetricFilters.tsx';

const newDivisor: MetricValue = { function: 'sum', field: '', filters: [] };

/** Chooses the value of a metric, and the value by which it is divided. */
export function MetricPartFields({
  dataset,
  parts,
  isNew,
  onChange,
}: {
  dataset: AdminDataset;
  parts: MetricParts;
  /** Whether the person has just asked for the fields. */
  isNew: boolean;
  onChange: (parts: MetricParts) => void;
}) {
  const { formatMessage } = useFormats();
  const [hasChanged, setHasChanged] = useState(false);
  const { value, divisor } = parts;
  const divideBy = (next: MetricValue | undefined) => {
    setHasChanged(true);
    onChange({ value, divisor: next });
  };
  return (
    <>
      <ValueFields
        dataset={dataset}
        value={value}
        onChange={(next) => onChange({ ...parts, value: next })}
        isNew={isNew}
      />
      {divisor ? (
        <Stack component="fieldset" className="builder-group">
          <legend>{formatMessage('builder.divisor')}</legend>
          <ValueFields
            dataset={dataset}
            value={divisor}
            onChange={(next) => onChange({ ...parts, divisor: next })}
            isNew={hasChanged}
          />
          <Group>
            <Button size="compact-xs" variant="default" onClick={() => divideBy(undefined)}>
              {formatMessage('builder.divisor.remove')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Group>
          <Button
            size="xs"
            variant="default"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button with the focus has gone
            autoFocus={hasChanged}
            onClick={() => divideBy(newDivisor)}
          >
            {formatMessage('builder.divisor.add')}
          </Button>
        </Group>
      )}
    </>
  );
}

function ValueFields({
  dataset,
  value,
  onChange,
  isNew,
}: {
  dataset: AdminDataset;
  value: MetricValue;
  onChange: (value: MetricValue) => void;
  /** Whether the person has just added the value. */
  isNew: boolean;
}) {
  const { formatMessage } = useFormats();
  const fits = (name: MetricFunction) =>
    dataset.fields.filter(({ type }) => takesField(name, type));
  const fields = fits(value.function);
  const changeFunction = (name: MetricFunction) => {
    const isKept = fits(name).some((field) => field.name === value.field);
    onChange({ ...value, function: name, field: isKept ? value.field : '' });
  };
  return (
    <>
      <Group align="flex-end" grow preventGrowOverflow={false}>
        <NativeSelect
          label={formatMessage('builder.function')}
          value={value.function}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just added the value
          autoFocus={isNew}
          onChange={({ currentTarget }) => changeFunction(currentTarget.value as MetricFunction)}
          data={metricFunctions.map((name) => ({
            value: name,
            label: formatMessage(`builder.function.${name}`),
          }))}
        />
        <NativeSelect
          label={formatMessage('builder.field')}
          value={value.field}
          onChange={({ currentTarget }) => onChange({ ...value, field: currentTarget.value })}
          data={[
            {
              value: '',
              label: formatMessage(
                value.function === 'count' ? 'builder.field.rows' : 'builder.field.choose',
              ),
            },
            ...listNames(fields, value.field),
          ]}
        />
      </Group>
      <MetricFilters
        dataset={dataset}
        filters={value.filters}
        onChange={(filters) => onChange({ ...value, filters })}
      />
    </>
  );
}
