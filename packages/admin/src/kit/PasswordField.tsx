import { PasswordInput, type PasswordInputProps } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';

/** A field for a password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { formatMessage } = useFormats();
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': formatMessage('password.show') }}
      {...props}
    />
  );
}
