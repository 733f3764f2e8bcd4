import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown instead of an empty list: what is missing, and what to do next. */
export function Empty({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Stack align="flex-start" gap="xs" className="card card-content">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed">{children}</Text>
      {action}
    </Stack>
  );
}
