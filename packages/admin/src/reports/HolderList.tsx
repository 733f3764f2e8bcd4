import { Button, Table, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { Holder } from '../requests/reports.ts';

/** Users or groups that hold something, each with a button to take it away. */
export function HolderList({
  holders,
  label,
  isBusy,
  onRemove,
}: {
  holders: readonly (Holder & { members?: number })[];
  label: string;
  isBusy: boolean;
  onRemove: (holder: Holder) => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Table aria-label={label}>
      <Table.Tbody>
        {holders.map((holder) => (
          <Table.Tr key={holder.id}>
            <Table.Td className="breakable">
              {holder.name}
              <Text size="xs" c="dimmed">
                {holder.members === undefined
                  ? (holder.email ?? formatMessage('holder.group'))
                  : formatMessage('holder.members', { count: holder.members })}
              </Text>
            </Table.Td>
            <Table.Td ta="end">
              <Button
                size="compact-sm"
                variant="default"
                disabled={isBusy}
                onClick={() => onRemove(holder)}
                aria-label={formatMessage('holder.remove_name', { name: holder.name })}
              >
                {formatMessage('holder.remove')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
