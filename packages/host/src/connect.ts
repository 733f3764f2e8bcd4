import type { PortalClient } from '@portal-embed/client';
import { LRUCache } from 'lru-cache';

import { CallbackFailure, HostConfigurationError, runCallback } from './callback.ts';
import { createGate } from './gate.ts';
import type { Gate } from './gate.ts';
import type { Limits } from './limits.ts';
import { createClient } from './tenant.ts';
import type { Tenant } from './tenant.ts';

/** A tenant with its connections to the portal. */
export interface ConnectedTenant {
  tenant: Tenant;
  client: PortalClient;
  /** Bounds the mints that run at the same time. */
  gate: Gate;
}

const maxConnected = 1_000;

/**
 * Connects tenants to their portals: once for each key, however many host names or look-ups lead to
 * the tenant.
 */
export function createConnect({ timeoutMs, concurrentMints, queuedMints }: Limits) {
  // An evicted connection is not closed, because requests may be using it. Idle sockets close.
  const connected = new LRUCache<string, ConnectedTenant>({ max: maxConnected });

  function open(hostName: string, tenant: Tenant, apiKey: string): ConnectedTenant {
    try {
      const client = createClient(`tenant "${hostName}"`, tenant, apiKey, {
        totalTimeoutMs: timeoutMs,
        // A stalled first attempt leaves time for a second one.
        attemptTimeoutMs: Math.ceil(timeoutMs * 0.6),
        maxConnections: concurrentMints,
      });
      return { tenant, client, gate: createGate(concurrentMints, queuedMints) };
    } catch (error) {
      throw new CallbackFailure('tenants', error);
    }
  }

  return async (hostName: string, tenant: Tenant): Promise<ConnectedTenant> => {
    const apiKey = await readApiKey(tenant);
    // By content, so that a changed key takes effect and two tenants never share a connection.
    const id = JSON.stringify({ ...tenant, apiKey });
    const known = connected.get(id);
    if (known) return known;
    const fresh = open(hostName, tenant, apiKey);
    connected.set(id, fresh);
    return fresh;
  };
}

/** Reads the key of a tenant now. */
export async function readApiKey({ apiKey }: Tenant): Promise<string> {
  if (typeof apiKey === 'string') return apiKey;
  return runCallback('apiKey', async () => {
    const key: unknown = await apiKey();
    if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
    throw new HostConfigurationError(
      'apiKey must return the key as the portal shows it, without spaces or line breaks.',
    );
  });
}
