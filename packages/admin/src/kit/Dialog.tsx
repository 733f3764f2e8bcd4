import { Button, Group, Modal, Stack } from '@mantine/core';
import { useId, type ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';
import { Failure } from './Failure.tsx';
import { useReturnFocus } from './use-return-focus.ts';

/** A form in a dialog. Escape and the button cancel it; Enter submits it. */
export function Dialog({
  title,
  submit,
  isDanger = false,
  isWide = false,
  isBusy,
  isDisabled = false,
  error,
  onClose,
  onSubmit,
  children,
}: {
  title: string;
  /** Label of the button that submits. */
  submit: string;
  isDanger?: boolean;
  /** Whether it shows tables. */
  isWide?: boolean;
  isBusy: boolean;
  /** Whether something is missing before it can be submitted. */
  isDisabled?: boolean;
  error: unknown;
  onClose: () => void;
  onSubmit: () => void;
  children?: ReactNode;
}) {
  const { formatMessage } = useFormats();
  const id = useId();
  useReturnFocus();
  return (
    <Modal
      stackId={id}
      opened
      onClose={onClose}
      title={title}
      size={isWide ? '72rem' : 'lg'}
      closeButtonProps={{ 'aria-label': formatMessage('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {error !== null && error !== undefined && <Failure error={error} />}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {formatMessage('action.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isDisabled}
              {...(isDanger && { color: 'red' })}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
