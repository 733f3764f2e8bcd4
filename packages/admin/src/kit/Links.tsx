import { Button, Stack, Table, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';

export interface Link {
  id: string;
  name: string;
  /** What the name belongs to, such as the workspace of a report. */
  detail?: string;
  /** Where the link comes from. */
  source?: ReactNode;
  /** Removes the link. Default: the list shows no button for it. */
  onRemove?: (() => void) | undefined;
}

/** A list of links, with a field that adds one. */
export function Links({
  title,
  links,
  empty,
  add,
  footer,
}: {
  title: string;
  links: readonly Link[];
  /** What to do if there are none. */
  empty: string;
  add?: ReactNode;
  footer?: ReactNode;
}) {
  const { formatMessage } = useFormats();
  const id = useId();
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {links.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <Table.ScrollContainer minWidth={480} className="fits-phone">
          <Table aria-labelledby={id}>
            <Table.Tbody>
              {links.map((link) => (
                <Table.Tr key={link.id}>
                  <Table.Td className="breakable">
                    <Text size="sm">{link.name}</Text>
                    {link.detail !== undefined && (
                      <Text size="xs" c="dimmed">
                        {link.detail}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>{link.source}</Table.Td>
                  <Table.Td ta="end">
                    {link.onRemove && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={formatMessage('links.remove', { name: link.name })}
                        onClick={link.onRemove}
                      >
                        {formatMessage('action.remove')}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {footer}
      {add}
    </Stack>
  );
}
