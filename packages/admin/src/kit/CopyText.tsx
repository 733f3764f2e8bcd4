import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';

interface CopyTextProps {
  value: string;
  label: string;
  /** Whether the value has several lines and a visible label. */
  block?: boolean;
}

/** A value, such as an id or a file, with a button that copies it. */
export function CopyText({ value, label, block = false }: CopyTextProps) {
  if (!block)
    return (
      <Group gap="xs" wrap="nowrap">
        <Code className="breakable">{value}</Code>
        <CopyAction value={value} label={label} />
      </Group>
    );
  return (
    <Stack gap={4} component="section" aria-label={label}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyAction value={value} label={label} />
      </Group>
      <Code block className="wrapped">
        {value}
      </Code>
    </Stack>
  );
}

function CopyAction({ value, label }: CopyTextProps) {
  const { formatMessage } = useFormats();
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          flex="none"
          onClick={copy}
          aria-label={formatMessage(copied ? 'action.copied' : 'action.copy_value', { label })}
        >
          {formatMessage(copied ? 'action.copied' : 'action.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
