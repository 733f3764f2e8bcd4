import {
  ReaderViewError,
  ReportError,
  UnappliedFiltersError,
  UnknownTileError,
  type Refused,
} from '#platform';

import { PortalError } from '../errors.ts';
import { refuse } from '../limits/refuse.ts';
import { queues } from '../limits/table.ts';

/** Whom readers and authors ask about a problem that stays. */
const contacts = {
  reader: 'contact your administrator',
  author: 'ask the operator of the portal, whose log names the cause',
};

/** What is logged of an error of a platform. */
const loggedFields = ['name', 'message', 'stack', 'cause', 'code', 'reason'];

/**
 * Returns an error of the same type, `Error` for a DOMException, without the fields that others have
 * attached: clients of products attach their request, with its credentials.
 */
export function withoutAttachments(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  // Its texts are getters of its class, which fail on a copy.
  if (error instanceof DOMException)
    return Object.assign(new Error(error.message), { name: error.name, stack: error.stack });
  const copy = Object.create(Object.getPrototypeOf(error) as object) as Error;
  for (const field of loggedFields) {
    const own = Object.getOwnPropertyDescriptor(error, field);
    if (own) Object.defineProperty(copy, field, own);
  }
  return copy;
}

export type Audience = keyof typeof contacts;

/**
 * Logs the error of a report that could not be computed. Returns the error for its reader, or for an
 * author in the administration.
 */
export function explainFailure(
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
  error: unknown,
  audience: Audience,
): PortalError {
  if (error instanceof UnappliedFiltersError) return filtersNotApplied(error.keys);
  if (error instanceof ReaderViewError) return viewNotValid(error);
  if (error instanceof UnknownTileError) return unknownTile();
  if (!signal.aborted) onFailure(error);
  if (error instanceof ReportError && error.reason === 'overloaded')
    return refuse(queues.queries, 'Too many reports are being computed.', {
      advice: 'Try again in a few seconds.',
    });
  if (error instanceof ReportError && error.reason === 'not_fetched')
    return new PortalError('report_failed', 'The data of this report is not available yet.', {
      advice: 'Try again in a few seconds.',
      reason: 'not_fetched',
    });
  const contact = `if the problem persists, ${contacts[audience]}.`;
  if (error instanceof ReportError && error.reason === 'unavailable')
    return new PortalError('report_failed', 'The data source is unavailable.', {
      advice: `Try again in a few minutes; ${contact}`,
      reason: 'unavailable',
    });
  return new PortalError('report_failed', 'The report could not be computed.', {
    advice: `Try again; ${contact}`,
  });
}

/** The error of a report that a platform does not show to its reader. */
export function explainRefusal(
  { onFailure }: { onFailure: (error: unknown) => void },
  { reason, detail, keys = [] }: Refused,
  audience: Audience,
): PortalError {
  if (reason === 'filters') return filtersNotApplied(keys);
  onFailure(new Error(detail));
  return notSetUp(audience);
}

/** The error of a report whose platform this portal does not have, for example because a setting is gone. */
export function platformMissing(onFailure: (error: unknown) => void, name: string): PortalError {
  onFailure(new Error(`The report is of the platform "${name}", which is not set up.`));
  return notSetUp('reader');
}

const notSetUp = (audience: Audience) =>
  new PortalError('report_failed', 'This report cannot be shown.', {
    advice: `Its set-up is incomplete or no longer works: ${contacts[audience]}.`,
    reason: 'not_set_up',
  });

export const changing = () =>
  new PortalError('overloaded', 'The data of the report is changing.', {
    advice: 'Try again in a few seconds.',
    retryAfter: 1,
  });

const unknownTile = () =>
  new PortalError('not_found', 'The report has no such tile to download.', {
    advice: 'Refresh the report, then try again.',
  });

const viewNotValid = ({ message }: ReaderViewError) =>
  new PortalError('invalid_request', message, {
    advice: 'Filter, sort and drill only by what the report shows.',
    errors: [{ path: 'view', message }],
  });

function filtersNotApplied(keys: readonly string[]): PortalError {
  const names = keys.map((key) => `"${key}"`).join(', ');
  return new PortalError('filters_not_applied', 'This report is not shown.', {
    advice: `It has no column for the filter ${names}. Contact your administrator.`,
    errors: keys.map((path) => ({ path, message: 'names no column of the report' })),
  });
}
