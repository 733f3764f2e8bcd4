import { PortalError } from '../errors.ts';
import type { Limit, Queue } from './table.ts';

/**
 * Returns the error for a request that is over a limit.
 *
 * @param retryAfter in seconds; default: that of the limit
 */
export const refuse = (
  limit: Pick<Limit | Queue, 'code' | 'retryAfter'>,
  detail: string,
  { advice, retryAfter = limit.retryAfter }: { advice: string; retryAfter?: number },
): PortalError => new PortalError(limit.code, detail, { advice, retryAfter });
