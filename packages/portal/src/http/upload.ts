import type { Request } from 'express';

import { PortalError } from '../errors.ts';

/**
 * Reads a body that is a file, as it arrives.
 *
 * @param confirm runs after the last byte, since the caller's rights can end in the meantime
 * @throws `unsupported_media_type` for a compressed body or a form; `invalid_request` for a part of a file
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
    if (req.get('Content-Range') !== undefined)
      throw new PortalError(
        'invalid_request',
        'The body is a part of a file. Send the whole file, without the header Content-Range.',
      );
    if (req.is('multipart/*'))
      throw new PortalError(
        'unsupported_media_type',
        'The body is a form. Send the bytes of the file as the body, as `curl --data-binary @FILE` does.',
      );
    // A request that is destroyed gets no answer.
    yield* req.iterator({ destroyOnReturn: false });
    await confirm();
  } finally {
    // The answer arrives only if the rest of a refused file is discarded.
    req.resume();
  }
}
