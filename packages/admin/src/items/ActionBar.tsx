import { Button, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';
import { maxItems } from '../requests/items.ts';
import type { Selection } from './use-selection.ts';

/** What can be done with the selected rows. It is announced, and stays in view while the page scrolls. */
export function ActionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { formatMessage } = useFormats();
  const count = selection.ids.size;
  const selected = count > 0 && formatMessage('items.selected', { count });
  return (
    <>
      {/* Only changes of an element that is there already are announced. */}
      <VisuallyHidden component="output">{selected}</VisuallyHidden>
      {count > 0 && (
        <Paper withBorder px="sm" py="xs" className="action-bar">
          <Group gap="xs" role="toolbar" aria-label={formatMessage('items.actions')}>
            <Text size="sm" fw={600} me="sm">
              {selected}
            </Text>
            {count > maxItems ? (
              <Text size="sm">{formatMessage('items.too_many', { most: maxItems })}</Text>
            ) : (
              children
            )}
            <Button size="xs" variant="subtle" onClick={selection.clear}>
              {formatMessage('items.clear')}
            </Button>
          </Group>
        </Paper>
      )}
    </>
  );
}
