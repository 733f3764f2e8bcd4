import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns';
import dns from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** How long a look-up may take, in milliseconds, before the last known addresses take its place. */
const patienceMs = 200;

type Resolve = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

/**
 * Looks up the one name that a client connects to. Node does that on a few threads that the whole
 * process shares, and nothing ends it early. So a name that nobody answers for takes one of them, however
 * many connections wait for it; and where other names have taken them all, a name that was known
 * stays what it was.
 */
export function createLookup(resolve: Resolve = dns.lookup): LookupFunction {
  let running: Promise<LookupAddress[]> | undefined;
  let startedAt = 0;
  let known: LookupAddress[] | undefined;

  async function look(name: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    startedAt = performance.now();
    try {
      known = await resolve(name, options);
      return known;
    } catch (error) {
      // It is the resolver that is away, not the name.
      const { code } = error as NodeJS.ErrnoException;
      if (known && code === 'EAI_AGAIN') return known;
      if (code === 'ENOTFOUND') known = undefined;
      throw error;
    } finally {
      running = undefined;
    }
  }

  async function lookBriefly(looking: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const before = known;
    if (!before) return looking;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<LookupAddress[]>((give) => {
      timer = setTimeout(give, startedAt + patienceMs - performance.now(), before);
    });
    return Promise.race([looking, patience]).finally(() => clearTimeout(timer));
  }

  const lookUp = callbackify((name: string, options: LookupOptions) => {
    running ??= look(name, { ...options, all: true });
    return lookBriefly(running);
  });

  return (name, options, callback) =>
    lookUp(name, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || options.all) callback(error, addresses);
      else callback(null, first!.address, first!.family);
    });
}
