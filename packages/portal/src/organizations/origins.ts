/**
 * The origin that `address` names, or `undefined` when it names anything beside one: a path, a
 * query, a user, or a scheme other than http and https.
 */
export function parseOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isBare = /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isBare ? url.origin : undefined;
}
