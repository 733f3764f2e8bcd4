import { allowsOrigin, findForbidden, readDirective } from '../csp.ts';
import type { Tenant } from '../tenant.ts';
import { describeError, failed, passed, warned } from './finding.ts';
import type { Finding } from './finding.ts';
import { probe } from './probe.ts';
import type { ProbeAnswer } from './probe.ts';

interface FrameOptions {
  tenant: Tenant;
  hostOrigin: string;
  ancestorOrigins: readonly string[];
  hostPage: string | undefined;
}

type Headers = ProbeAnswer['headers'];

/**
 * Checks whether browsers show the portal in the host's pages: the embed origins, the policy of a page,
 * and cross-origin isolation.
 */
export async function checkFrames(options: FrameOptions): Promise<Finding[]> {
  const { tenant, hostOrigin, ancestorOrigins, hostPage } = options;
  const portal = await probePortalPage(tenant, hostOrigin);
  const embedOrigins =
    portal.finding ?? checkEmbedOrigins(portal.headers, hostOrigin, ancestorOrigins);
  if (hostPage === undefined) return [embedOrigins];
  const page = new URL(hostPage, hostOrigin).href;
  return [embedOrigins, ...(await checkHostPage(tenant, page, ancestorOrigins, portal.headers))];
}

/** The headers of the portal's pages, or why they are unknown. */
type PortalPage = { headers: Headers; finding?: never } | { headers?: never; finding: Finding };

async function probePortalPage(tenant: Tenant, hostOrigin: string): Promise<PortalPage> {
  const { origin } = new URL(tenant.portalUrl);
  const page = `${origin}/organizations/${tenant.organizationId}`;
  try {
    const { headers, status } = await probe(page);
    // A portal answers 401 without a session, and this answer has the headers, too.
    if (status < 300 || status === 401) return { headers };
    // The specification names no pages, so another portal may serve them elsewhere.
    const what = `Could not be checked: ${page} answered ${status}. Check portalUrl and organizationId and, if they are right, check yourself that the portal lets ${hostOrigin} frame it.`;
    return { finding: warned('embed origins', what) };
  } catch (error) {
    const what = `${origin} does not answer (${describeError(error)}). Check portalUrl and DNS.`;
    return { finding: failed('embed origins', what) };
  }
}

/** Whether the headers of a page let pages of an origin frame it. */
function allowsAncestor(headers: Headers, origin: string): boolean {
  const ancestors = readDirective(headers['content-security-policy'], 'frame-ancestors');
  return ancestors.length === 0
    ? headers['x-frame-options'] === undefined
    : ancestors.every((sources) => allowsOrigin(sources, origin));
}

function checkEmbedOrigins(
  portal: Headers,
  hostOrigin: string,
  ancestorOrigins: readonly string[],
): Finding {
  const all = [...new Set([hostOrigin, ...ancestorOrigins])];
  const refused = all.filter((origin) => !allowsAncestor(portal, origin));
  if (refused.length > 0)
    return failed(
      'embed origins',
      `The portal does not let ${refused.join(' and ')} frame it. Add ${refused.length === 1 ? 'that origin' : 'those origins'} to the organization's embed origins.${refused.some((origin) => origin !== hostOrigin) ? ' The origin of each page around the report must be one.' : ''}${refused.includes(hostOrigin) ? ' If your pages have another origin, pass that with --origin.' : ''}`,
    );
  const hint =
    ancestorOrigins.length === 0
      ? ' If other pages frame yours, such as Teams or SharePoint, each of their origins must also be an embed origin: check them with --ancestor.'
      : '';
  return passed('embed origins', `The portal lets ${all.join(' and ')} frame it.${hint}`);
}

async function checkHostPage(
  tenant: Tenant,
  page: string,
  ancestorOrigins: readonly string[],
  portal: Headers | undefined,
): Promise<Finding[]> {
  try {
    const { headers, status } = await probe(page);
    if (status >= 300)
      return [
        warned(
          'host page',
          `Could not be checked: ${page} answered ${status}. Name a page that embeds the portal and needs no sign-in.`,
        ),
      ];
    return [
      checkPolicy(tenant, page, headers, ancestorOrigins),
      ...(portal === undefined ? checkUpgrade(tenant, page, headers) : []),
      ...checkIsolation(page, headers, portal),
    ];
  } catch (error) {
    return [
      failed(
        'host page',
        `${page} does not answer (${describeError(error)}). Start your application, or correct the address.`,
      ),
    ];
  }
}

function checkPolicy(
  tenant: Tenant,
  page: string,
  headers: Headers,
  ancestorOrigins: readonly string[],
): Finding {
  const { origin } = new URL(tenant.portalUrl);
  const forbidden = findForbidden(headers['content-security-policy'], origin);
  if (forbidden.length > 0)
    return failed(
      'host page',
      `The Content-Security-Policy of ${page} does not let it frame ${origin}: ${forbidden.join(' and ')} must name it. Mount portalCsp().`,
    );
  const refused = ancestorOrigins.filter((each) => !allowsAncestor(headers, each));
  if (refused.length > 0)
    return failed(
      'host page',
      `${page} does not let ${refused.join(' and ')} frame it. Name ${refused.length === 1 ? 'that origin' : 'those origins'} in frame-ancestors of its Content-Security-Policy.`,
    );
  return passed(
    'host page',
    `The policy of ${page} lets it frame ${origin}. A policy in a <meta> element was not checked.`,
  );
}

/** Our portal does not redirect a frame. The pages of another vendor may. */
function checkUpgrade(tenant: Tenant, page: string, headers: Headers): Finding[] {
  const { origin, protocol } = new URL(tenant.portalUrl);
  const directive = 'upgrade-insecure-requests';
  const isSet = readDirective(headers['content-security-policy'], directive).length > 0;
  if (protocol !== 'http:' || !isSet) return [];
  return [
    warned(
      'host page',
      `The policy of ${page} has ${directive}: if ${origin} redirects, Chromium follows the redirect with https, and the policy blocks the report. Remove the directive; in helmet, set upgradeInsecureRequests: null.`,
    ),
  ];
}

/** A page with this header can frame only pages that also have it. */
function checkIsolation(page: string, host: Headers, portal: Headers | undefined): Finding[] {
  const policy = readEmbedderPolicy(host);
  if (policy === undefined) return [];
  const what = `${page} has Cross-Origin-Embedder-Policy: ${policy}, so browsers show only frames whose pages also have this header`;
  if (portal === undefined)
    return [
      warned(
        'isolation',
        `${what}. Could not be checked for the portal: check that its pages send the header.`,
      ),
    ];
  return [
    readEmbedderPolicy(portal) === undefined
      ? failed(
          'isolation',
          `${what}, but the portal's pages do not have it. Update the portal, or remove the header from this page.`,
        )
      : passed('isolation', `${what}. The portal's pages have it.`),
  ];
}

/** Returns the value that isolates a page; `undefined` if it has none. */
const readEmbedderPolicy = (headers: Headers) =>
  /^\s*(require-corp|credentialless)\s*(;|$)/.exec(
    String(headers['cross-origin-embedder-policy'] ?? ''),
  )?.[1];
