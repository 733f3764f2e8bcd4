import { Alert, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { PlatformRun } from './runs.ts';

/** How far the latest run is, or why it failed. */
export function RunState({ run, label }: { run: PlatformRun | undefined; label: string }) {
  const { formatMessage, formatTime } = useFormats();
  return (
    <output>
      {run?.state === 'failed' ? (
        <Alert
          color="red"
          title={formatMessage('platforms.run.failed', {
            time: formatTime(run.endedAt ?? run.requestedAt),
          })}
        >
          {run.failure ?? formatMessage('platforms.run.interrupted')}
        </Alert>
      ) : (
        <Text size="sm">
          {run === undefined
            ? formatMessage('platforms.run.none')
            : formatMessage(`platforms.run.${run.state}`, {
                product: label,
                time: formatTime(run.endedAt ?? run.requestedAt),
                by: run.requestedBy ?? formatMessage('platforms.run.portal'),
              })}
        </Text>
      )}
    </output>
  );
}
