import type { CustomFetch } from 'openid-client';

/** Documents, keys, tokens and claims of a provider are much smaller. */
const maxBytes = 1_000_000;

/** The answer has too many bytes. */
export class TooLargeError extends Error {
  override name = 'TooLargeError';
}

/** Like `fetch`, but reading more than 1 MB fails, because a compressed answer could fill the memory. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { status, headers, body } = response;
  return body ? new Response(body.pipeThrough(createLimit()), { status, headers }) : response;
};

function createLimit(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new TooLargeError('the answer is larger than 1 MB'));
      else controller.enqueue(chunk);
    },
  });
}
