import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

export interface ProbeAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The beginning of the body: about `maxTextLength` characters. */
  text: string;
}

export interface ProbeOptions {
  /** Resolves the host name. Default: as browsers do. */
  lookup?: LookupFunction;
  /** How long the request may take in total, in milliseconds. Default 5,000. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Sent with POST. Default: a GET without a body. */
  body?: string;
  /** How much of the answer's body is read. Default 0: none. */
  maxTextLength?: number;
}

// Browsers resolve *.localhost to this machine, Node does not (RFC 6761, section 6.3).
const lookupLikeBrowsers: LookupFunction = (hostName, options, callback) =>
  dns.lookup(hostName.endsWith('.localhost') ? 'localhost' : hostName, options, callback);

/** Requests an address without a key and without following redirects; rejects if nothing answers. */
export function probe(
  address: string,
  {
    lookup = lookupLikeBrowsers,
    timeoutMs = 5_000,
    headers,
    body,
    maxTextLength = 0,
  }: ProbeOptions = {},
): Promise<ProbeAnswer> {
  const { request: send } = address.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const options = {
      lookup,
      method: body === undefined ? 'GET' : 'POST',
      headers: { Accept: '*/*', ...headers },
    };
    const request = send(address, options, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      readText(response, maxTextLength).then(
        (text) => resolve({ status, headers: received, text }),
        reject,
      );
    });
    // A limit on pauses alone would let headers trickle in forever.
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1_000} seconds`)),
      timeoutMs,
    );
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
    request.end(body);
  });
}

/** Reads the beginning of a body, which may never end, and closes the connection. */
async function readText(response: http.IncomingMessage, maxLength: number): Promise<string> {
  let text = '';
  if (maxLength > 0)
    for await (const part of response.setEncoding('utf8')) {
      text += part;
      if (text.length >= maxLength) break;
    }
  response.destroy();
  return text;
}
