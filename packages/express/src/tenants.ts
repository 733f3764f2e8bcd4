import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

import { readAuthority } from './authority.ts';
import { runCallback } from './callback.ts';
import type { Limits } from './limits.ts';
import { readTenant } from './read-tenant.ts';
import { Refusal } from './refusal.ts';
import { connectTenant } from './tenant.ts';
import type { ConnectedTenant, Tenant, TenantInfo } from './tenant.ts';

/** Tenants by exact host name, or a function that finds the tenant of a request. */
export type Tenants =
  | Readonly<Record<string, Tenant>>
  | ((req: Request) => Tenant | null | undefined | Promise<Tenant | null | undefined>);

export interface FoundTenant extends ConnectedTenant {
  info: TenantInfo;
}

/** Finds the tenant of a request, or throws the refusal `unknown_tenant`. */
export type FindTenant = (req: Request) => Promise<FoundTenant>;

const mostConnected = 1_000;

/** Checks a tenant table at once; throws a `TypeError` that says what to fix. */
export function createFindTenant(tenants: Tenants, limits: Limits): FindTenant {
  const find =
    typeof tenants === 'function' ? byFunction(tenants, limits) : byTable(tenants, limits);
  return async (req) => {
    const authority = readAuthority(req);
    const connected = authority && (await find(req, authority.hostName));
    if (!connected) throw new Refusal('unknown_tenant');
    const { apiUrl, organizationId, portalUrl } = connected.tenant;
    const info = { hostName: authority.hostName, apiUrl, organizationId, portalUrl };
    return { ...connected, info };
  };
}

type Find = (
  req: Request,
  hostName: string,
) => ConnectedTenant | undefined | Promise<ConnectedTenant | undefined>;

function byTable(table: Readonly<Record<string, Tenant>>, limits: Limits): Find {
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw new TypeError(
      'portalEmbed: tenants must be a table of host names, or a function that finds the tenant of a request.',
    );
  const rows = Object.entries(table);
  const connect = createConnect(limits, rows.length);
  const byHostName = new Map<string, ConnectedTenant>();
  for (const [name, tenant] of rows) {
    const hostName = name.toLowerCase();
    if (!/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/.test(hostName))
      throw new TypeError(
        `portalEmbed: tenants: "${name}" must be a host name such as acme.app.example, without protocol, port and path.`,
      );
    if (byHostName.has(hostName))
      throw new TypeError(`portalEmbed: tenants: "${hostName}" is there twice.`);
    byHostName.set(hostName, connect(name, tenant));
  }
  if (byHostName.size === 0)
    throw new TypeError('portalEmbed: tenants is empty; add at least one host name.');
  return (_, hostName) => byHostName.get(hostName);
}

function byFunction(lookUp: Extract<Tenants, Function>, limits: Limits): Find {
  const connect = createConnect(limits, mostConnected);
  return (req, hostName) =>
    runCallback('tenants', async () => {
      const found = await lookUp(req);
      return found ? connect(hostName, found) : undefined;
    });
}

/** Connects to each tenant once, however many host names or look-ups lead to it. */
function createConnect(limits: Limits, most: number) {
  // By content, so that a changed key takes effect and an unchanged tenant keeps its connections.
  // One that is pushed out is not closed, as requests may be using it; idle sockets close themselves.
  const connected = new LRUCache<string, ConnectedTenant>({ max: Math.max(1, most) });
  return (name: string, found: Tenant): ConnectedTenant => {
    const tenant = readTenant(name, found);
    const key = JSON.stringify(tenant);
    const known = connected.get(key);
    if (known) return known;
    const fresh = connectTenant(name, tenant, limits);
    connected.set(key, fresh);
    return fresh;
  };
}
