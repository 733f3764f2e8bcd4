import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface ProbeAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
}

// Browsers resolve *.localhost to this machine, Node does not (RFC 6761, section 6.3).
const lookupLikeBrowsers: LookupFunction = (hostName, options, callback) =>
  dns.lookup(hostName.endsWith('.localhost') ? 'localhost' : hostName, options, callback);

/**
 * GETs an address without a key and without following redirects; rejects if nothing answers.
 *
 * @param options.lookup resolves the host name; default: as browsers do
 * @param options.timeoutMs how long the request may take in total, in milliseconds
 */
export function probe(
  address: string,
  { lookup = lookupLikeBrowsers, timeoutMs = 5_000 } = {},
): Promise<ProbeAnswer> {
  const { get } = address.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const options = { lookup, headers: { Accept: '*/*' } };
    const request = get(address, options, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      // The body may never end, and is not needed.
      response.destroy();
    });
    // A limit on pauses alone would let headers trickle in forever.
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1_000} seconds`)),
      timeoutMs,
    );
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
  });
}
