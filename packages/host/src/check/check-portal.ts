import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns';

import { PortalApiError } from '@portal-embed/client';
import type { PortalClient, PortalErrorCode } from '@portal-embed/client';
import { endpoints, type EndpointName } from '@portal-embed/contract';

import { readApiKey } from '../connect.ts';
import { createClient, readOrigin, readTenant } from '../tenant.ts';
import type { Tenant } from '../tenant.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { checkFrames } from './check-frames.ts';
import { describeError, failed, passed, warned } from './finding.ts';
import type { Finding } from './finding.ts';
import { probe } from './probe.ts';

export interface CheckPortalOptions {
  tenant: Tenant;
  /** Origin of the pages that embed the portal, for example `https://acme.app.example`. */
  hostOrigin: string;
  /** Path of a page that embeds the portal. Its headers are checked. */
  hostPage?: string | undefined;
  /** Path or address of the host endpoint, which is sent a request that mints nothing. Default: none. */
  endpoint?: string | undefined;
  /**
   * Origins of the pages that frame the host's pages, for example `https://teams.microsoft.com`. Each
   * must be an embed origin. Default: none.
   */
  ancestorOrigins?: readonly string[] | undefined;
  /** A user of the portal, for whom a URL is minted but never opened. Default: none is minted. */
  userEmail?: string | undefined;
  /** Whether the key must also be able to provision users. Default false. */
  provision?: boolean | undefined;
}

const maxClockSkewSeconds = 30;
const callTimeoutMs = 5_000;

/**
 * Checks a tenant against its live portal and says what to fix: address, key and permissions,
 * organization, subdomain, embed origins, clock, the headers of the host's own page, and what
 * answers at the host endpoint. Changes nothing in the portal.
 *
 * @throws TypeError if the tenant itself, an origin or endpoint is not valid.
 */
export async function checkPortal(options: CheckPortalOptions): Promise<Finding[]> {
  const { userEmail, hostPage, hostOrigin, endpoint, ancestorOrigins = [] } = options;
  requireOrigin('hostOrigin', hostOrigin);
  for (const origin of ancestorOrigins) requireOrigin('ancestorOrigins:', origin);
  const endpointUrl = endpoint === undefined ? undefined : readEndpoint(endpoint, hostOrigin);
  const tenant = readTenant('checkPortal: tenant', options.tenant);
  const client = createClient('checkPortal: tenant', tenant, await readApiKey(tenant), {
    totalTimeoutMs: callTimeoutMs,
  });
  try {
    const address = await checkAddress(tenant.apiUrl);
    if (address.some(({ check, ok }) => check === 'address' && !ok)) return address;
    const key = await checkKey(client, tenant);
    return [
      ...address,
      key,
      ...(userEmail === undefined ? [] : [await checkUser(client, tenant, userEmail, key)]),
      ...(options.provision ? [await checkProvisioning(client)] : []),
      ...(await checkFrames({ tenant, hostOrigin, ancestorOrigins, hostPage })),
      ...(endpointUrl ? [await checkEndpoint(endpointUrl, hostOrigin)] : []),
    ];
  } finally {
    await client.close();
  }
}

function requireOrigin(name: string, text: string): void {
  if (readOrigin(text) !== text)
    throw new TypeError(
      `checkPortal: ${name} "${text}" must be an origin such as https://acme.app.example, without a path.`,
    );
}

function readEndpoint(text: string, hostOrigin: string): URL {
  if (URL.canParse(text, hostOrigin)) {
    const url = new URL(text, hostOrigin);
    if (/^https?:$/.test(url.protocol)) return url;
  }
  throw new TypeError(
    `checkPortal: endpoint "${text}" must be a path such as /portal-embed/url, or an http or https address.`,
  );
}

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
  invalid_api_key:
    'The portal does not accept apiKey. Copy the key again, or create one in the portal.',
  missing_permission: 'The key lacks the permission identity:mint. Create one that has it.',
  organization_mismatch:
    'organizationId is not the organization of the key. Take both from the same organization.',
  not_found: 'The portal does not know the address. Set apiUrl to the address in front of /api.',
};

/** A mint for an unknown user, answered by a portal whose errors have no codes. */
const isBareNotFound = (error: unknown) =>
  error instanceof PortalApiError && error.code === 'not_found' && error.codeFromStatus;

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
  if (error.code === 'user_not_found' || isBareNotFound(error))
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
  key: Finding,
): Promise<Finding> {
  try {
    const { embedUrl } = await client.identity.mintUrl({ userEmail, baseUrl: tenant.portalUrl });
    const { origin } = new URL(tenant.portalUrl);
    return new URL(embedUrl).origin === origin
      ? passed('user', `A URL for ${userEmail} was minted on ${origin}.`)
      : failed('user', `The URL minted for ${userEmail} is not on ${origin}. Correct portalUrl.`);
  } catch (error) {
    // The portal may name another reason for the same mistake.
    if (!key.ok) return warned('user', 'Could not be checked. Correct the key first.');
    if (isBareNotFound(error))
      return failed(
        'user',
        `The portal does not know ${userEmail}. Create the user in the portal.`,
      );
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
