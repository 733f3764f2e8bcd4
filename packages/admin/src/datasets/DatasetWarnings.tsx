import { Alert, Code, SimpleGrid, Stack, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset, Interpretation } from '../requests/datasets.ts';
import { ReadColumns } from '../uploads/ReadColumns.tsx';

/** Says which roles give no rows, and which files have several interpretations. */
export function DatasetWarnings({ dataset }: { dataset: AdminDataset }) {
  const { formatMessage } = useFormats();
  const roles = dataset.roles?.filter(({ roundedField }) => roundedField !== null) ?? [];
  return (
    <>
      {roles.length > 0 && (
        <Alert color="yellow" title={formatMessage('datasets.rounded.title')}>
          <Stack gap="xs">
            {roles.map(({ id, name, roundedField }) => (
              <Text key={id} size="sm" className="breakable">
                {formatMessage('datasets.rounded.role', { role: name, field: roundedField ?? '' })}
              </Text>
            ))}
            <Text size="sm">{formatMessage('datasets.rounded.help')}</Text>
          </Stack>
        </Alert>
      )}
      {dataset.questions?.map(({ file, about, interpretations }) => (
        <Alert
          key={`${file} ${about}`}
          color="yellow"
          title={formatMessage('readings.warning.title', { file })}
          className="breakable"
        >
          <Text size="sm">{formatMessage('readings.warning.help')}</Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
            {interpretations.map(({ options, columns }) => (
              <div key={writeOptions(options)}>
                <Code block>{writeOptions(options)}</Code>
                <ReadColumns columns={columns} />
              </div>
            ))}
          </SimpleGrid>
        </Alert>
      ))}
    </>
  );
}

const writeOptions = (options: Interpretation['options']): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
