import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { Link } from 'wouter';

import { useFormats } from '../messages/messages.ts';
import type { Holder } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ViewAsLink } from '../users/ViewAsLink.tsx';

/**
 * Users or groups that hold something, each with a button to take it away. Users have a link to the report
 * as they see it.
 */
export function HolderList({
  holders,
  label,
  reportId,
  isBusy,
  onRemove,
  onGiveAccess,
}: {
  /** `canOpen`: whether a user may open the report. Default: `true`. */
  holders: readonly (Holder & { members?: number; canOpen?: boolean })[];
  label: string;
  /** The report that a user is viewed in. Default: users are not viewed. */
  reportId?: string;
  isBusy: boolean;
  onRemove: (holder: Holder) => void;
  /** Gives a user access to the report. */
  onGiveAccess?: (holder: Holder) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Table.ScrollContainer minWidth={280} mt="xs">
      <Table aria-label={label}>
        <Table.Tbody>
          {holders.map((holder) => (
            <Table.Tr key={holder.id}>
              <Table.Td className="breakable">
                {/* A block of its own, in which a link needs no underline. */}
                <div>
                  <Anchor
                    component={Link}
                    href={`/organizations/${organizationId}/${holder.kind}s/${holder.id}`}
                  >
                    {holder.name}
                  </Anchor>
                </div>
                <Text size="xs" c="dimmed">
                  {holder.members === undefined
                    ? (holder.email ?? formatMessage('holder.group'))
                    : formatMessage('holder.members', { count: holder.members })}
                </Text>
                {holder.canOpen === false && (
                  <Text size="xs">{formatMessage('rows.no_access')}</Text>
                )}
              </Table.Td>
              <Table.Td ta="end">
                <Group gap="xs" justify="flex-end">
                  {holder.canOpen === false && onGiveAccess && (
                    <Button
                      size="compact-sm"
                      disabled={isBusy}
                      onClick={() => onGiveAccess(holder)}
                      aria-label={formatMessage('rows.give_access_name', { name: holder.name })}
                    >
                      {formatMessage('rows.give_access')}
                    </Button>
                  )}
                  {holder.kind === 'user' && reportId !== undefined && holder.canOpen !== false && (
                    <ViewAsLink
                      user={holder}
                      reportId={reportId}
                      size="compact-sm"
                      variant="default"
                    />
                  )}
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={isBusy}
                    onClick={() => onRemove(holder)}
                    aria-label={formatMessage('holder.remove_name', { name: holder.name })}
                  >
                    {formatMessage('holder.remove')}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
