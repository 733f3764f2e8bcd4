import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { listNames } from './dataset-fields.ts';
import { FieldValues } from './FieldValues.tsx';
import { LookUpFields } from './LookUpFields.tsx';
import {
  emptyCondition,
  roleOperators,
  viewerAttributes,
  type RoleCondition,
  type RoleOperator,
} from './role-conditions.ts';
import { useListFocus } from './use-list-focus.ts';

/** The conditions of a role. */
export function RoleConditions({
  dataset,
  datasets,
  conditions,
  onChange,
}: {
  dataset: AdminDataset;
  /** Slugs of the datasets in which values can be looked up. */
  datasets: readonly string[];
  conditions: readonly RoleCondition[];
  onChange: (conditions: RoleCondition[]) => void;
}) {
  const { formatMessage } = useFormats();
  const { addButton, isNew, add, remove } = useListFocus(conditions, onChange);
  return (
    <Stack gap="sm">
      {conditions.map((condition, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a condition has no name
        <Paper key={index} withBorder p="sm" component="fieldset" className="builder-group">
          <legend>{formatMessage('builder.condition', { number: index + 1 })}</legend>
          <Condition
            dataset={dataset}
            datasets={datasets}
            condition={condition}
            onChange={(next) => onChange(conditions.with(index, next))}
            isNew={isNew(index)}
            {...(conditions.length > 1 && { onRemove: () => remove(index) })}
          />
        </Paper>
      ))}
      <Group>
        <Button ref={addButton} size="xs" variant="default" onClick={() => add(emptyCondition)}>
          {formatMessage('builder.condition.add')}
        </Button>
      </Group>
    </Stack>
  );
}

function Condition({
  dataset,
  datasets,
  condition,
  isNew,
  onChange,
  onRemove,
}: {
  dataset: AdminDataset;
  datasets: readonly string[];
  condition: RoleCondition;
  /** Whether the person has just added it. */
  isNew: boolean;
  onChange: (condition: RoleCondition) => void;
  onRemove?: () => void;
}) {
  const { formatMessage } = useFormats();
  const { operator, field } = condition;
  const set = (part: Partial<RoleCondition>) => onChange({ ...condition, ...part });
  const hasSplit = ['in', 'notIn', 'viewer', 'lookup', 'notLookup', 'matches'].includes(operator);
  const isLookUp = ['lookup', 'notLookup', 'matches'].includes(operator);
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {operator !== 'matches' && (
          <NativeSelect
            label={formatMessage('builder.field')}
            value={field}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just added the condition
            autoFocus={isNew}
            onChange={({ currentTarget }) => set({ field: currentTarget.value, values: [] })}
            data={[
              { value: '', label: formatMessage('builder.field.choose') },
              ...listNames(dataset.fields, field),
            ]}
          />
        )}
        <NativeSelect
          label={formatMessage('builder.operator')}
          value={operator}
          onChange={({ currentTarget }) =>
            set({ operator: currentTarget.value as RoleOperator, split: '' })
          }
          data={roleOperators.map((value) => ({
            value,
            label: formatMessage(`builder.role.${value}`),
          }))}
        />
      </SimpleGrid>
      {(operator === 'in' || operator === 'notIn') && (
        <FieldValues
          dataset={dataset}
          field={field}
          values={condition.values}
          label={formatMessage('builder.values')}
          onChange={(values) => set({ values })}
        />
      )}
      {operator === 'between' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {([0, 1] as const).map((index) => (
            <TextInput
              key={index}
              label={formatMessage(index === 0 ? 'builder.smallest' : 'builder.largest')}
              value={condition.values[index] ?? ''}
              onChange={({ currentTarget }) => {
                const [from = '', to = ''] = condition.values;
                set({ values: [from, to].with(index, currentTarget.value) });
              }}
            />
          ))}
        </SimpleGrid>
      )}
      {(operator === 'before' || operator === 'after') && (
        <TextInput
          label={formatMessage('builder.compared')}
          value={condition.values[0] ?? ''}
          onChange={({ currentTarget }) => set({ values: [currentTarget.value] })}
        />
      )}
      {(operator === 'viewer' || isLookUp) && (
        <NativeSelect
          label={formatMessage('builder.attribute')}
          value={condition.attribute}
          onChange={({ currentTarget }) =>
            set({ attribute: currentTarget.value as RoleCondition['attribute'] })
          }
          data={viewerAttributes.map((value) => ({
            value,
            label: formatMessage(`builder.attribute.${value}`),
          }))}
        />
      )}
      {isLookUp && (
        <LookUpFields
          dataset={dataset}
          datasets={datasets}
          condition={condition}
          onChange={onChange}
        />
      )}
      {hasSplit && (
        <Checkbox
          label={formatMessage(isLookUp ? 'builder.split.look_up' : 'builder.split.several')}
          checked={condition.split !== ''}
          onChange={({ currentTarget }) => set({ split: currentTarget.checked ? ';' : '' })}
        />
      )}
      {hasSplit && condition.split !== '' && (
        <TextInput
          label={formatMessage('builder.split')}
          value={condition.split}
          onChange={({ currentTarget }) => set({ split: currentTarget.value })}
          maxLength={10}
        />
      )}
      {operator === 'matches' && (
        <Text size="xs" c="dimmed">
          {formatMessage('builder.matches.help')}
        </Text>
      )}
      {onRemove && (
        <Group>
          <Button size="compact-xs" variant="default" onClick={onRemove}>
            {formatMessage('builder.condition.remove')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
