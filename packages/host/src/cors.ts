import type { MintAnswer, MintRequest } from './adapter-request.ts';

const preflightSeconds = 600;

/** Whether a browser asks if a page of another origin may send the request. */
export const isPreflight = ({ method, header }: MintRequest<unknown>): boolean =>
  method === 'OPTIONS' &&
  header('origin') !== undefined &&
  header('access-control-request-method') !== undefined;

/** Headers that let pages of the allowed origins read an answer. Other origins get none. */
export function createCorsHeaders(
  { header }: MintRequest<unknown>,
  allowedOrigins: ReadonlySet<string>,
): Record<string, string> {
  if (allowedOrigins.size === 0) return {};
  const origin = header('origin');
  if (origin === undefined || !allowedOrigins.has(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  };
}

/** Answers a preflight request of an allowed origin; `undefined` for any other origin. */
export function answerPreflight(
  { header }: MintRequest<unknown>,
  corsHeaders: Record<string, string>,
): MintAnswer | undefined {
  if (corsHeaders['Access-Control-Allow-Origin'] === undefined) return undefined;
  const requested = header('access-control-request-headers');
  const headers: Record<string, string> = {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Max-Age': String(preflightSeconds),
    Vary: 'Origin, Access-Control-Request-Headers',
  };
  if (requested !== undefined) headers['Access-Control-Allow-Headers'] = requested;
  return { status: 204, headers, body: '' };
}
