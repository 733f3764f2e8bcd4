/** Returns the host and name of a database without user and password. */
export function describeAddress(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}
