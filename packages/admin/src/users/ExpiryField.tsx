import { Button, Group, Stack, TextInput } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import { toLocalTime } from './local-time.ts';

const presets = [30, 90, 365] as const;

/** A date and time, with buttons for usual ones. */
export function ExpiryField({
  value,
  onChange,
}: {
  value: string;
  onChange: (value: string) => void;
}) {
  const { formatMessage, timeZone } = useFormats();
  return (
    <Stack gap={4}>
      <TextInput
        type="datetime-local"
        label={formatMessage('users.expiry')}
        description={formatMessage('users.expiry.help', { zone: timeZone.replaceAll('_', ' ') })}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={() => onChange('')}>
          {formatMessage('users.never')}
        </Button>
        {presets.map((days) => (
          <Button
            key={days}
            size="compact-xs"
            variant="default"
            onClick={() =>
              onChange(toLocalTime(new Date(Date.now() + days * 86_400_000), timeZone))
            }
          >
            {formatMessage('users.expiry.days', { count: days })}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
