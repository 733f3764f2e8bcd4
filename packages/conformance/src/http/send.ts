import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

import { shorten } from '../shorten.ts';
import type { Redact } from './redact.ts';

/** Nothing usable came back: no connection, no answer in time, or an answer without end. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface SentRequest {
  method: string;
  url: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Uint8Array;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The beginning of the text, without secrets. Of an HTML page, the text between its tags. */
  excerpt: string;
  /** When the request began and the answer ended, by the clock of this machine. */
  sentAt: number;
  receivedAt: number;
}

interface SendOptions {
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
  /** Removes secrets from excerpts. */
  redact: Redact;
}

const maxExcerptLength = 160;
/** Of a page, only its beginning is searched for tags. */
const maxHtmlLength = 50_000;

// Browsers resolve *.localhost to this machine, Node does not (RFC 6761, section 6.3).
const lookup: LookupFunction = (hostName, options, callback) =>
  dns.lookup(hostName.endsWith('.localhost') ? 'localhost' : hostName, options, callback);

// Without kept connections, because a server may close one at the moment of the next request.
const agents = {
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false }),
};

/**
 * Sends one request as given: adds no header, and follows no redirect, which could carry the API key
 * to another origin.
 *
 * @throws NoAnswer
 */
export function send(
  { method, url, headers, body }: SentRequest,
  { timeoutMs, maxBytes, signal, redact }: SendOptions,
): Promise<Answer> {
  const isSecure = url.startsWith('https:');
  const sentAt = Date.now();
  return new Promise((resolve, reject) => {
    const agent = isSecure ? agents.https : agents.http;
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const request = (isSecure ? https : http).request(url, {
      method,
      agent,
      lookup,
      headers: { ...length, ...headers },
    });
    // A limit on pauses alone would let an answer trickle in forever.
    const timer = setTimeout(
      () => end(`no complete answer within ${Math.round(timeoutMs / 100) / 10} seconds`),
      timeoutMs,
    );
    const onAbort = () => end('the run was interrupted');
    signal.addEventListener('abort', onAbort, { once: true });

    function finish(settle: () => void) {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
      request.destroy();
    }
    function end(reason: string) {
      finish(() => reject(new NoAnswer(`${method} ${new URL(url).pathname}: ${reason}`)));
    }

    request.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxBytes) end(`the answer has more than ${maxBytes} bytes`);
      });
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response;
        const text = Buffer.concat(chunks).toString('utf8');
        // In this order, because the removal does not recognize a part of a secret.
        const cleaned = redact(text);
        const shown = isHtml(received) ? removeTags(cleaned.slice(0, maxHtmlLength)) : cleaned;
        const excerpt = shorten(shown.replaceAll(/\s+/g, ' ').trim(), maxExcerptLength);
        const times = { sentAt, receivedAt: Date.now() };
        finish(() => resolve({ status, headers: received, text, excerpt, ...times }));
      });
    });
    request.end(body);
  });
}

const isHtml = (headers: http.IncomingHttpHeaders): boolean =>
  /^text\/html\s*(?:;|$)/i.test(headers['content-type'] ?? '');

// Each alternative ends at its own beginning, so that the time is linear in the length of a hostile page.
const tags = /<!--(?:(?!<!--)[^])*?-->|<(script|style)\b(?:(?!<\1)[^])*?<\/\1>|<[^<>]*>/gi;
const removeTags = (page: string): string => page.replaceAll(tags, ' ');

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Parses the body of an answer; `undefined` if it is not JSON. */
export function readJson({ text }: Answer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Describes an answer: its status and the beginning of its body. */
export function describeAnswer({ status, headers, text, excerpt }: Answer): string {
  if (text === '') return `${status} without a body`;
  const type = headers['content-type']?.split(';')[0] ?? 'no content type';
  return `${status} with ${type}${excerpt === '' ? '' : `: ${excerpt}`}`;
}
