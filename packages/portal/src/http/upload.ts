import type { Request } from 'express';

import { PortalError } from '../errors.ts';

/**
 * Reads a body that is a file, as it arrives.
 *
 * @param confirm runs after the last byte, since the caller's rights can end in the meantime
 * @throws `unsupported_media_type` for a compressed body
 */
export async function* readUpload(
  req: Request,
  confirm: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    const encoding = req.get('Content-Encoding')?.toLowerCase() ?? 'identity';
    if (encoding !== 'identity')
      throw new PortalError(
        'unsupported_media_type',
        'The body is compressed. Send it uncompressed, without the header Content-Encoding.',
      );
    // A request that is destroyed gets no answer.
    yield* req.iterator({ destroyOnReturn: false });
    await confirm();
  } finally {
    // The answer arrives only if the rest of a refused file is discarded.
    req.resume();
  }
}
