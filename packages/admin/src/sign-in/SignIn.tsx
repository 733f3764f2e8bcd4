import { Anchor, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';

import { call } from '../api/call.ts';
import { PasswordField } from '../kit/PasswordField.tsx';
import { useFormats } from '../messages/messages.ts';
import { Centered } from './Centered.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { readRememberedOrganization, rememberOrganization } from './remembered-organization.ts';
import { SignInFailure } from './SignInFailure.tsx';

export function SignIn({ notice }: { notice?: string | undefined }) {
  const { formatMessage } = useFormats();
  const client = useQueryClient();
  const [isOperator, setIsOperator] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const form = useForm({
    // An operator has no organization to enter.
    shouldUnregister: true,
    defaultValues: {
      organization: readRememberedOrganization(),
      email: '',
      password: '',
    },
  });
  const { register, formState } = form;
  const [named, setNamed] = useState(readRememberedOrganization);
  const methods = useQuery({
    queryKey: ['readSignInMethods', named],
    queryFn: () => call('readSignInMethods', { organization: named }),
    enabled: named !== '' && !isOperator,
  });
  const provider = isOperator ? null : (methods.data?.provider ?? null);
  const hasPasswords = provider === null || methods.data?.passwords !== false;
  const messageOf = (name: 'organization' | 'email' | 'password') =>
    formState.errors[name] && formatMessage('sign_in.required');

  const submit = form.handleSubmit(async (given) => {
    setFailure(undefined);
    const organization = isOperator ? null : given.organization.trim();
    try {
      const identity = await call('signIn', { ...given, organization });
      if (organization !== null) rememberOrganization(organization);
      // Keep the query of the identity, because this page waits for its answer.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'readIdentity' });
      client.setQueryData(['readIdentity', {}], identity);
    } catch (error) {
      setFailure(error);
      form.setFocus('password', { shouldSelect: true });
    }
  });

  return (
    <Centered title={formatMessage('sign_in.title')}>
      <Paper withBorder p="xl" w="100%" maw={420} component="main">
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <Title order={1} size="h2">
              {formatMessage('sign_in.title')}
            </Title>
            {notice !== undefined && <Text component="output">{notice}</Text>}
            <SignInFailure error={failure} failed="sign_in.failed" />
            {!isOperator && (
              <TextInput
                label={formatMessage('sign_in.organization')}
                description={formatMessage('sign_in.organization.help')}
                autoComplete="organization"
                autoCapitalize="none"
                spellCheck={false}
                error={messageOf('organization')}
                {...register('organization', {
                  required: true,
                  onBlur: (event: { target: { value: string } }) =>
                    setNamed(event.target.value.trim()),
                })}
              />
            )}
            {provider !== null && <ProviderButton organization={named} provider={provider} />}
            {hasPasswords && (
              <>
                <TextInput
                  label={formatMessage('sign_in.email')}
                  type="email"
                  autoComplete="username"
                  error={messageOf('email')}
                  {...register('email', { required: true })}
                />
                <PasswordField
                  label={formatMessage('sign_in.password')}
                  autoComplete="current-password"
                  error={messageOf('password')}
                  {...register('password', { required: true })}
                />
                <Button type="submit" loading={formState.isSubmitting}>
                  {formatMessage('sign_in.submit')}
                </Button>
                <Text size="sm" c="dimmed">
                  {formatMessage('sign_in.forgotten')}
                </Text>
              </>
            )}
            <Anchor
              component="button"
              type="button"
              inherit={false}
              size="sm"
              onClick={() => setIsOperator(!isOperator)}
            >
              {formatMessage(isOperator ? 'sign_in.as_user' : 'sign_in.as_operator')}
            </Anchor>
          </Stack>
        </form>
      </Paper>
    </Centered>
  );
}
