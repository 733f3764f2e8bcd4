import type { Dimension, Key } from '@portal-embed/report-model';

/**
 * Writes the address to which a value links, with the values of its row percent-encoded.
 *
 * @returns `undefined` without a link, if a value is missing, or if a value would change where it leads
 */
export function writeLink({ link }: Dimension, keys: readonly Key[]): string | undefined {
  if (!link) return undefined;
  const values = link.map((part) => (typeof part === 'string' ? part : keys[part]));
  if (values.some((value) => value === null || value === undefined)) return undefined;
  const isClean = values.every((value) => !/[\p{Cc}\p{Cs}]/u.test(String(value)));
  if (!isClean) return undefined;
  const address = link
    .map((part) => (typeof part === 'string' ? part : encodeURIComponent(String(keys[part]))))
    .join('');
  // Browsers resolve these parts of a path, however they are written.
  const [path = ''] = address.split(/[?#]/);
  return /\/(\.|%2e){1,2}(?=\/|$)/i.test(path) ? undefined : address;
}
