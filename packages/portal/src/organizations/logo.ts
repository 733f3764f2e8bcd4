import { createHash } from 'node:crypto';

import { PNG } from 'pngjs';

import { PortalError } from '../errors.ts';

/** Longest side of a logo, in pixels. */
const maxSide = 512;

/** Maximum bytes of an uploaded logo. */
export const maxLogoBytes = 256_000;

export interface Logo {
  png: Buffer;
  /** SHA-256 of `png` in hexadecimal. */
  hash: string;
}

/**
 * Decodes a PNG and encodes its pixels again, so that browsers get nothing but an image.
 *
 * @throws `invalid_request`
 */
export function encodeLogo(upload: Buffer): Logo {
  if (upload.length > maxLogoBytes)
    throw invalidLogo(`It is larger than ${maxLogoBytes / 1_000} kB.`);
  // Before decoding, because a small file can declare an image that fills the memory.
  if (upload.length < 24 || upload.toString('latin1', 12, 16) !== 'IHDR')
    throw invalidLogo('It is not a PNG.');
  const [width, height] = [upload.readUInt32BE(16), upload.readUInt32BE(20)];
  if (width > maxSide || height > maxSide) throw invalidLogo(`It has ${width} × ${height} pixels.`);
  // The decoder decompresses interlaced images without a limit.
  if (upload[interlaceOffset] !== 0) throw invalidLogo('It is interlaced.');
  // The decoder would take the size of a later header.
  if (countHeaders(upload) !== 1) throw invalidLogo('It is not a PNG.');
  let png: Buffer;
  try {
    const { data } = PNG.sync.read(upload);
    png = PNG.sync.write(Object.assign(new PNG({ width, height }), { data }));
  } catch {
    throw invalidLogo('It is not a PNG.');
  }
  return { png, hash: createHash('sha256').update(png).digest('hex') };
}

/** Of the interlace method, in the header. */
const interlaceOffset = 28;

/** Chunks follow the signature: length, type, content, checksum. */
function countHeaders(png: Buffer): number {
  let headers = 0;
  for (let at = 8; at + 8 <= png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IHDR') headers += 1;
  return headers;
}

const invalidLogo = (reason: string) =>
  new PortalError('invalid_request', `The logo cannot be used. ${reason}`, {
    advice: `Choose a PNG of at most ${maxSide} × ${maxSide} pixels and ${maxLogoBytes / 1_000} kB.`,
  });
