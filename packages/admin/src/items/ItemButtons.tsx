import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { latestError } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ItemDialogs, type OpenItemDialog } from './ItemDialogs.tsx';
import type { ArchivedState } from './ItemList.tsx';
import { Outcome } from './Outcome.tsx';
import { toKeys, useItemChanges } from './use-item-change.ts';

/** What can be done with the one item of a page. */
export function ItemButtons({
  item,
  canCreate,
  canEdit,
  withRename = false,
}: {
  item: ArrangedItem;
  canCreate: boolean;
  canEdit: boolean;
  /** Whether the page has no field for the name. */
  withRename?: boolean;
}) {
  const { formatMessage } = useFormats();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<OpenItemDialog>();
  const home = `/organizations/${useOrganizationId()}/${item.kind}s`;
  const changes = useItemChanges(
    [item],
    ({ action, done: [first] }) => {
      if (action !== 'duplicate' || !first) return;
      notify(formatMessage('items.done.duplicate', { names: first.name }));
      navigate(item.kind === 'report' ? `${home}/${first.id}/edit` : `${home}/${first.id}`);
    },
    ({ done }) => {
      if (done.length > 0) navigate(home, { state: { archived: done } satisfies ArchivedState });
    },
  );
  const { duplicate, organizationId } = changes;
  const error = latestError(duplicate);
  if (!canCreate && !canEdit) return null;
  return (
    <>
      {canEdit && withRename && (
        <Button variant="default" onClick={() => setOpen('rename')}>
          {formatMessage('items.rename')}
        </Button>
      )}
      {canCreate && (
        <Button
          variant="default"
          loading={duplicate.isPending}
          onClick={() => duplicate.mutate({ organizationId, items: toKeys([item]) })}
        >
          {formatMessage('items.duplicate')}
        </Button>
      )}
      {canEdit && (
        <Button variant="default" onClick={() => setOpen('archive')}>
          {formatMessage('items.archive')}
        </Button>
      )}
      <ItemDialogs
        open={open}
        items={[item]}
        changes={changes}
        onClose={() => setOpen(undefined)}
      />
      {error && <Failure error={error} />}
      {changes.outcome && changes.outcome.failed.length > 0 && (
        <Outcome
          outcome={changes.outcome}
          onRestore={changes.restoreAll}
          isBusy={false}
          onClose={() => changes.setOutcome(undefined)}
        />
      )}
    </>
  );
}
