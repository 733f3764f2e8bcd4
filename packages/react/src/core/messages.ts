import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import type { EmbedOptions } from './options.ts';

export const defaultEndpoint = '/portal-embed/url';

/** Messages are sentences of at most this many characters. */
const maxLength = 80;

/** Replaces `*` with an address, shortened so that the message is not too long. */
const insertAddress = (text: string, address: string) => {
  const room = maxLength + 1 - text.length;
  return text.replace('*', () =>
    address.length > room ? `${address.slice(0, room - 1)}…` : address,
  );
};

/** Usual causes of an answer that is not from the host endpoint. */
const hints: Record<number, string> = {
  403: 'not mounted, or CSRF protection answered',
  404: 'not mounted, or a middleware answered',
  405: 'it does not accept POST',
  408: 'the request took too long',
  413: 'a server in front limits the size',
  425: 'it is not ready',
};

const findReason = (cause: EmbedFailureCause, status: number) => {
  if (cause === 'not_signed_in') return 'sign in';
  // The code of a host endpoint that sends no text.
  if (!cause.startsWith('endpoint')) return cause.replaceAll('_', ' ');
  if (hints[status]) return hints[status];
  if (status < 300) return 'not an identity URL';
  return status < 500 ? 'a middleware answered' : 'the server failed';
};

/** Describes the answer to a request for a URL. Without a status, there was no answer. */
export function describeAnswer(
  cause: EmbedFailureCause,
  { endpoint = defaultEndpoint, fetchIdentityUrl }: EmbedOptions,
  status?: number,
): string {
  let text = 'No answer from *.';
  if (cause === 'not_signed_in' && status !== 401)
    text = '* redirects: sign in, or exclude it from the redirect.';
  else if (status) text = `${status} from *: ${findReason(cause, status)}.`;
  return insertAddress(text, fetchIdentityUrl ? 'fetchIdentityUrl' : endpoint);
}

/** Texts of the causes that only the host's page can see. `*` is the origin of the portal. */
const failures = {
  insecure_url: '* must use https. Only localhost may use http.',
  same_origin: "* is this page's own origin. Give the portal another one.",
  blocked_by_host: "Add * to frame-src of this page's security policy.",
  blocked_by_portal: '* does not list this page as an embed origin.',
  unreachable: 'Nothing answers at *.',
  not_answering: '* does not answer, or this page is not an embed origin.',
  no_response: 'The page of * did not load in time.',
  timed_out: '* did not show the report in time.',
  session_lost: '* refused each new URL as used or expired.',
  report_not_accessible: 'The reader may not open this report.',
  report_failed: 'The portal could not compute this report.',
  filters_not_applied: 'This report lacks the column of a filter.',
} satisfies Partial<Record<EmbedFailureCause, string>>;

/** Text of `blocked_by_host` if the portal's page, which the host's policy allows, sends it. */
export const isolationText = 'This browser cannot isolate the report, as this page requires.';

export type FrameFailureCause = keyof typeof failures;

/** Texts for a host page in a frame, because browsers check every page around the portal's. */
const framedFailures: Partial<typeof failures> = {
  blocked_by_portal: '* refused. Every ancestor must be an embed origin.',
  not_answering: 'No answer from *. Every ancestor must be an embed origin.',
};

/** Describes a failure of the frame. `isFramed`: another page frames the host page. */
export const describeFailure = (cause: FrameFailureCause, origin: string, isFramed = false) =>
  insertAddress((isFramed && framedFailures[cause]) || failures[cause], origin);
