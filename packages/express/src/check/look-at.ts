import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface Look {
  status: number;
  headers: http.IncomingHttpHeaders;
}

// As browsers do it and Node does not (RFC 6761, section 6.3).
const lookupLikeBrowsers: LookupFunction = (hostName, options, callback) =>
  dns.lookup(hostName.endsWith('.localhost') ? 'localhost' : hostName, options, callback);

/**
 * GETs an address without a key and without following redirects; rejects if nothing answers.
 *
 * @param options.lookup how its name is looked up; default as a browser would
 * @param options.patienceMs how long it may take in all, in milliseconds
 */
export function lookAt(
  address: string,
  { lookup = lookupLikeBrowsers, patienceMs = 5_000 } = {},
): Promise<Look> {
  const { get } = address.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const options = { lookup, headers: { Accept: '*/*' } };
    const request = get(address, options, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      // It may never end, and nobody reads it.
      response.destroy();
    });
    // In all: a pause alone would let headers trickle in forever.
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${patienceMs / 1_000} seconds`)),
      patienceMs,
    );
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
  });
}

/** From each policy of a header that has one of the directives, the sources of the first named. */
export function readDirective(
  policies: string | string[] | undefined,
  names: readonly string[],
): string[][] {
  return String(policies ?? '')
    .split(',')
    .flatMap((policy) => {
      const directives = policy.split(';').map((each) => each.trim().split(/\s+/));
      for (const name of names) {
        const found = directives.find(([key]) => key?.toLowerCase() === name);
        if (found) return [found.slice(1)];
      }
      return [];
    });
}

/** Whether a source list lets an origin through: exactly, by scheme, or by a leading wildcard. */
export function allowsOrigin(sources: readonly string[], origin: string): boolean {
  const { protocol, host } = new URL(origin);
  return sources.some((source) => {
    if (source === '*' || source === protocol || source === origin) return true;
    const [, scheme, rest] = /^(?:([a-z]+:)\/\/)?(.+?)\/?$/i.exec(source) ?? [];
    if (rest === undefined || (scheme !== undefined && scheme !== protocol)) return false;
    return rest.startsWith('*.') ? host.endsWith(rest.slice(1)) : rest === host;
  });
}
