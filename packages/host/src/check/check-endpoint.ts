import { hostErrorCodes, problemTypePrefix } from '@portal-embed/contract';
import type { HostErrorCode, Problem } from '@portal-embed/contract';

import { describeError, failed, passed, warned } from './finding.ts';
import type { Finding } from './finding.ts';
import { probe } from './probe.ts';
import type { ProbeAnswer } from './probe.ts';

const maxRedirects = 5;
const maxProblemLength = 64 * 1024;

/** Filters of a URL may take this many bytes, so nothing in front of the endpoint may refuse them. */
const bodyBytes = 16_384;

/** The endpoint refuses a body that names a user, so nothing is minted, even for a signed-in user. */
const body = JSON.stringify({ userEmail: 'portal-embed-check'.padEnd(bodyBytes, '.') });

const guide = 'See “Behind other middleware” in the guide.';

/**
 * Sends a request like that of the embed, without a session, and reports whether the host endpoint or
 * something in front of it answers.
 */
export async function checkEndpoint(address: URL, hostOrigin: string): Promise<Finding> {
  try {
    const { target, answer, location } = await followRedirects(address, hostOrigin);
    if (location) return explainRedirect(address, location, hostOrigin);
    const problem = readProblem(answer.text);
    if (problem) return explainProblem(target.href, problem, hostOrigin);
    // A redirect that keeps the method leads to a page only if a middleware asks for a sign-in.
    return target.href === address.href
      ? explainForeignAnswer(target.href, answer)
      : explainRedirect(address, target, hostOrigin);
  } catch (error) {
    return warned(
      'endpoint',
      `Could not be checked: ${address.href} does not answer (${describeError(error)}). Start your application and run this again.`,
    );
  }
}

interface Followed {
  target: URL;
  answer: ProbeAnswer;
  /** Where the last answer redirects to, if this is not followed. */
  location?: URL;
}

/** Follows redirects within the origin that keep the method, such as those for a trailing slash. */
async function followRedirects(
  target: URL,
  hostOrigin: string,
  left = maxRedirects,
): Promise<Followed> {
  const answer = await probe(target.href, {
    headers: createHeaders(target, hostOrigin),
    body,
    maxTextLength: maxProblemLength,
  });
  const { status, headers } = answer;
  const to = headers.location;
  if (status < 300 || status >= 400 || to === undefined || !URL.canParse(to, target.href))
    return { target, answer };
  const location = new URL(to, target);
  const keepsMethod = status === 307 || status === 308;
  return keepsMethod && location.origin === target.origin && left > 0
    ? followRedirects(location, hostOrigin, left - 1)
    : { target, answer, location };
}

/** The headers that a browser sends, because middleware checks them. */
function createHeaders({ origin, protocol, hostname }: URL, hostOrigin: string) {
  const isTrustworthy = protocol === 'https:' || /(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname);
  return {
    'Content-Type': 'application/json',
    Origin: hostOrigin,
    // Browsers send these only to origins that they trust.
    ...(isTrustworthy && {
      'Sec-Fetch-Site': origin === hostOrigin ? 'same-origin' : 'cross-site',
      'Sec-Fetch-Mode': 'cors',
      'Sec-Fetch-Dest': 'empty',
    }),
  };
}

function explainRedirect({ href, origin, pathname }: URL, to: URL, hostOrigin: string): Finding {
  // The query of a sign-in page can hold secrets.
  const where = `${href} redirects to ${to.origin}${to.pathname}`;
  const isMoved = to.pathname === pathname && to.origin !== origin;
  return failed(
    'endpoint',
    isMoved && origin === hostOrigin
      ? `${where}. If your pages come from there, pass --origin ${to.origin}; otherwise exclude the endpoint from the redirect.`
      : `${where}: a middleware in front of the endpoint answers, for example with a sign-in page. Exclude the endpoint from it; portalEmbed checks the session itself. ${guide}`,
  );
}

type OwnProblem = Problem & { code: HostErrorCode };

/** Reads a problem of the host endpoint. Other programs have problems of other types. */
function readProblem(text: string): OwnProblem | undefined {
  try {
    const problem = JSON.parse(text) as OwnProblem | null;
    return hostErrorCodes.find((code) => problem?.type === problemTypePrefix + code) && problem!;
  } catch {
    return undefined;
  }
}

function explainProblem(
  address: string,
  { code, detail }: OwnProblem,
  hostOrigin: string,
): Finding {
  if (['not_signed_in', 'invalid_request', 'rate_limited'].includes(code))
    return passed(
      'endpoint',
      `${address} is the host endpoint, and nothing in front of it answers.`,
    );
  const reasons: Partial<Record<HostErrorCode, string>> = {
    unknown_tenant:
      'has no tenant for this host name. Add it to tenants; behind a proxy, pass on the Host header or set trust proxy.',
    cross_site: `refuses pages of ${hostOrigin}. If the endpoint has another origin, add ${hostOrigin} to allowedOrigins of the tenant; otherwise pass on the Host header and set trust proxy.`,
  };
  const reason =
    reasons[code] ??
    `answers ${code} to a request without a session: ${detail} The log of the application names the callback that failed.`;
  return failed('endpoint', `${address} ${reason}`);
}

/** Usual causes of an answer that is not from the host endpoint, and what to do. */
const advice: Record<number, string> = {
  403: `Either CSRF protection, a sign-in middleware or a firewall answers before the endpoint, or the endpoint is not mounted at this path and CSRF protection refuses the request. Mount the endpoint at this path before them, or exclude it from them; portalEmbed refuses requests of other sites itself. If it has another path, pass that with --endpoint. ${guide}`,
  404: `The endpoint is not mounted at this path, or a middleware such as Clerk's answers 404 to requests without a session. Mount it there, pass its path with --endpoint, or exclude it from the middleware. ${guide}`,
  405: 'Another route answers at this path and does not accept POST. Mount the endpoint before it, or pass the path of the endpoint with --endpoint.',
  413: `A server or body parser in front of the endpoint refuses a body of ${bodyBytes} bytes, which the filters of a report can need. Raise its limit to 256 kB, or exclude the endpoint from it.`,
  429: 'A rate limit in front of the endpoint refuses the request. Wait and run this again. If readers share an address, exclude the endpoint from the limit.',
};

function explainForeignAnswer(address: string, { status, headers }: ProbeAnswer): Finding {
  const type = headers['content-type']?.split(';')[0];
  const answered = `${address} answers ${status}${type ? ` with ${type}` : ''}, which is not from the host endpoint.`;
  if (status === 401)
    return warned(
      'endpoint',
      `Could not be checked: ${answered} A sign-in middleware in front refuses requests without a session. Exclude the endpoint from it and run this again; portalEmbed checks the session itself. ${guide}`,
    );
  if (Object.keys(headers).some((name) => name.startsWith('x-clerk-auth')))
    return failed(
      'endpoint',
      `${answered} Clerk's middleware refuses requests without a session. Exclude the endpoint from it; portalEmbed checks the session itself. ${guide}`,
    );
  const what =
    advice[status] ??
    (status >= 500
      ? 'The application or a proxy in front of it failed. Read its log.'
      : status < 300
        ? 'Another route or a page answers. Mount the endpoint before it, or pass the path of the endpoint with --endpoint.'
        : `A middleware in front of the endpoint refuses the request. Exclude the endpoint from it. ${guide}`);
  return failed('endpoint', `${answered} ${what}`);
}
