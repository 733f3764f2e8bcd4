import type { EmbedFailureCause } from '@portal-embed/contract/frame';

export const defaultEndpoint = '/portal-embed/url';

/** Messages are sentences of at most 80 characters. */
const maxAddressLength = 27;

const shorten = (address: string) =>
  address.length > maxAddressLength ? `${address.slice(0, maxAddressLength - 1)}…` : address;

/** What usually causes an answer that is not of the host endpoint. */
const hints: Record<number, string> = {
  403: 'check CSRF protection and firewalls',
  404: 'not mounted, or a middleware answered',
  405: 'it does not accept POST',
  413: 'a server in front limits the size',
};

/** Describes an answer to the request of a URL. Without a status there was none. */
export function describeAnswer(
  cause: EmbedFailureCause,
  endpoint = defaultEndpoint,
  status?: number,
): string {
  const path = shorten(endpoint);
  const answer = status ? `${status} from ${path}` : `No answer from ${path}`;
  if (cause === 'not_signed_in')
    return status === 401
      ? `${answer}: sign in.`
      : `${path} redirects: sign in, or exclude it from the redirect.`;
  if (cause === 'rate_limited') return `${answer}: too many requests.`;
  if (cause === 'endpoint_unreachable')
    return status ? `${answer}: the server failed.` : `${answer}.`;
  return `${answer}: ${hints[status!] ?? (status! < 300 ? 'not an identity URL' : 'a middleware answered')}.`;
}

/** `*` is the origin of the portal. */
const failures: Partial<Record<EmbedFailureCause, string>> = {
  insecure_url: '* is not https, which only localhost may be.',
  same_origin: '* is the origin of this page; give the portal another.',
  blocked_by_host: "Add * to frame-src of this page's security policy.",
  blocked_by_portal: '* does not list this page as an embed origin.',
  unreachable: 'Nothing answers at *.',
  not_answering: '* does not answer, or this page is no embed origin.',
  no_response: 'The page of * did not load in time.',
  timed_out: 'The report of * was not shown in time.',
  session_lost: '* refuses each new URL as used or expired.',
  report_not_accessible: 'The reader may not open this report.',
  report_failed: 'The portal could not compute this report.',
  filters_not_applied: 'This report lacks the column of a filter.',
};

/** Describes a failure of the frame. `isFramed`: the host page is in a frame itself. */
export const describeFailure = (
  cause: EmbedFailureCause,
  origin = 'The portal',
  isFramed = false,
): string | undefined =>
  (isFramed && cause === 'not_answering'
    ? '* does not answer, or a page around is no embed origin.'
    : failures[cause]
  )?.replace('*', shorten(origin));
