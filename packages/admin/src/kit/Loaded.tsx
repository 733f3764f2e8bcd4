import { Alert, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { AdminError } from '../api/admin-error.ts';
import { useFormats } from '../messages/messages.ts';
import { Failure } from './Failure.tsx';

/** Shows the result of a query, its loading state or its failure. */
export function Loaded<Answer>({
  query,
  children,
}: {
  query: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.error instanceof AdminError && query.error.code === 'missing_permission')
    return <Forbidden />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}

/** The role of the user may have changed since the page was opened. */
function Forbidden() {
  const { formatMessage } = useFormats();
  return (
    <Alert color="yellow" title={formatMessage('error.forbidden.title')}>
      {formatMessage('error.forbidden.text')}
    </Alert>
  );
}

export function Loading() {
  const { formatMessage } = useFormats();
  return (
    <Stack component="output" aria-busy="true" aria-label={formatMessage('state.loading')}>
      <Skeleton height={28} width="40%" />
      <Skeleton height={18} />
      <Skeleton height={18} />
      <Skeleton height={18} width="70%" />
    </Stack>
  );
}
