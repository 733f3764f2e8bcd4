import { Alert, Button, Stack, Text } from '@mantine/core';

import { AdminError } from '../api/admin-error.ts';
import { useFormats } from '../messages/messages.ts';
import { Failure } from './Failure.tsx';

/** Why saving failed. After somebody else's change, the typed values stay until the user loads that change. */
export function SaveFailure({ error, onLoad }: { error: unknown; onLoad: () => Promise<void> }) {
  const { formatMessage } = useFormats();
  if (error === null || error === undefined) return null;
  if (!(error instanceof AdminError) || error.code !== 'stale_version')
    return <Failure error={error} />;
  return (
    <Alert color="yellow" title={formatMessage('save.stale.title')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{formatMessage('save.stale.text')}</Text>
        <Button size="xs" variant="default" onClick={() => void onLoad()}>
          {formatMessage('save.stale.load')}
        </Button>
      </Stack>
    </Alert>
  );
}
