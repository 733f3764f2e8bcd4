import { AxiosHeaders } from 'axios';
import type { AxiosAdapter } from 'axios';
import { Pool } from 'undici';

import { createLookup } from './lookup.ts';
import type { ClientSettings } from './options.ts';

// Much more than the largest page of users with all their report ids.
export const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Sends axios requests with undici, which needs less processor time than the adapters of axios
 * (packages/docs/decisions/client). undici's `request` follows no redirects.
 */
export function createUndiciAdapter({
  apiUrl,
  attemptTimeoutMs,
  maxConnections,
}: Pick<ClientSettings, 'apiUrl' | 'attemptTimeoutMs' | 'maxConnections'>): {
  send: AxiosAdapter;
  close: () => Promise<void>;
} {
  // Parsed once, because parsing takes longer than the rest of a request.
  const { origin, pathname } = new URL(apiUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: maxConnections,
    maxResponseSize: maxAnswerBytes,
    connect: { timeout: attemptTimeoutMs, lookup: createLookup() },
  });
  const send: AxiosAdapter = async (config) => {
    const { statusCode, headers, body } = await pool.request({
      path: prefix + config.url!,
      method: config.method!.toUpperCase(),
      headers: config.headers.toJSON() as Record<string, string>,
      body: (config.data as string | Uint8Array | undefined) ?? null,
      signal: (config.signal as AbortSignal | undefined) ?? null,
    });
    return {
      status: statusCode,
      statusText: '',
      headers: pickHeaders(headers),
      data: await body.text(),
      config,
    };
  };
  return { send, close: () => pool.close() };
}

// Parsing all headers takes longer than sending the request.
const usedHeaders = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'];

function pickHeaders(headers: Record<string, string | string[] | undefined>): AxiosHeaders {
  const picked = new AxiosHeaders();
  for (const name of usedHeaders)
    if (typeof headers[name] === 'string') picked[name] = headers[name];
  return picked;
}
