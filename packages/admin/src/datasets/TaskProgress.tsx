import { Button, Group, Progress, Stack, Text } from '@mantine/core';

import type { CallProgress } from '../api/call.ts';
import { useFormats } from '../messages/messages.ts';

/** How far a file is sent and read, with a button that ends it. */
export function TaskProgress({
  progress,
  onStop,
}: {
  /** `null`: nothing is known yet. */
  progress: CallProgress | null;
  onStop: () => void;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const inMegabytes = (bytes: number) => formatNumber(Math.round(bytes / 100_000) / 10);
  const hasArrived = progress?.phase === 'send' && progress.sent === progress.total;
  const percent =
    progress === null || hasArrived
      ? null
      : progress.phase === 'send'
        ? Math.floor((100 * progress.sent) / Math.max(progress.total, 1))
        : progress.percent;
  const text =
    progress === null || hasArrived
      ? formatMessage('datasets.reading')
      : progress.phase === 'send'
        ? formatMessage('progress.send', {
            sent: inMegabytes(progress.sent),
            total: inMegabytes(progress.total),
          })
        : formatMessage(progress.phase === 'read' ? 'progress.read' : 'progress.write', {
            percent: formatNumber(progress.percent),
          });
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button size="xs" variant="default" onClick={onStop}>
          {formatMessage('progress.stop')}
        </Button>
      </Group>
      <Progress.Root>
        <Progress.Section
          value={percent ?? 100}
          animated={percent === null}
          aria-label={text}
          {...(percent === null && { 'aria-valuenow': undefined, 'aria-valuetext': text })}
        />
      </Progress.Root>
    </Stack>
  );
}
