import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns';
import dns from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** After this time, a connection uses the last known addresses and the look-up continues. */
const maxWaitMs = 200;

type Resolve = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

/**
 * Looks up the host name of a client's portal, one look-up at a time. Node runs look-ups on a few
 * threads that the whole process shares and cannot cancel, so a resolver that does not answer blocks
 * only one of them. If other look-ups have taken all threads, the last known addresses stay in use.
 */
export function createLookup(resolve: Resolve = dns.lookup): LookupFunction {
  let pending: Promise<LookupAddress[]> | undefined;
  let startedAt = 0;
  let known: LookupAddress[] | undefined;

  async function resolveAll(name: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    startedAt = performance.now();
    try {
      known = await resolve(name, options);
      return known;
    } catch (error) {
      // The resolver is unavailable; the name may still exist.
      const { code } = error as NodeJS.ErrnoException;
      if (known && code === 'EAI_AGAIN') return known;
      if (code === 'ENOTFOUND') known = undefined;
      throw error;
    } finally {
      pending = undefined;
    }
  }

  async function waitBriefly(lookUp: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const lastKnown = known;
    if (!lastKnown) return lookUp;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<LookupAddress[]>((expire) => {
      timer = setTimeout(expire, startedAt + maxWaitMs - performance.now(), lastKnown);
    });
    return Promise.race([lookUp, timeout]).finally(() => clearTimeout(timer));
  }

  const lookup = callbackify((name: string, options: LookupOptions) => {
    pending ??= resolveAll(name, { ...options, all: true });
    return waitBriefly(pending);
  });

  return (name, options, callback) =>
    lookup(name, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || options.all) callback(error, addresses);
      else callback(null, first!.address, first!.family);
    });
}
