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
    throw (error as { type?: string }).type === 'entity.too.large'
      ? new Refusal('invalid_request', { detail: 'Send a smaller body: 256 kB at most.' })
      : invalidJson();
  }
}

const invalidJson = () =>
  new Refusal('invalid_request', { detail: 'Send a body that is valid JSON in UTF-8.' });

/** Checks what the browser asks for. */
export function parseHostRequest(body: unknown = {}): HostRequest {
  const { data, error } = hostRequestSchema.safeParse(body);
  if (error)
    throw new Refusal('invalid_request', describeUnparsed(body) ?? { errors: fieldErrors(error) });
  return data;
}

/** Describes text or bytes, which no browser can correct: the application leaves JSON unparsed. */
function describeUnparsed(body: unknown) {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  const cause = new Error(
    'A body parser or adapter in front of the host endpoint left text or bytes as the body, as express.text and express.raw do. Mount it behind the host endpoint, or let it skip application/json.',
  );
  return { detail: 'Send the body as a JSON object.', cause };
}
