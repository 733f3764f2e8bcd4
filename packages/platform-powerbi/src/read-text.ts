import { PowerbiError } from './errors.ts';

/**
 * Reads the body of an answer. One that never ends would fill the memory.
 *
 * @throws `PowerbiError`: `unavailable` if it is larger
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes)
      throw new PowerbiError(
        'unavailable',
        `The answer of Microsoft is larger than ${maxBytes / 1_000_000} MB.`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
