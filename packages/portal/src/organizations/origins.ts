/** A host name or address, without characters that have a meaning in a Content-Security-Policy. */
const hostPattern = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/**
 * Returns the origin that `address` names, or `undefined` if it has a path, a query, a user, or a
 * scheme other than http and https.
 */
export function parseOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isBare = url.href === `${url.origin}/` && hostPattern.test(url.hostname);
  return isBare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Whether the address has the host name of the administration, at which no report is answered. */
export function isOfAdministration(
  address: string,
  { adminUrl, publicUrl }: { adminUrl?: string | undefined; publicUrl: string },
): boolean {
  if (adminUrl === undefined) return false;
  const { hostname } = new URL(adminUrl);
  return hostname !== new URL(publicUrl).hostname && hostname === new URL(address).hostname;
}

/** Longest home URL that is stored. */
const maxHomeUrl = 2_000;

/** Returns a web address in its normal form, or `undefined` if it is not one that a page may link to. */
export function parseHomeUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { href, protocol, username, password } = new URL(address);
  const isWeb = /^https?:$/.test(protocol) && username === '' && password === '';
  return isWeb && href.length <= maxHomeUrl ? href : undefined;
}
