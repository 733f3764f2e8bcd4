import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns';

import { PortalApiError } from '@portal-embed/client';
import type { PortalClient, PortalErrorCode } from '@portal-embed/client';
import { endpoints, type EndpointName } from '@portal-embed/contract';

import { readApiKey } from '../connect.ts';
import { allowsOrigin, findForbidden, readDirective } from '../csp.ts';
import { createClient, readOrigin, readTenant } from '../tenant.ts';
import type { Tenant } from '../tenant.ts';
import { probe } from './probe.ts';

export interface CheckPortalOptions {
  tenant: Tenant;
  /** Origin of the pages that embed the portal, for example `https://acme.app.example`. */
  hostOrigin: string;
  /** Path of a page that embeds the portal. Its Content-Security-Policy is checked. */
  hostPage?: string | undefined;
  /** A user of the portal, for whom a URL is minted but never opened. Default: none is minted. */
  userEmail?: string | undefined;
  /** Whether the key must also be able to provision users. Default false. */
  provision?: boolean | undefined;
}

export interface Finding {
  check: 'address' | 'clock' | 'key' | 'user' | 'provisioning' | 'embed origins' | 'host page';
  /** False if there is something to fix. */
  ok: boolean;
  /** True if this could not be checked and you must check it yourself; `ok` is then true. */
  warning: boolean;
  /** What was found and, if it is wrong, what to fix. Never contains the key. */
  message: string;
}

const maxClockSkewSeconds = 30;
const callTimeoutMs = 5_000;

/**
 * Checks a tenant against its live portal and says what to fix: address, key and permissions,
 * organization, subdomain, embed origins, clock, and the host's own Content-Security-Policy.
 * Changes nothing in the portal.
 *
 * @throws TypeError if the tenant itself or hostOrigin is not valid.
 */
export async function checkPortal(options: CheckPortalOptions): Promise<Finding[]> {
  const { userEmail, hostPage, hostOrigin } = options;
  if (readOrigin(hostOrigin) !== hostOrigin)
    throw new TypeError(
      `checkPortal: hostOrigin "${hostOrigin}" must be an origin such as https://acme.app.example, without a path.`,
    );
  const tenant = readTenant('checkPortal: tenant', options.tenant);
  const client = createClient('checkPortal: tenant', tenant, await readApiKey(tenant), {
    totalTimeoutMs: callTimeoutMs,
  });
  try {
    const address = await checkAddress(tenant.apiUrl);
    if (address.some(({ check, ok }) => check === 'address' && !ok)) return address;
    return [
      ...address,
      await checkKey(client, tenant),
      ...(userEmail === undefined ? [] : [await checkUser(client, tenant, userEmail)]),
      ...(options.provision ? [await checkProvisioning(client)] : []),
      await checkEmbedOrigins(tenant, hostOrigin),
      ...(hostPage === undefined
        ? []
        : [await checkHostPage(tenant, new URL(hostPage, hostOrigin))]),
    ];
  } finally {
    await client.close();
  }
}

const passed = (check: Finding['check'], message: string): Finding => ({
  check,
  ok: true,
  warning: false,
  message,
});
const warned = (check: Finding['check'], message: string): Finding => ({
  ...passed(check, message),
  warning: true,
});
const failed = (check: Finding['check'], message: string): Finding => ({
  check,
  ok: false,
  warning: false,
  message,
});
const describeError = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function checkAddress(apiUrl: string): Promise<Finding[]> {
  const target = `${apiUrl.replace(/\/+$/, '')}/api/user`;
  try {
    // The API is called by Node and never by a browser.
    const { status, headers } = await probe(target, { lookup });
    if (status !== 401 && status !== 403)
      return [
        failed(
          'address',
          `${target} answered ${status} to a request without a key, where the API answers 401. Set apiUrl to the address in front of /api, without a redirect.`,
        ),
      ];
    return [
      passed('address', `${target} is the API and asks for a key.`),
      compareClocks(headers.date),
    ];
  } catch (error) {
    const what = `${target} does not answer (${describeError(error)}). Check apiUrl, DNS, certificate and firewall.`;
    return [failed('address', what)];
  }
}

function compareClocks(date: string | undefined): Finding {
  const skew = Math.abs(Date.parse(date ?? '') - Date.now()) / 1_000;
  if (Number.isNaN(skew))
    return warned(
      'clock',
      'Could not be checked: the portal answers without a Date header. Let the proxy in front of the portal pass the header on.',
    );
  return skew > maxClockSkewSeconds
    ? failed(
        'clock',
        `The portal's clock is ${Math.round(skew)} s from this machine's. Correct one of them, for example with NTP.`,
      )
    : passed('clock', "The portal's clock agrees with this machine's.");
}

// No user has this address, so nothing is minted; a portal checks everything else first.
const createUnknownUser = () => ({
  userEmail: `portal-embed-check-${randomUUID()}@invalid.example`,
});

const keyAdvice: Partial<Record<PortalErrorCode, string>> = {
  invalid_api_key: 'The portal does not accept apiKey. Create a key in its Settings menu.',
  missing_permission: 'The key lacks the permission identity:mint. Create one that has it.',
  organization_mismatch:
    'organizationId is not the organization of the key. Take both from the same Settings menu.',
  not_found: 'The portal does not know the address. Set apiUrl to the address in front of /api.',
};

