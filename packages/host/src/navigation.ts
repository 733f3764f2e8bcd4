import { fieldErrors, hostOpenQuerySchema, isPrefetch } from '@portal-embed/contract';
import type { HostOpenQuery } from '@portal-embed/contract';

import type { MintRequest } from './adapter-request.ts';
import { Refusal } from './refusal.ts';

/**
 * Refuses HEAD, prefetch, frames and requests of scripts, which would use up a URL that no tab shows.
 * Browsers send no `Sec-Fetch-Dest` on plain http, so its absence is accepted.
 */
export function requireNavigation({
  method,
  header,
}: Pick<MintRequest<unknown>, 'method' | 'header'>): void {
  const isDocument = (header('sec-fetch-dest') ?? 'document') === 'document';
  if (method !== 'GET' || !isDocument || isPrefetch(header))
    throw new Refusal('navigation_required');
}

/** Reads the report of a link, and nothing else. */
export function parseOpenQuery(search: string): HostOpenQuery {
  const [reportId, ...others] = new URLSearchParams(search).getAll('reportId');
  // Of several reports, each reader could take another one.
  const query = { reportId: others.length > 0 ? [reportId, ...others] : reportId };
  const { data, error } = hostOpenQuerySchema.safeParse(query);
  if (error) throw new Refusal('invalid_request', { errors: fieldErrors(error) });
  return data;
}
