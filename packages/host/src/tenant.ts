import { createPortalClient } from '@portal-embed/client';
import { describeIssues, idSchema } from '@portal-embed/contract';
import { z } from 'zod';

import { HostConfigurationError } from './callback.ts';

/** A customer of the host application, and the portal its users see. A plain object. */
export interface Tenant {
  /** Where the portal's API is, for example `https://portal.example`. */
  apiUrl: string;
  /**
   * Allows plain http to other machines, where anybody on the network can read the key. Default
   * false: `apiUrl` must be https, or http to a loopback address.
   */
  allowInsecure?: boolean | undefined;
  /**
   * A key with the permission `identity:mint`, from the Settings menu of the portal. A function is
   * called for each mint, after `authorize`, so that a rotated key takes effect without a restart.
   * Let it return quickly: it counts toward the deadline.
   */
  apiKey: string | (() => string | Promise<string>);
  /** The organization's id in the portal; sent along when the browser asks for one report. */
  organizationId: string;
  /**
   * The organization's address of the portal, for example `https://acme.portal.example`. It is sent
   * as `baseUrl`, and only URLs of this origin reach a browser.
   */
  portalUrl: string;
  /**
   * Other origins whose pages may ask for URLs, for example `https://www.acme.example`. They get
   * CORS headers and answers to preflight requests. Default: none.
   */
  allowedOrigins?: readonly string[] | undefined;
}

/** A tenant as callbacks see it: without its key, so that it can be logged. */
export interface TenantInfo {
  /** The host name of the request, in lower case. */
  hostName: string;
  apiUrl: string;
  organizationId: string;
  portalUrl: string;
}

const isOrigin = (text: string) => readOrigin(text) === text;
const isPortalUrl = (text: string) => {
  if (readOrigin(text) === undefined) return false;
  const { host, search, hash } = new URL(text);
  // The origin goes into headers, where URLs may hold characters with a meaning: `;`, `,` and `*`.
  return /^[\w.:[\]-]+$/.test(host) && search === '' && hash === '';
};
const isFunction = (value: unknown) => typeof value === 'function';

const origin = z
  .string('must be an origin such as https://www.acme.example')
  .refine(isOrigin, 'must be an origin such as https://www.acme.example');

const notAnId =
  'must be the UUID of the organization, which the portal shows on its page Overview or in the address of its Settings menu';
const missingKey = 'is missing. Set the environment variable that it is read from';

const tenantSchema = z.strictObject(
  {
    apiUrl: z.union([z.string(), z.instanceof(URL)], 'must be an address').transform(String),
    allowInsecure: z.boolean('must be true or false').optional(),
    apiKey: z.union(
      [z.string().min(1, missingKey), z.custom<() => string | Promise<string>>(isFunction)],
      missingKey,
    ),
    organizationId: z.string(notAnId).refine((text) => idSchema.safeParse(text).success, notAnId),
    portalUrl: z
      .string('must be an http or https address such as https://acme.portal.example')
      .refine(isPortalUrl, 'must be an http or https address such as https://acme.portal.example'),
    allowedOrigins: z
      .array(origin, 'must be a list of origins such as ["https://www.acme.example"]')
      .optional(),
  } satisfies Record<keyof Tenant, z.ZodType>,
  'must be an object with apiUrl, apiKey, organizationId and portalUrl',
);

/**
 * Checks a tenant and copies it, so that later changes of the given object have no effect.
 *
 * @param label names the tenant in errors
 */
export function readTenant(label: string, given: unknown): Tenant {
  const { data, error } = tenantSchema.safeParse(given);
  if (error) throw new HostConfigurationError(`${label}: ${describeIssues(error)}.`);
  return data;
}

/** Checks what only the client knows to check: the address and the form of the key. */
export function checkClientOptions(label: string, tenant: Tenant): void {
  const { apiKey } = tenant;
  void createClient(label, tenant, typeof apiKey === 'string' ? apiKey : 'not-read-yet').close();
}

/** Creates a client of a tenant's portal. Throws a `HostConfigurationError` that says what to fix. */
export function createClient(
  label: string,
  { apiUrl, allowInsecure }: Tenant,
  apiKey: string,
  options: Partial<Parameters<typeof createPortalClient>[0]> = {},
) {
  try {
    return createPortalClient({ ...options, apiUrl, apiKey, allowInsecure });
  } catch (error) {
    const reason = (error as Error).message.replace(/^createPortalClient: /, '');
    throw new HostConfigurationError(`${label}: ${reason}`, { cause: error });
  }
}

/** Returns the origin of an http or https address; `undefined` for anything else. */
export function readOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin: found } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? found : undefined;
}
