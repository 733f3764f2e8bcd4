/** The host that a browser addressed. */
export interface Authority {
  /** Lower case, without port and trailing dot. */
  hostName: string;
  /** As in the address bar: `https://acme.app.example:8443`. */
  origin: string;
}

const pattern =
  /^(?<hostName>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])\.?(?<port>:\d{1,5})?$/;

// DNS allows no longer names. The limit also bounds the size of cache entries.
const maxNameLength = 253;

/**
 * Parses a host with an optional port, such as the header `Host`. Returns `undefined` for anything
 * that two readers could understand differently.
 *
 * @param protocol `https` or `http`
 */
export function parseAuthority(protocol: string, host: string): Authority | undefined {
  const { hostName, port = '' } = pattern.exec(host.toLowerCase())?.groups ?? {};
  if (hostName === undefined || hostName.length > maxNameLength) return undefined;
  const address = `${protocol}://${hostName}${port}`;
  return URL.canParse(address) ? { hostName, origin: new URL(address).origin } : undefined;
}

/** Whether a text is a host name as `Authority` spells it. */
export const isHostName = (text: string): boolean =>
  parseAuthority('https', text)?.hostName === text;
