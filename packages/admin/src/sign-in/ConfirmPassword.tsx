import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';

import { AdminError } from '../api/admin-error.ts';
import { call } from '../api/call.ts';
import { FreshSignInContext, type WithFreshSignIn } from '../api/fresh-sign-in.ts';
import { Failure } from '../kit/Failure.tsx';
import { PasswordField } from '../kit/PasswordField.tsx';
import { useFormats } from '../messages/messages.ts';
import { useIdentity } from '../session/identity.ts';
import { onConfirmation } from './confirmation.ts';

/** If a request requires a recent sign-in, asks for a confirmation, then repeats the request. */
export function ConfirmPassword({ children }: { children: ReactNode }) {
  const { formatMessage } = useFormats();
  const { email, hasPassword, provider } = useIdentity();
  const [isOpen, setIsOpen] = useState(false);
  const [password, setPassword] = useState('');
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);

  const close = (isConfirmed: boolean) => {
    setIsOpen(false);
    setPassword('');
    confirm.reset();
    answer.current?.(isConfirmed);
  };
  const confirm = useMutation({
    mutationFn: () => call('confirmPassword', { password }),
    onSuccess: () => close(true),
  });
  const withFreshSignIn = useMemo<WithFreshSignIn>(
    () => async (request) => {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof AdminError) || error.code !== 'fresh_sign_in_required') throw error;
        setIsOpen(true);
        if (!(await new Promise<boolean>((resolve) => (answer.current = resolve)))) throw error;
        return request();
      }
    },
    [],
  );
  // The confirmation with the identity provider happens in another window.
  const onProvider = useEffectEvent(() => close(true));
  useEffect(() => (isOpen ? onConfirmation(() => onProvider()) : undefined), [isOpen]);
  const isWrong = confirm.error instanceof AdminError && confirm.error.code === 'sign_in_failed';
  return (
    <FreshSignInContext value={withFreshSignIn}>
      {children}
      <Modal
        stackId="confirm"
        opened={isOpen}
        onClose={() => close(false)}
        title={formatMessage('confirm.title')}
        closeButtonProps={{ 'aria-label': formatMessage('action.close') }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate();
          }}
        >
          <Stack>
            <Text size="sm">
              {formatMessage(hasPassword ? 'confirm.text' : 'provider.confirm.text')}
            </Text>
            {confirm.error && !isWrong && <Failure error={confirm.error} />}
            {hasPassword && (
              <>
                <input type="email" autoComplete="username" value={email} readOnly hidden />
                <PasswordField
                  data-autofocus
                  label={formatMessage('sign_in.password')}
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  error={isWrong && formatMessage('confirm.failed')}
                  required
                />
              </>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => close(false)}>
                {formatMessage('action.cancel')}
              </Button>
              {hasPassword ? (
                <Button type="submit" loading={confirm.isPending}>
                  {formatMessage('confirm.submit')}
                </Button>
              ) : (
                <Button
                  component="a"
                  data-autofocus
                  href="/admin/oidc/confirm"
                  target="_blank"
                  rel="noopener"
                >
                  {formatMessage('provider.confirm', { provider: provider ?? '' })}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Modal>
    </FreshSignInContext>
  );
}
