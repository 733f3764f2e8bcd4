import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { fieldErrors, hostRequestSchema } from '@portal-embed/contract';
import type { HostRequest } from '@portal-embed/contract';
import getRawBody from 'raw-body';

import type { MintRequest } from './adapter-request.ts';
import { Refusal } from './refusal.ts';

// Leaves room for the hundred filters of the contract.
const maxBytes = 256 * 1024;

/** Refuses a body that is not declared as JSON: a form of another site can send any other type. */
export function requireJson({ header }: MintRequest<unknown>): void {
  if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? ''))
    throw new Refusal('invalid_request', {
      detail: 'Send the body as JSON, with the header Content-Type: application/json.',
    });
}

/**
 * Whether work outlasts one turn of the event loop. The body of a request that arrived in one piece
 * does not.
 */
export const isSlow = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => false), setImmediate(true)]);

/** Refuses a compressed body: a few hundred bytes can inflate to many megabytes. */
export function requireUncompressed({ header }: Pick<MintRequest<unknown>, 'header'>): void {
  if ((header('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type');
}

/**
 * Reads a body of at most 256 kB as JSON; an empty body is `undefined`. Compressed bodies are
 * refused unread.
 *
 * @throws Refusal if the body is compressed, too large or not valid JSON
 */
export async function readJson(
  body: Readable,
  header: MintRequest<unknown>['header'],
): Promise<unknown> {
  requireUncompressed({ header });
  const [, charset = 'utf-8'] =
    /;\s*charset="?([^\s;"]+)/i.exec(header('content-type') ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8') throw invalidJson();
  try {
    const length = header('content-length') ?? null;
    const text = await getRawBody(body, { encoding: 'utf-8', limit: maxBytes, length });
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    // Discards the rest, so that the connection can carry the answer and the next request.
    body.resume();
    throw (error as { type?: string }).type === 'entity.too.large' ? tooLarge() : invalidJson();
  }
}

const tooLarge = () =>
  new Refusal('invalid_request', { detail: 'Send a smaller body: 256 kB at most.' });

const invalidJson = () =>
  new Refusal('invalid_request', { detail: 'Send a body that is valid JSON in UTF-8.' });

/**
 * Checks what the browser asks for.
 *
 * @param body parsed JSON, or its text or bytes, as `express.text` and `express.raw` leave them
 */
export function parseHostRequest(body: unknown = {}): HostRequest {
  const { data, error } = hostRequestSchema.safeParse(parseText(body));
  if (error) throw new Refusal('invalid_request', { errors: fieldErrors(error) });
  return data;
}

function parseText(body: unknown): unknown {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return body;
  const bytes = Buffer.from(body as Uint8Array);
  if (bytes.length === 0) return {};
  if (bytes.length > maxBytes) throw tooLarge();
  try {
    // `TextDecoder` skips a byte order mark.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw invalidJson();
  }
}
