import { Button, Group, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';

/** The current page of a list, with buttons for the previous and the next. */
export function Pager({
  page,
  totalPages,
  totalCount,
  onPage,
}: {
  page: number;
  totalPages: number;
  /** Default: not shown. */
  totalCount?: number | undefined;
  onPage: (page: number) => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Group
      justify="space-between"
      component="nav"
      aria-label={formatMessage('list.page', { page, pages: totalPages })}
    >
      <Text size="sm" c="dimmed" component="output">
        {totalCount !== undefined && formatMessage('list.total', { count: totalCount })}
      </Text>
      {totalPages > 1 && (
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {formatMessage('list.previous')}
          </Button>
          <Text size="sm">{formatMessage('list.page', { page, pages: totalPages })}</Text>
          <Button
            size="xs"
            variant="default"
            disabled={page >= totalPages}
            onClick={() => onPage(page + 1)}
          >
            {formatMessage('list.next')}
          </Button>
        </Group>
      )}
    </Group>
  );
}
