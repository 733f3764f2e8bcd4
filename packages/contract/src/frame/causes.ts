import type { HostErrorCode } from '../host/host-errors.ts';
import type { PortalFailureCause } from './schemas.ts';

/**
 * Why an embed shows no report: the codes of the host endpoint, the failures that the portal's page
 * sends, and the failures that only the component can detect.
 */
export type EmbedFailureCause =
  | HostErrorCode
  | PortalFailureCause
  /** The host endpoint could not be reached, or failed without a known code. */
  | 'endpoint_unreachable'
  /** The host endpoint's answer is not an identity URL. */
  | 'endpoint_invalid'
  /** The URL is neither https nor on localhost. */
  | 'insecure_url'
  /** The portal has the origin of the host page, so the sandbox would not protect the page. */
  | 'same_origin'
  /** The portal does not list the host page's origin as an embed origin. */
  | 'blocked_by_portal'
  /** Nothing answers at the portal's address. */
  | 'unreachable'
  /** Another server answers at the portal's address. */
  | 'not_answering'
  /** The page did not load before the deadline. */
  | 'no_response'
  /** The page loaded, but its report did not before the deadline. */
  | 'timed_out'
  /** New URLs are repeatedly refused as used or expired. */
  | 'session_lost';
