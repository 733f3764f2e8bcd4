import { Button, type ButtonProps } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Shows the portal, or one report, as a user sees it. */
export function ViewAsLink({
  user,
  reportId,
  ...props
}: ButtonProps & { user: { id: string; name: string }; reportId?: string }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const page = `/admin/organizations/${organizationId}/users/${user.id}/view`;
  return (
    // A new document, whose policy admits the organization's portal in a frame.
    <Button
      component="a"
      href={reportId === undefined ? page : `${page}?report=${reportId}`}
      // Lists have several of these links.
      aria-label={
        reportId === undefined ? undefined : formatMessage('view_as.name', { name: user.name })
      }
      {...props}
    >
      {formatMessage('view_as.action')}
    </Button>
  );
}
