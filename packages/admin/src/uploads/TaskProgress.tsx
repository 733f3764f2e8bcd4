import { Button, Group, Progress, Stack, Text } from '@mantine/core';

import type { CallProgress } from '../api/call.ts';
import { useFormats } from '../messages/messages.ts';

interface Task {
  isPending: boolean;
  isStopped: boolean;
  progress: CallProgress | null;
  stop: () => void;
}

/** How far a task is, or that the user has stopped it. */
export function TaskStatus({
  readings,
  change,
}: {
  /** Tasks that change nothing. */
  readings: readonly Task[];
  /** A task that may have finished before it was stopped. */
  change?: Task;
}) {
  const { formatMessage } = useFormats();
  const tasks = change ? [...readings, change] : readings;
  const running = tasks.find(({ isPending }) => isPending);
  const stopped = running ? undefined : tasks.find(({ isStopped }) => isStopped);
  return (
    <>
      {running && <TaskProgress progress={running.progress} onStop={running.stop} />}
      <output>
        {stopped && (
          <Text size="sm">
            {formatMessage(stopped === change ? 'progress.stopped.change' : 'progress.stopped')}
          </Text>
        )}
      </output>
    </>
  );
}

/** How far a file is sent and read, with a button that ends it. */
function TaskProgress({
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
