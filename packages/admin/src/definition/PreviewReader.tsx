import { Button, Group, Text } from '@mantine/core';
import type { Ref } from 'react';

import { HolderPicker } from '../holders/HolderPicker.tsx';
import { useFormats } from '../messages/messages.ts';

/** A user whose rows a preview shows. */
export interface PreviewUser {
  id: string;
  name: string;
}

/** Chooses whose rows the preview of an administrator shows. Default: all rows. */
export function PreviewReader({
  ref,
  reader,
  onChange,
}: {
  ref?: Ref<HTMLInputElement> | undefined;
  reader: PreviewUser | undefined;
  onChange: (reader: PreviewUser | undefined) => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <div>
      <HolderPicker
        ref={ref}
        label={
          reader
            ? formatMessage('definition.as', { name: reader.name })
            : formatMessage('definition.as_user')
        }
        kinds={['user']}
        onChoose={onChange}
      />
      <Group gap="xs" mt={4} mih={26}>
        <Text size="xs" c="dimmed">
          {reader
            ? formatMessage('definition.rows_of', { name: reader.name })
            : formatMessage('definition.all_rows')}
        </Text>
        {reader && (
          <Button size="compact-xs" variant="default" onClick={() => onChange(undefined)}>
            {formatMessage('definition.show_all_rows')}
          </Button>
        )}
      </Group>
    </div>
  );
}
