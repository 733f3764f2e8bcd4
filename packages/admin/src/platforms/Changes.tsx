import { Text } from '@mantine/core';

import { Breakable } from '../kit/Breakable.tsx';
import { useFormats } from '../messages/messages.ts';
import { changeKinds, type PlatformChanges } from '../requests/platforms.ts';

/** Names of a kind that are shown; the number says how many there are. */
const shownNames = 10;

/** What a synchronization has changed, in words. */
export function Changes({ changes }: { changes: PlatformChanges }) {
  const { formatMessage, formatNumber } = useFormats();
  return changeKinds.map((kind) => {
    const found = changes[kind];
    if (!found) return null;
    const names = found.names.slice(0, shownNames).join(', ');
    return (
      <Text key={kind} size="sm">
        <Breakable>
          {formatMessage(
            found.count > shownNames ? 'platforms.changes.many' : 'platforms.changes.all',
            {
              kind: formatMessage(`platforms.change.${kind}`),
              count: formatNumber(found.count),
              names,
            },
          )}
        </Breakable>
      </Text>
    );
  });
}
