/**
 * Replaces the modes that the driver treats as `verify-full` by that name, because the driver prints a
 * warning about them. With `uselibpqcompat` they have the same meaning as for psql.
 */
export function withVerifiedTls(url: string): string {
  const { searchParams: options } = new URL(url);
  const mode = options.get('sslmode') ?? '';
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || options.has('uselibpqcompat'))
    return url;
  // Replaces text, because serializing the URL again could change its other parts.
  return url.replaceAll(/(?<=[?&]sslmode=)[^&#]*/g, 'verify-full');
}
