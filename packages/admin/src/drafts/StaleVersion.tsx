import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { call } from '../api/call.ts';
import { useFormats } from '../messages/messages.ts';
import type { Definition } from '../requests/definitions.ts';

/** Shown when somebody else has saved. The user compares both texts, then keeps one of them. */
export function StaleVersion({
  request,
  onBase,
  onTake,
  onCompared,
  onDone,
}: {
  request: { organizationId: string; kind: 'reports' | 'datasets'; itemId: string };
  /** Called to replace this version with the typed text. */
  onBase: (latest: Definition) => void;
  /** Called to replace the typed text with the version. */
  onTake: (latest: Definition) => void;
  onCompared: (text: string) => void;
  onDone: () => void;
}) {
  const { formatMessage } = useFormats();
  const client = useQueryClient();
  const load = useMutation({
    mutationFn: () => call('readDefinition', request),
    onSuccess: () => client.invalidateQueries({ queryKey: ['listDefinitionVersions'] }),
  });
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
