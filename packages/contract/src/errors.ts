import { z } from 'zod';

/**
 * Every error that crosses an interface: code → HTTP status and title. Nothing else in the project
 * maps a status. A code is stable; titles and details are for people and may change.
 */
export const errorTable = {
  // The portal's API
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_api_key: { status: 401, title: 'The API key is missing or not valid' },
  missing_permission: { status: 403, title: 'The API key lacks a permission' },
  organization_mismatch: { status: 403, title: 'The API key belongs to another organization' },
  user_expired: { status: 403, title: 'The user has expired' },
  report_not_accessible: { status: 403, title: 'No access to this report' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  user_not_found: { status: 404, title: 'There is no such user' },
  role_not_found: { status: 404, title: 'There is no such role' },
  method_not_allowed: { status: 405, title: 'The address does not support this method' },
  user_exists: { status: 409, title: 'There is a user with this e-mail already' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be uncompressed JSON' },
  unknown_references: { status: 422, title: 'Some of the listed items do not exist' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong' },
  database_unavailable: { status: 503, title: 'The database is unavailable' },
  overloaded: { status: 503, title: 'The portal is overloaded' },
  portal_outdated: { status: 503, title: 'The database needs a newer portal' },
  draining: { status: 503, title: 'The portal is stopping' },

  // The command line
  schema_outdated: { status: 503, title: 'The database has an older schema' },
  organization_not_found: { status: 404, title: 'There is no such organization' },
  api_key_not_found: { status: 404, title: 'There is no such API key' },
  group_not_found: { status: 404, title: 'There is no such group' },
  organization_exists: { status: 409, title: 'There is an organization with this slug already' },
  address_taken: { status: 409, title: 'The address belongs to another organization' },
  api_key_ended: { status: 409, title: 'The API key has ended' },
  group_exists: { status: 409, title: 'There is a group with this name already' },

  // The portal's pages
  session_required: { status: 401, title: 'The portal session has ended' },
  identity_url_spent: { status: 410, title: 'This link cannot be used any more' },
  navigation_required: { status: 503, title: 'This address is for opening in a browser' },
  filters_not_applied: { status: 422, title: 'A filter does not fit this report' },
  report_failed: { status: 502, title: 'The report could not be computed' },

  // The host endpoint
  cross_site: { status: 403, title: 'The request came from another site' },
  forbidden: { status: 403, title: 'This user may not ask for this' },
  no_portal_user: { status: 403, title: 'The portal does not know this user' },
  not_signed_in: { status: 401, title: 'Nobody is signed in' },
  portal_rejected_key: { status: 502, title: 'The portal rejected the API key' },
  portal_timeout: { status: 504, title: 'The portal took too long to answer' },
  portal_unavailable: { status: 503, title: 'The portal is not available' },
  unknown_tenant: { status: 404, title: 'No tenant is configured for this host name' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The prefix of `type`: what follows it is the code. */
export const problemTypePrefix = 'urn:portal-embed:problem:';

/** RFC 9457 body of every error. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened and what to do about it. */
  detail: z.string(),
  /** What to do about it, for pages that show it under the title. `detail` includes it. */
  advice: z.string().optional(),
  code: z.string(),
  /** Also in the `X-Request-Id` header and in the service's log. */
  requestId: z.string(),
  /** What is wrong with each field, for bad input. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Builds the body of an error from the table. */
export function createProblem(
  code: ErrorCode,
  detail: string,
  requestId: string,
  { advice, errors }: Pick<Problem, 'advice' | 'errors'> = {},
): Problem {
  const { status, title } = errorTable[code];
  return {
    type: problemTypePrefix + code,
    title,
    status,
    detail,
    ...(advice === undefined ? {} : { advice }),
    code,
    requestId,
    ...(errors === undefined ? {} : { errors }),
  };
}

/** How many fields an answer names at most: it shall not outgrow the request. */
const mostFieldErrors = 100;

/** What is wrong with each field, the first hundred of them, in the form `problem` takes. */
export function fieldErrors(error: z.ZodError): NonNullable<Problem['errors']> {
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...issue.path, key].join('.'),
          message: 'is not a known field',
        }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  );
  return errors.slice(0, mostFieldErrors);
}
