import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { errorPagePath } from '@portal-embed/contract/frame';

import { AdminError } from '../api/admin-error.ts';
import { useFormats } from '../messages/messages.ts';
import { describeError } from './describe-error.ts';

/** Why a request failed, what to do, and a retry if it can help. */
export function Failure({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
}) {
  const formats = useFormats();
  const { formatMessage } = formats;
  const failure = error instanceof AdminError ? error : new AdminError('internal_error');
  const { text, english } = describeError(failure, formats);
  return (
    <Alert color="red" title={formatMessage('error.title')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {english !== undefined && (
          <Text size="sm" className="breakable">
            {english}
          </Text>
        )}
        {failure.code === 'internal_error' && failure.requestId !== undefined && (
          <Text size="xs" className="breakable">
            {formatMessage('error.reference', { id: failure.requestId })}
          </Text>
        )}
        {failure.code !== 'unreachable' && (
          <Anchor size="xs" href={errorPagePath(failure.code)} target="_blank">
            {formatMessage('error.meaning')}
          </Anchor>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {formatMessage('state.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
