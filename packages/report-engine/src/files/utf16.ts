/** Text has a line break at least this often, also in UTF-16. */
const minZeroShare = 1 / 50;

/**
 * The byte order of UTF-16, from its mark or from the zeros in its digits, delimiters and line breaks.
 * `undefined`: the bytes are not UTF-16.
 *
 * @param bytes the beginning of a file
 */
export function findByteOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0 || even + odd < bytes.length * minZeroShare) return undefined;
  // A zero character has zeros at both places, and a text has none.
  if (Math.min(even, odd) > 0) return undefined;
  const label = odd > 0 ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(label).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (!/[\r\n\t,;|]/.test(text)) return undefined;
  // The last character may lack its second half.
  return /[\p{Cc}\p{Cs}\p{Cn}\uFFFD]/u.test(text.slice(0, -1).replace(/[\t\r\n]/g, ''))
    ? undefined
    : label;
}
