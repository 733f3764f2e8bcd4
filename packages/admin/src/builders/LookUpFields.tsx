import { Button, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { listNames } from './dataset-fields.ts';
import type { RoleCondition } from './role-conditions.ts';

/** The dataset in which a condition looks up values, and its fields. */
export function LookUpFields({
  dataset,
  datasets,
  condition,
  onChange,
}: {
  dataset: AdminDataset;
  datasets: readonly string[];
  condition: RoleCondition;
  onChange: (condition: RoleCondition) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { lookup, operator, pairs } = condition;
  const found = useAnswer(
    'findLookUpFields',
    { organizationId, dataset: lookup },
    { enabled: lookup !== '' },
  );
  const fields = lookup === '' || found.isPlaceholderData ? [] : (found.data?.fields ?? []);
  const set = (part: Partial<RoleCondition>) => onChange({ ...condition, ...part });
  const select = (
    label: string,
    value: string,
    change: (value: string) => void,
    offered: readonly { name: string }[] = fields,
    none = formatMessage('builder.field.choose'),
  ) => (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      data={[{ value: '', label: none }, ...listNames(offered, value)]}
    />
  );
  return (
    <Stack gap="xs">
      {found.error && <Failure error={found.error} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {select(
          formatMessage('builder.lookup.dataset'),
          lookup,
          (next) => set({ lookup: next, key: '', value: '', through: '' }),
          datasets.map((name) => ({ name })),
          formatMessage('builder.lookup.choose'),
        )}
        {select(formatMessage('builder.lookup.key'), condition.key, (key) => set({ key }))}
        {operator !== 'matches' &&
          select(formatMessage('builder.lookup.value'), condition.value, (value) => set({ value }))}
        {operator !== 'matches' &&
          select(
            formatMessage('builder.lookup.through'),
            condition.through,
            (through) => set({ through }),
            fields,
            formatMessage('builder.lookup.through.none'),
          )}
      </SimpleGrid>
      {operator === 'matches' && (
        <>
          {pairs.map(([own, other], index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a pair has no name
            <SimpleGrid key={index} cols={{ base: 1, xs: 2 }} spacing="xs">
              {select(
                formatMessage('builder.pair.own', { number: index + 1 }),
                own,
                (next) => set({ pairs: pairs.with(index, [next, other]) }),
                dataset.fields,
              )}
              {select(formatMessage('builder.pair.other', { number: index + 1 }), other, (next) =>
                set({ pairs: pairs.with(index, [own, next]) }),
              )}
            </SimpleGrid>
          ))}
          <Group gap="xs">
            <Button
              size="compact-xs"
              variant="default"
              disabled={pairs.length >= 10}
              onClick={() => set({ pairs: [...pairs, ['', '']] })}
            >
              {formatMessage('builder.pair.add')}
            </Button>
            {pairs.length > 1 && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => set({ pairs: pairs.slice(0, -1) })}
              >
                {formatMessage('builder.pair.remove')}
              </Button>
            )}
          </Group>
        </>
      )}
    </Stack>
  );
}
