import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { use } from 'react';
import { flushSync } from 'react-dom';

import type { AdminAnswer, AdminEndpointName, AdminRequest } from '../requests/endpoints.ts';
import { call } from './call.ts';
import { FreshSignInContext } from './fresh-sign-in.ts';

/** How often a pending answer is loaded again. */
const pendingMs = 2_000;

/**
 * Loads and caches the answer of a GET. The previous page of a list stays until the next arrives.
 *
 * @param options.isPending whether the answer is about to change, so that it is loaded again
 */
export const useAnswer = <Name extends AdminEndpointName>(
  name: Name,
  request: AdminRequest<Name>,
  {
    isPending,
    ...options
  }: { enabled?: boolean; isPending?: (answer: AdminAnswer<Name>) => boolean } = {},
) =>
  useQuery<AdminAnswer<Name>>({
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request, signal),
    placeholderData: keepPreviousData,
    ...options,
    ...(isPending && {
      refetchInterval: ({ state }) => (state.data && isPending(state.data) ? pendingMs : false),
    }),
  });

/**
 * A change. Afterwards everything on the page is loaded again, since lists and counts depend on it.
 *
 * @param onDone is called after that. The values of the page may have changed since the request.
 * @param onAnswer is called before that, for a page that leaves what no longer exists
 */
export function useChange<Name extends AdminEndpointName>(
  name: Name,
  onDone?: (answer: AdminAnswer<Name>, request: AdminRequest<Name>) => void,
  onAnswer?: (answer: AdminAnswer<Name>) => void,
) {
  const client = useQueryClient();
  const withFreshSignIn = use(FreshSignInContext);
  return useMutation<AdminAnswer<Name>, Error, AdminRequest<Name>>({
    mutationFn: (request) => withFreshSignIn(() => call(name, request)),
    onSuccess: async (answer, request) => {
      // What it takes off the page is not loaded again.
      if (onAnswer) flushSync(() => onAnswer(answer));
      await client.invalidateQueries();
      onDone?.(answer, request);
    },
  });
}

/** The error of the latest change; errors of earlier changes are ignored. */
export const latestError = (
  ...changes: readonly { submittedAt: number; error: Error | null }[]
): Error | null => changes.toSorted((a, b) => b.submittedAt - a.submittedAt)[0]?.error ?? null;
