import { ConfigurationError } from '../errors.ts';

/**
 * The link of an invitation. The token is in the fragment, which browsers send to no server and logs
 * never show.
 *
 * @throws `ConfigurationError` without administration pages
 */
export function createInvitationUrl(
  { adminUrl }: { adminUrl: string | undefined },
  token: string,
): string {
  if (adminUrl !== undefined) return `${adminUrl}/admin/invitation#${token}`;
  throw new ConfigurationError(
    'This portal has no administration pages, because its public URL is neither https nor on this machine. Set PORTAL_ADMIN_URL.',
  );
}
