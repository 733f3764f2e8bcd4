import type { HostErrorCode } from '../host/errors.ts';
import type { PortalFailureCause } from './schemas.ts';

/**
 * Why an embed shows no report: a closed union. The host endpoint's codes, what the portal's page
 * says of itself, and what only the component can see.
 */
export type EmbedFailureCause =
  | HostErrorCode
  | PortalFailureCause
  /** The host endpoint could not be reached, or failed without saying why. */
  | 'endpoint_unreachable'
  /** The host endpoint answered something else than an identity URL. */
  | 'endpoint_invalid'
  /** The URL is neither https nor on localhost. */
  | 'insecure_url'
  /** The portal is on the host page's own origin, where the sandbox would not hold. */
  | 'same_origin'
  /** The host page's Content-Security-Policy has no `frame-src` for the portal. */
  | 'blocked_by_host'
  /** The portal does not list the host page's origin as an embed origin. */
  | 'blocked_by_portal'
  /** Nothing answers at the portal's address. */
  | 'unreachable'
  /** Something answers at the portal's address, but not a page of the portal. */
  | 'not_answering'
  /** No answer from the frame before the deadline. */
  | 'no_response'
  /** The page came up but its report did not, before the deadline. */
  | 'timed_out'
  /** Fresh URLs keep being refused as used or expired. */
  | 'session_lost';
