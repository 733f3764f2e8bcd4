import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { AdminAnswer, AdminEndpointName, AdminRequest } from '../requests/endpoints.ts';
import { call, type CallProgress } from './call.ts';

/** A request that takes long: it says how far it is, and ends when it is cancelled or its page goes. */
export function useTask<Name extends AdminEndpointName>(name: Name) {
  const [progress, setProgress] = useState<CallProgress | null>(null);
  const running = useRef<AbortController>(null);
  const mutation = useMutation<AdminAnswer<Name>, Error, AdminRequest<Name>>({
    mutationFn: (request) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setProgress(null);
      return call(name, request, controller.signal, (next) => {
        if (running.current === controller) setProgress(next);
      });
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  return {
    ...mutation,
    progress,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}
