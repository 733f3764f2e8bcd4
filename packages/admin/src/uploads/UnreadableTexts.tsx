import { Alert, Stack, Text } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Says which texts of a dataset cannot be read. The rows are searched while the page is shown. */
export function UnreadableTexts({ datasetId }: { datasetId: string }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { data } = useAnswer('findUnreadableTexts', { organizationId, datasetId });
  if (!data?.texts?.length) return null;
  return (
    <Alert color="yellow" title={formatMessage('datasets.unreadable.title')} className="breakable">
      <Stack gap="xs">
        {data.texts.map((text) => (
          <Text key={text} size="sm">
            {text}
          </Text>
        ))}
        <Text size="sm">{formatMessage('datasets.unreadable.help')}</Text>
      </Stack>
    </Alert>
  );
}