async function checkKey(client: PortalClient, tenant: Tenant): Promise<Finding> {
  const { organizationId, portalUrl: baseUrl } = tenant;
  const report = { organizationId, reportId: randomUUID() };
  const error = await client.identity.mintUrl({ ...createUnknownUser(), baseUrl, ...report }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PortalApiError))
    return failed(
      'key',
      'The portal mints URLs for users that it does not have. Ask its operator.',
    );
  if (error.code === 'user_not_found' || (error.code === 'not_found' && error.codeFromStatus))
    return passed('key', 'The key may mint for this organization at this portalUrl.');
  if (error.errors?.some(({ path }) => path === 'baseUrl'))
    return failed(
      'key',
      `portalUrl ${baseUrl} is not registered as an address of the organization. Register it in the portal, or correct it.`,
    );
  return failed('key', keyAdvice[error.code] ?? error.message);
}

async function checkUser(
  client: PortalClient,
  tenant: Tenant,
  userEmail: string,
): Promise<Finding> {
  try {
    const { embedUrl } = await client.identity.mintUrl({ userEmail, baseUrl: tenant.portalUrl });
    const { origin } = new URL(tenant.portalUrl);
    return new URL(embedUrl).origin === origin
      ? passed('user', `A URL for ${userEmail} was minted on ${origin}.`)
      : failed('user', `The URL minted for ${userEmail} is not on ${origin}. Correct portalUrl.`);
  } catch (error) {
    return failed('user', describeError(error));
  }
}

/** Tries changes of an unknown user, which cannot succeed, with each permission of provisioning. */
async function checkProvisioning(client: PortalClient): Promise<Finding> {
  const role = { usersEmails: [], datasetId: randomUUID(), role: randomUUID() };
  const calls: Partial<Record<EndpointName, Promise<unknown>>> = {
    listUsers: client.users.list({ email: createUnknownUser().userEmail }),
    deleteUser: client.users.delete(createUnknownUser()),
    unlinkReports: client.users.unlinkReports({ ...createUnknownUser(), reports: [] }),
    unlinkRlsUsers: client.rls.unlinkUsers(role),
  };
  const answers = await Promise.all(
    Object.entries(calls).map(([name, call]) =>
      call.then(
        () => undefined,
        (error: unknown) => ({
          permission: endpoints[name as EndpointName].permission,
          error: error as PortalApiError,
        }),
      ),
    ),
  );
  const refused = answers.filter((each) => each !== undefined);
  if (refused.some(({ error: { status } }) => status === 401))
    return failed('provisioning', keyAdvice.invalid_api_key!);
  const missing = refused.filter(({ error: { status } }) => status === 403);
  if (missing.length > 0) {
    const names = missing.map(({ permission }) => permission).join(', ');
    return failed('provisioning', `The key lacks ${names}. Create one that has them.`);
  }
  const unclear = refused.find(({ error: { status } }) => ![400, 404, 422].includes(status ?? 0));
  return unclear
    ? failed('provisioning', `${unclear.permission} is not known: ${describeError(unclear.error)}`)
    : passed('provisioning', 'The key may provision users.');
}

async function checkEmbedOrigins(tenant: Tenant, hostOrigin: string): Promise<Finding> {
  const page = `${new URL(tenant.portalUrl).origin}/organizations/${tenant.organizationId}`;
  try {
    const { headers, status } = await probe(page);
    // A portal answers 401 without a session, and sends its policy all the same.
    const isPage = status < 300 || status === 401;
    // The specification names no pages, so another portal may serve them elsewhere.
    if (!isPage)
      return warned(
        'embed origins',
        `Could not be checked: ${page} answered ${status}. Check portalUrl and organizationId and, if they are right, check yourself that the portal lets ${hostOrigin} frame it.`,
      );
    const ancestors = readDirective(headers['content-security-policy'], 'frame-ancestors');
    const isBlocked = ancestors.some((sources) => !allowsOrigin(sources, hostOrigin));
    if (isBlocked || (ancestors.length === 0 && headers['x-frame-options'] !== undefined))
      return failed(
        'embed origins',
        `The portal does not let ${hostOrigin} frame it. Add that origin to the organization's embed origins.`,
      );
    return passed('embed origins', `The portal lets ${hostOrigin} frame it.`);
  } catch (error) {
    const { origin } = new URL(page);
    return failed(
      'embed origins',
      `${origin} does not answer (${describeError(error)}). Check portalUrl and DNS.`,
    );
  }
}

async function checkHostPage(tenant: Tenant, { href: page }: URL): Promise<Finding> {
  const { origin } = new URL(tenant.portalUrl);
  try {
    const { headers, status } = await probe(page);
    if (status >= 300)
      return warned(
        'host page',
        `Could not be checked: ${page} answered ${status}. Name a page that embeds the portal and needs no sign-in.`,
      );
    const forbidden = findForbidden(headers['content-security-policy'], origin);
    return forbidden.length === 0
      ? passed('host page', `The policy of ${page} lets it frame ${origin}.`)
      : failed(
          'host page',
          `The Content-Security-Policy of ${page} does not let it frame ${origin}: ${forbidden.join(' and ')} must name it. Mount portalCsp() after helmet.`,
        );
  } catch (error) {
    return failed('host page', `${page} does not answer (${describeError(error)}).`);
  }
}
