import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { loadFormats, type Formats } from 'viewer/formats';

import { call } from '../api/call.ts';
import type { AdminRequest } from '../requests/endpoints.ts';

/** Pause of typing after which a text is tried: at most twice a second. */
const pauseMs = 600;

/** A request once typing pauses. Equal requests are one. */
function useSettled<Request extends object>(request: Request | undefined): Request | undefined {
  const [settled] = useDebouncedValue(JSON.stringify(request), pauseMs);
  return settled === undefined ? undefined : (JSON.parse(settled) as Request);
}

/** Tries metrics of a text. The previous values stay until the next arrive. */
export function useMetricTrial(request: AdminRequest<'tryMetrics'> | undefined) {
  const settled = useSettled(request);
  return useQuery({
    queryKey: ['tryMetrics', settled],
    queryFn: ({ signal }) => call('tryMetrics', settled!, signal),
    placeholderData: (previous) => previous,
    enabled: settled !== undefined && settled.metrics.length > 0,
    staleTime: 60_000,
    retry: false,
  });
}

/** Tries a role of a text for users. */
export function useRoleTrial(request: AdminRequest<'tryRole'> | undefined) {
  const settled = useSettled(request);
  return useQuery({
    queryKey: ['tryRole', settled],
    queryFn: ({ signal }) => call('tryRole', settled!, signal),
    placeholderData: (previous) => previous,
    enabled: settled !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

/** The formats of numbers as readers see them; `undefined` until they are loaded. */
export const useReaderFormats = (): Formats | undefined =>
  useQuery({ queryKey: ['readerFormats'], queryFn: () => loadFormats(), staleTime: Infinity }).data;
