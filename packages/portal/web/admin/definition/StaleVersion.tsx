import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import type { Definition } from '#wire/admin/definitions.ts';

import { call } from '../api/call.ts';
import { useFormats } from '../messages/messages.ts';

/** Somebody else has saved. The typed text stays; the reader compares, then keeps it or takes theirs. */
export function StaleVersion({
  request,
  onBase,
  onTake,
  onCompared,
  onDone,
}: {
  request: { organizationId: string; kind: 'reports' | 'datasets'; itemId: string };
  /** The typed text is to replace this version. */
  onBase: (latest: Definition) => void;
  /** The version is to replace the typed text. */
  onTake: (latest: Definition) => void;
  onCompared: (text: string) => void;
  onDone: () => void;
}) {
  const { formatMessage } = useFormats();
  const load = useMutation({ mutationFn: () => call('readDefinition', request) });
  const withLatest = (use: (latest: Definition) => void) => () =>
    load.mutate(undefined, { onSuccess: use });
  return (
    <Alert color="yellow" title={formatMessage('save.stale.title')} role="alert">
      <Stack gap="xs">
        <Text size="sm">{formatMessage('definition.stale')}</Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={withLatest((latest) => {
              onCompared(latest.text);
            })}
          >
            {formatMessage('definition.stale.compare')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={withLatest((latest) => {
              onBase(latest);
              onDone();
            })}
          >
            {formatMessage('definition.stale.keep')}
          </Button>
          <Button size="xs" variant="default" onClick={withLatest(onTake)}>
            {formatMessage('save.stale.load')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
