import type { Authority } from './authority.ts';
import { isHostName } from './authority.ts';
import { runCallback } from './callback.ts';
import { Refusal } from './refusal.ts';
import { checkClientOptions, readOrigin, readTenant } from './tenant.ts';
import type { Tenant, TenantInfo } from './tenant.ts';

type Found = Tenant | null | undefined;

/** Tenants by exact host name, or a function that finds the tenant of a request. */
export type Tenants<Context> =
  | Readonly<Record<string, Tenant>>
  | ((context: Context, hostName: string) => Found | Promise<Found>);

export interface FoundTenant {
  tenant: Tenant;
  info: TenantInfo;
  portalOrigin: string;
  allowedOrigins: ReadonlySet<string>;
}

/** Finds the tenant of a request. Throws the refusal `unknown_tenant` if there is none. */
export type FindTenant<Context> = (
  context: Context,
  authority: Authority | undefined,
) => Promise<FoundTenant>;

/**
 * Creates a look-up of tenants. Checks a table at once.
 *
 * @throws TypeError that says what to fix in the table
 */
export function createFindTenant<Context>(
  tenants: Tenants<Context>,
  caller: string,
): FindTenant<Context> {
  const find =
    typeof tenants === 'function' ? findByFunction(tenants) : findByTable(tenants, caller);
  return async (context, authority) => {
    const tenant = authority && (await find(context, authority.hostName));
    if (!tenant) throw new Refusal('unknown_tenant');
    const { apiUrl, organizationId, portalUrl, allowedOrigins = [] } = tenant;
    return {
      tenant,
      info: { hostName: authority.hostName, apiUrl, organizationId, portalUrl },
      portalOrigin: readOrigin(portalUrl)!,
      allowedOrigins: new Set(allowedOrigins),
    };
  };
}

type Find<Context> = (
  context: Context,
  hostName: string,
) => Tenant | undefined | Promise<Tenant | undefined>;

function findByTable<Context>(
  table: Readonly<Record<string, Tenant>>,
  caller: string,
): Find<Context> {
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw new TypeError(
      `${caller}: tenants must be a table of host names, or a function that finds the tenant of a request.`,
    );
  const byHostName = new Map<string, Tenant>();
  for (const [name, given] of Object.entries(table)) {
    const hostName = name.toLowerCase();
    if (!isHostName(hostName))
      throw new TypeError(
        `${caller}: tenants: "${name}" must be a host name such as acme.app.example, without protocol, port and path.`,
      );
    if (byHostName.has(hostName))
      throw new TypeError(`${caller}: tenants: "${hostName}" is there twice.`);
    const label = `${caller}: tenant "${name}"`;
    const tenant = readTenant(label, given);
    checkClientOptions(label, tenant);
    byHostName.set(hostName, tenant);
  }
  if (byHostName.size === 0)
    throw new TypeError(`${caller}: tenants is empty. Add at least one host name.`);
  return (_, hostName) => byHostName.get(hostName);
}

function findByFunction<Context>(lookUp: Extract<Tenants<Context>, Function>): Find<Context> {
  return (context, hostName) =>
    runCallback('tenants', async () => {
      const found = await lookUp(context, hostName);
      return found ? readTenant(`tenant "${hostName}"`, found) : undefined;
    });
}
