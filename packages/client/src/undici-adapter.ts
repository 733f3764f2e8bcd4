import { AxiosHeaders } from 'axios';
import type { AxiosAdapter } from 'axios';
import { Pool } from 'undici';

import { createLookup } from './lookup.ts';
import type { ClientSettings } from './options.ts';

/** In bytes; the largest page of users with all their report ids stays far below. */
export const longestAnswer = 32 * 1024 * 1024;

/**
 * Carries axios requests over undici, for less processor time than axios' own adapter on Node takes
 * (packages/benchmarks/results/mint.md). `request` follows no redirects.
 */
export function createUndiciAdapter({
  apiUrl,
  attemptTimeoutMs,
  maxConnections,
}: Pick<ClientSettings, 'apiUrl' | 'attemptTimeoutMs' | 'maxConnections'>): {
  adapter: AxiosAdapter;
  close: () => Promise<void>;
} {
  // Once, and not with each request: reading an address costs more than all else here.
  const { origin, pathname } = new URL(apiUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections: maxConnections,
    maxResponseSize: longestAnswer,
    connect: { timeout: attemptTimeoutMs, lookup: createLookup() },
  });
  const adapter: AxiosAdapter = async (config) => {
    const { statusCode, headers, body } = await pool.request({
      path: prefix + config.url!,
      method: config.method!.toUpperCase(),
      headers: config.headers.toJSON() as Record<string, string>,
      body: (config.data as string | undefined) ?? null,
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
  return { adapter, close: () => pool.close() };
}

// Parsing all of them would cost more than sending the request.
const usedHeaders = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'];

function pickHeaders(headers: Record<string, string | string[] | undefined>): AxiosHeaders {
  const picked = new AxiosHeaders();
  for (const name of usedHeaders)
    if (typeof headers[name] === 'string') picked[name] = headers[name];
  return picked;
}
