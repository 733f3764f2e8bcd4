import { z } from 'zod';

/**
 * Every error that crosses an interface: code → HTTP status and title. This is the only table of
 * statuses. Codes are stable; titles and details are for people and may change.
 */
export const errorTable = {
  // The portal's API
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_api_key: { status: 401, title: 'The API key is missing or not valid' },
  missing_permission: { status: 403, title: 'The caller lacks a permission' },
  organization_mismatch: { status: 403, title: 'The API key belongs to another organization' },
  user_expired: { status: 403, title: 'The user has expired' },
  report_not_accessible: { status: 403, title: 'No access to this report' },
  not_found: { status: 404, title: 'Nothing was found at this address' },
  user_not_found: { status: 404, title: 'The user does not exist' },
  role_not_found: { status: 404, title: 'The role does not exist' },
  method_not_allowed: { status: 405, title: 'The address does not support this method' },
  user_exists: { status: 409, title: 'A user with this e-mail already exists' },
  content_conflict: { status: 409, title: 'Content was edited in the portal' },
  data_conflict: { status: 409, title: 'The new data needs confirmation' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is compressed or of another type' },
  invalid_content: { status: 422, title: 'The content has mistakes' },
  unknown_references: { status: 422, title: 'Some of the listed items do not exist' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong' },
  database_unavailable: { status: 503, title: 'The database is unavailable' },
  overloaded: { status: 503, title: 'The portal is overloaded' },
  portal_outdated: { status: 503, title: 'The database needs a newer portal' },
  draining: { status: 503, title: 'The portal is stopping' },
  storage_full: { status: 507, title: 'The portal has no disk space left' },

  // The command line
  schema_outdated: { status: 503, title: 'The database has an older schema' },
  organization_not_found: { status: 404, title: 'The organization does not exist' },
  api_key_not_found: { status: 404, title: 'The API key does not exist' },
  group_not_found: { status: 404, title: 'The group does not exist' },
  dataset_not_found: { status: 404, title: 'The dataset does not exist' },
  connection_not_found: { status: 404, title: 'The connection does not exist' },
  platform_not_connected: {
    status: 404,
    title: 'The organization is not connected to the product',
  },
  connection_not_granted: { status: 404, title: 'The organization may not use the connection' },
  organization_exists: { status: 409, title: 'An organization with this slug already exists' },
  address_taken: { status: 409, title: 'The address belongs to another organization' },
  api_key_ended: { status: 409, title: 'The API key has expired or was revoked' },
  group_exists: { status: 409, title: 'A group with this name already exists' },
  connection_granted: { status: 409, title: 'Another organization may use the connection' },

  // The portal's pages
  session_required: { status: 401, title: 'The portal session has ended' },
  identity_url_spent: { status: 410, title: 'This link has been used or has expired' },
  embed_origin_refused: { status: 403, title: 'This application may not embed the portal' },
  navigation_required: { status: 503, title: 'Open this address in a browser' },
  filters_not_applied: { status: 422, title: 'A filter does not fit this report' },
  read_only_session: { status: 403, title: 'This session is read only' },
  export_too_large: { status: 422, title: 'The export has too many rows' },
  report_failed: { status: 502, title: 'The report could not be computed' },

  // The administration portal
  sign_in_required: { status: 401, title: 'Sign in to continue' },
  sign_in_failed: { status: 401, title: 'The sign-in failed' },
  fresh_sign_in_required: { status: 403, title: 'Confirm your sign-in' },
  identity_provider_failed: { status: 502, title: 'The identity provider failed' },
  weak_password: { status: 422, title: 'The password is too easy to guess' },
  invitation_ended: { status: 410, title: 'This invitation was used or has expired' },
  stale_version: { status: 409, title: 'Someone else has changed this' },
  last_administrator: { status: 409, title: 'The organization needs an administrator' },
  company_not_found: { status: 404, title: 'The company does not exist' },
  company_exists: { status: 409, title: 'A company with this name already exists' },

  // The host endpoint
  cross_site: { status: 403, title: 'The request came from another site' },
  forbidden: { status: 403, title: 'The user may not request this' },
  no_portal_user: { status: 403, title: 'The portal does not know this user' },
  not_signed_in: { status: 401, title: 'Nobody is signed in' },
  portal_rejected_key: { status: 502, title: 'The portal rejected the API key' },
  portal_timeout: { status: 504, title: 'The portal took too long to answer' },
  portal_unavailable: { status: 503, title: 'The portal is not available' },
  unknown_tenant: { status: 404, title: 'No tenant is configured for this host name' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The prefix of a problem's `type`; the code follows it. */
export const problemTypePrefix = 'urn:portal-embed:problem:';

/** RFC 9457 body of every error. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened, then what to do. To a browser, the portal adds the address of the error's page. */
  detail: z.string(),
  /** The part of `detail` that says what to do. Pages show it under the title. */
  advice: z.string().optional(),
  code: z.string(),
  /** Distinguishes errors of one code, such as `used` and `expired` of `identity_url_spent`. */
  reason: z.string().optional(),
  /** Also in the `X-Request-Id` header and in the service's log. */
  requestId: z.string(),
  /** One entry per invalid field of the request. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Builds the body of an error from the table. */
export function createProblem(
  code: ErrorCode,
  detail: string,
  requestId: string,
  { advice, reason, errors }: Pick<Problem, 'advice' | 'reason' | 'errors'> = {},
): Problem {
  const { status, title } = errorTable[code];
  return {
    type: problemTypePrefix + code,
    title,
    status,
    detail,
    ...(advice === undefined ? {} : { advice }),
    code,
    ...(reason === undefined ? {} : { reason }),
    requestId,
    ...(errors === undefined ? {} : { errors }),
  };
}

/** Texts of Zod that do not follow the name of a field, and their replacements. */
const rewordings: readonly [RegExp, string][] = [
  [/^Invalid input: expected (.+), received .+$/, 'must be $1'],
  [/^Too big: expected \w+ to (be|have) <=/, 'must $1 at most '],
  [/^Too small: expected \w+ to have >=1 \w+$/, 'must not be empty'],
  [/^Too small: expected \w+ to (be|have) >=/, 'must $1 at least '],
];

const reword = (message: string): string =>
  rewordings.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), message);

// A request can have many unknown fields with long names. These limits keep the answer small.
const maxFieldErrors = 100;
const maxPathLength = 200;

const formatPath = (path: readonly PropertyKey[]): string => {
  const text = path.join('.');
  return text.length > maxPathLength ? `${text.slice(0, maxPathLength)}…` : text;
};

/** Converts issues to the `errors` of a problem, 100 at most. */
export function fieldErrors(error: z.ZodError): NonNullable<Problem['errors']> {
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: formatPath([...issue.path, key]),
          message: 'is not a known field',
        }))
      : [{ path: formatPath(issue.path), message: reword(issue.message) }],
  );
  return errors.slice(0, maxFieldErrors);
}

/** Maximum number of fields that a description names. */
const maxDescribedFields = 5;

/** Describes invalid fields for a problem's `detail`: logs and many programs show nothing else. */
export function describeFieldErrors(errors: NonNullable<Problem['errors']>): string {
  const named = errors
    .slice(0, maxDescribedFields)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const rest = errors.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
