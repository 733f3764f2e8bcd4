import { Button } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { Link, useRoute, useSearchParams } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Page } from '../kit/Page.tsx';
import { PortalFrame } from '../kit/PortalFrame.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/**
 * The portal as a user sees it, or the report of the address, read only: in a frame, or behind a link
 * without a portal address.
 */
export function ViewAsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, params] = useRoute('/organizations/:organizationId/users/:userId/view');
  const userId = params?.userId ?? '';
  const user = useAnswer('readUser', { organizationId, userId });
  const reportId = useSearchParams()[0].get('report');
  const { mutate, data, error } = useChange('viewAs');
  const view = useCallback(
    () => mutate({ organizationId, userId, ...(reportId !== null && { reportId }) }),
    [mutate, organizationId, userId, reportId],
  );
  // Each URL opens once.
  useEffect(view, [view]);
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
      {error && <Failure error={error} onRetry={view} />}
      {data && <PortalFrame {...data} title={formatMessage('view_as.title', { name })} />}
    </Page>
  );
}
