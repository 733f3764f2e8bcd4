import { Group, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { useFormats } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { findType } from './dataset-fields.ts';

/** Chooses values of a field, offered with the number of their rows. Other values can be typed. */
export function FieldValues({
  dataset,
  field,
  values,
  label,
  onChange,
}: {
  dataset: AdminDataset;
  field: string;
  values: readonly string[];
  label: string;
  onChange: (values: string[]) => void;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 300);
  const [isOpened, setIsOpened] = useState(false);
  const found = useAnswer(
    'findFieldValues',
    { organizationId, datasetId: dataset.id, field, search },
    { enabled: isOpened && field !== '' },
  );
  const known = (found.data?.values ?? []).filter(({ key }) => key !== null && key !== '');
  const counts = new Map(known.map(({ key, count }) => [String(key), count]));
  const isBoolean = findType(dataset, field) === 'boolean';
  const hasNoMatch = text === search && found.data !== undefined && known.length === 0;
  return (
    <TagsInput
      label={label}
      placeholder={formatMessage('builder.values.search')}
      value={[...values]}
      onChange={(next) => onChange(isBoolean ? next.map((value) => value.toLowerCase()) : next)}
      searchValue={text}
      onSearchChange={setText}
      // The first letters of a known value are a search, not a value.
      acceptValueOnBlur={hasNoMatch || counts.has(text)}
      onFocus={() => setIsOpened(true)}
      data={[...counts.keys()]}
      // The service has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span className="breakable">{option.value}</span>
          <Text span size="xs" c="dimmed">
            {formatNumber(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
      maxDropdownHeight={220}
      // Below, it would cover the buttons of the form.
      comboboxProps={{ position: 'top' }}
      clearable
      clearButtonProps={{ 'aria-label': formatMessage('builder.values.clear') }}
    />
  );
}
