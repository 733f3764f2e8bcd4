import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useRoute } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Page } from '../kit/Page.tsx';
import { PortalFrame } from '../kit/PortalFrame.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** The portal as a user sees it, read only: in a frame, or behind a link without a portal address. */
export function ViewAsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, params] = useRoute('/organizations/:organizationId/users/:userId/view');
  const userId = params?.userId ?? '';
  const user = useAnswer('readUser', { organizationId, userId });
  const { mutate, data, error } = useChange('viewAs');
  // Each URL opens once.
  useEffect(() => mutate({ organizationId, userId }), [mutate, organizationId, userId]);
  const name = user.data?.name ?? '';
  return (
    <Page
      title={formatMessage('view_as.title', { name })}
      actions={
        <Button
          component={Link}
          href={`/organizations/${organizationId}/users/${userId}`}
          variant="default"
        >
          {formatMessage('view_as.back')}
        </Button>
      }
    >
      {error && <Failure error={error} onRetry={() => mutate({ organizationId, userId })} />}
      {data && <PortalFrame {...data} title={formatMessage('view_as.title', { name })} />}
    </Page>
  );
}
