import { Text } from '@mantine/core';

import { AdminError } from '../api/admin-error.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats, type AdminMessageKey } from '../messages/messages.ts';

/** @param failed text of a refusal */
export function SignInFailure({
  error,
  failed,
}: {
  error: unknown;
  failed: Extract<AdminMessageKey, 'sign_in.failed' | 'provider.failed'>;
}) {
  const { formatMessage } = useFormats();
  if (error === undefined) return null;
  if (error instanceof AdminError && error.code === 'sign_in_failed')
    return (
      <Text c="red" role="alert">
        {formatMessage(failed)}
      </Text>
    );
  if (error instanceof AdminError && error.code === 'rate_limited')
    return (
      <Text c="red" role="alert">
        {formatMessage('sign_in.limited', { minutes: Math.ceil((error.retryAfter ?? 60) / 60) })}
      </Text>
    );
  return <Failure error={error} />;
}
