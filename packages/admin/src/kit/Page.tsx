import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';

/** A page with its heading, which is also the title of the window, and the actions beside it. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { formatMessage } = useFormats();
  useEffect(() => {
    document.title = `${title} · ${formatMessage('app.title')}`;
  }, [title, formatMessage]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Title order={1} size="h2" className="breakable">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
