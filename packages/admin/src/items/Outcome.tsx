import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem, FailedItem } from '../requests/items.ts';

export type ItemAction = 'duplicate' | 'rename' | 'move' | 'archive' | 'restore' | 'delete';

/** What happened to items. */
export interface ItemsOutcome {
  action: ItemAction;
  done: readonly ArrangedItem[];
  failed: readonly FailedItem[];
  /** Names of the items that failed, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** Names in a sentence. */
const maxNamed = 5;

/** Says what was done and what failed, and why. It takes the focus, since what was pressed is gone. */
export function Outcome({
  outcome,
  onRestore,
  isBusy,
  onClose,
}: {
  outcome: ItemsOutcome;
  /** Undoes an archiving. */
  onRestore: (items: readonly ArrangedItem[]) => void;
  isBusy: boolean;
  onClose: () => void;
}) {
  const { formatMessage, language } = useFormats();
  const element = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each outcome takes the focus
  useEffect(() => element.current?.focus(), [outcome]);
  const { action, done, failed, names } = outcome;
  const named = done.slice(0, maxNamed).map(({ name }) => name);
  const rest = done.length - named.length;
  const list = new Intl.ListFormat(language).format([
    ...named,
    ...(rest > 0 ? [formatMessage('items.more', { count: rest })] : []),
  ]);
  return (
    <Alert
      ref={element}
      tabIndex={-1}
      role={failed.length > 0 ? 'alert' : 'status'}
      color={failed.length > 0 ? 'yellow' : 'teal'}
      withCloseButton
      closeButtonLabel={formatMessage('action.close')}
      onClose={onClose}
    >
      <Stack gap="xs">
        {done.length > 0 && (
          <Group gap="sm">
            <Text size="sm" className="breakable">
              {formatMessage(`items.done.${action}`, { names: list })}
            </Text>
            {action === 'archive' && (
              <Button
                size="compact-sm"
                variant="default"
                loading={isBusy}
                onClick={() => onRestore(done)}
              >
                {formatMessage('items.restore')}
              </Button>
            )}
          </Group>
        )}
        {failed.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {formatMessage('items.failed', { count: failed.length })}
            </Text>
            <List size="sm">
              {failed.map(({ kind, id, detail }) => (
                <List.Item key={`${kind} ${id}`} className="breakable">
                  {formatMessage('items.failed.one', { name: names.get(id) ?? id, reason: detail })}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Stack>
    </Alert>
  );
}
