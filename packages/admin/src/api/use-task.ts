import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { AdminAnswer, AdminEndpointName, AdminRequest } from '../requests/endpoints.ts';
import { call, type CallProgress } from './call.ts';

/** A request that takes long: it says how far it is, and ends when it is cancelled or its page goes. */
export function useTask<Name extends AdminEndpointName>(name: Name) {
  const [progress, setProgress] = useState<CallProgress | null>(null);
  const [isStopped, setIsStopped] = useState(false);
  const running = useRef<AbortController>(null);
  const mutation = useMutation<AdminAnswer<Name>, Error, AdminRequest<Name>>({
    mutationFn: (request) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setProgress(null);
      setIsStopped(false);
      return call(name, request, controller.signal, (next) => {
        if (running.current === controller) setProgress(next);
      });
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    mutation.reset();
    setIsStopped(false);
  };
  return {
    ...mutation,
    progress,
    /** Ends the request because something else replaces it. */
    cancel,
    /** Ends the request because its user wants that. */
    stop: () => {
      cancel();
      setIsStopped(true);
    },
    /** Whether the user has ended the latest request. */
    isStopped,
  };
}
