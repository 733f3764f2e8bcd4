import { TextInput } from '@mantine/core';
import { useState } from 'react';

import { useFormats } from '../messages/messages.ts';
import { Dialog } from './Dialog.tsx';

/** Asks for the name of something new, or for another name. */
export function NameDialog({
  title,
  name = '',
  onSubmit,
  ...dialog
}: {
  title: string;
  /** The current name. */
  name?: string;
  isBusy: boolean;
  error: unknown;
  onClose: () => void;
  onSubmit: (name: string) => void;
}) {
  const { formatMessage } = useFormats();
  const [value, setValue] = useState(name);
  return (
    <Dialog
      title={title}
      submit={formatMessage('action.save')}
      onSubmit={() => onSubmit(value.trim())}
      {...dialog}
    >
      <TextInput
        data-autofocus
        label={formatMessage('field.name')}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        maxLength={200}
        pattern=".*\S.*"
        required
      />
    </Dialog>
  );
}
