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
 * @param lookup how its name is looked up; default as a browser would
 */
export function lookAt(address: string, lookup = lookupLikeBrowsers): Promise<Look> {
  const { get } = address.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const options = { lookup, timeout: 5_000, headers: { Accept: '*/*' } };
    const request = get(address, options, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.on('timeout', () => request.destroy(new Error('no answer within 5 seconds')));
    request.on('error', reject);
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
