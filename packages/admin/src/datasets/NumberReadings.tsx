import { Paper, Radio, SimpleGrid } from '@mantine/core';
import { useId } from 'react';

import { useFormats, type AdminMessageKey } from '../messages/messages.ts';
import type { Interpretation } from '../requests/datasets.ts';
import { ReadColumns } from './ReadColumns.tsx';

/** Asks which of two interpretations the numbers of a file have. None is chosen at first. */
export function NumberReadings({
  interpretations,
  value,
  onChange,
}: {
  interpretations: readonly Interpretation[];
  /** Index of the chosen interpretation. */
  value: string | null;
  onChange: (index: string) => void;
}) {
  const { formatMessage } = useFormats();
  const id = useId();
  return (
    <Radio.Group
      label={formatMessage('readings.question')}
      description={formatMessage('readings.help')}
      value={value}
      onChange={onChange}
      withAsterisk
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="sm">
        {interpretations.map(({ options, columns }, index) => (
          <Paper key={nameReading(options)} withBorder p="sm">
            <Radio
              value={String(index)}
              label={formatMessage(nameReading(options))}
              aria-describedby={`${id}-${index}`}
            />
            <div id={`${id}-${index}`}>
              <ReadColumns columns={columns} />
            </div>
          </Paper>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

function nameReading({ decimal, thousands }: Interpretation['options']): AdminMessageKey {
  if (thousands === ',') return 'readings.thousands_comma';
  if (thousands === '.') return 'readings.thousands_point';
  return decimal === ',' ? 'readings.decimal_comma' : 'readings.decimal_point';
}
