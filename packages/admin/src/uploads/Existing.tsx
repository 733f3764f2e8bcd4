import { Alert, Button, Stack, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { ExistingDataset } from '../requests/data-files.ts';
import type { Named } from '../requests/lists.ts';

/** Says that an uploaded file may belong to a dataset that exists, and offers to replace its data. */
export function Existing({
  datasets,
  onReplace,
}: {
  datasets: readonly ExistingDataset[];
  onReplace: (dataset: Named) => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Alert color="yellow" title={formatMessage('existing.title')} role="alert">
      <Stack gap="xs" align="flex-start">
        {datasets.map((dataset) => {
          const { id, file, isSame } = dataset;
          const isTwin = datasets.some((each) => each.name === dataset.name && each.id !== id);
          const name = isTwin ? `${dataset.name} (${file})` : dataset.name;
          return (
            <Stack key={id} gap={4} align="flex-start">
              <Text size="sm" className="breakable">
                {formatMessage(isSame ? 'existing.same' : 'existing.named', { name })}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={formatMessage('existing.replace_name', { name })}
                onClick={() => onReplace(dataset)}
              >
                {formatMessage('existing.replace')}
              </Button>
            </Stack>
          );
        })}
        <Text size="sm">{formatMessage('existing.help')}</Text>
      </Stack>
    </Alert>
  );
}
