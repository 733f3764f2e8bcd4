import { z } from 'zod';

import { PowerbiError, type PowerbiFailure } from './errors.ts';

/** Codes in the body or in `X-PowerBI-Error-Info`. Source: Microsoft's guide to troubleshooting. */
const codes: [RegExp, PowerbiFailure, string][] = [
  [
    /ServicePrincipalIsNotAllowedByTenantAdminSwitch|ServicePrincipalsNotAllowed|API is not accessible for application/i,
    'not-allowed',
    'The tenant does not let service principals use the API. Its administrator turns it on in the tenant settings, under "Developer settings".',
  ],
  [
    /PowerBINotAuthorizedException|PowerBINotLicensedException|Unauthorized access to/i,
    'not-a-member',
    'The application has no rights in the workspace of the report or of its model. Add it there as a member.',
  ],
  [
    /Capacity(?:Is)?(?:NotActive|Suspended|Paused)|NotActiveCapacity/i,
    'paused',
    'The capacity of the workspace is paused. Resume it in the Azure portal.',
  ],
  [
    /EmbedTokenTrial|trial.*(?:exceeded|limit)|FreeTrial/i,
    'trial-used-up',
    'The trial tokens are used up. Assign the workspace to a capacity.',
  ],
];

/** What to do about an answer that is not a success. */
export function explainAnswer(response: Response, text: string): PowerbiError {
  const { status, headers } = response;
  const request = headers.get('requestid') ?? headers.get('x-ms-request-id');
  const name = isGuid(request) ? ` (RequestId ${request})` : '';
  const fail = (failure: PowerbiFailure, message: string, retryAfter?: number) =>
    new PowerbiError(failure, `${message}${name}`, { retryAfter });

  const said = `${headers.get('x-powerbi-error-info') ?? ''} ${text.slice(0, 10_000)}`;
  const known = status === 429 ? undefined : codes.find(([pattern]) => pattern.test(said));
  if (known) return fail(known[1], known[2]);
  if (status === 429)
    return fail(
      'throttled',
      'Power BI receives too many requests from this application. Wait a few minutes.',
      readSeconds(headers.get('retry-after')),
    );
  if (status === 307 || status === 308)
    return fail(
      'moved',
      "Power BI names another address for this tenant. Check the connection's cloud.",
    );
  if (status === 401) return fail('sign-in', 'Power BI did not accept the access token.');
  if (status === 403)
    return fail(
      'not-a-member',
      'Power BI refused the request. Add the application to the workspace as a member, and check the capacity.',
    );
  if (status === 404) return fail('not-found', 'Power BI has no such workspace or report.');
  if (status === 400)
    return fail(
      'rejected',
      'Power BI rejected the request. Roles may have been added to or removed from the model, or a role of `portal platforms set-roles` may be misspelled.',
    );
  return fail('unavailable', `Power BI answered ${status}.`);
}

/** Power BI names its answers so. Other text could be anything of the request. */
const isGuid = (text: string | null) => z.guid().safeParse(text).success;

/** Seconds of `Retry-After`, which is also a date. At most an hour; 60 if it is missing. */
function readSeconds(header: string | null): number {
  const seconds = Number(header);
  if (header !== null && Number.isFinite(seconds)) return Math.min(3600, Math.max(1, seconds));
  const until = Date.parse(header ?? '');
  if (Number.isNaN(until)) return 60;
  return Math.min(3600, Math.max(1, Math.ceil((until - Date.now()) / 1000)));
}
