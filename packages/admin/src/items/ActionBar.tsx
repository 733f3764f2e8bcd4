import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';
import { maxItems } from '../requests/items.ts';
import type { Selection } from './use-selection.ts';

/** What can be done with the selected rows. It is announced, and stays in view while the page scrolls. */
export function ActionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { formatMessage } = useFormats();
  const count = selection.ids.size;
  return (
    <Paper
      withBorder={count > 0}
      px={count > 0 ? 'sm' : 0}
      py={count > 0 ? 'xs' : 0}
      className="action-bar"
      hidden={count === 0}
    >
      <Group gap="xs" role="toolbar" aria-label={formatMessage('items.actions')}>
        <Text component="output" size="sm" fw={600} me="sm">
          {count > 0 && formatMessage('items.selected', { count })}
        </Text>
        {count > maxItems ? (
          <Text size="sm">{formatMessage('items.too_many', { most: maxItems })}</Text>
        ) : (
          count > 0 && children
        )}
        {count > 0 && (
          <Button size="xs" variant="subtle" onClick={selection.clear}>
            {formatMessage('items.clear')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
