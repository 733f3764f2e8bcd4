import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { latestError } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import { ItemDialogs, type OpenItemDialog } from './ItemDialogs.tsx';
import type { ArchivedState } from './ItemList.tsx';
import { Outcome } from './Outcome.tsx';
import { toKeys, useItemChanges } from './use-item-change.ts';

/** What can be done with the one item of a page. */
export function ItemMenu({
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
  const changes = useItemChanges([item], ({ action, done }) => {
    const home = `/organizations/${changes.organizationId}/${item.kind}s`;
    const [first] = done;
    if (action === 'archive' && first)
      navigate(home, { state: { archived: done } satisfies ArchivedState });
    if (action === 'duplicate' && first)
      navigate(item.kind === 'report' ? `${home}/${first.id}/edit` : `${home}/${first.id}`);
  });
  const { duplicate, organizationId } = changes;
  const error = latestError(duplicate);
  if (!canCreate && !canEdit) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button variant="default" loading={duplicate.isPending}>
            {formatMessage('items.more_actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {canEdit && withRename && (
            <Menu.Item onClick={() => setOpen('rename')}>{formatMessage('items.rename')}</Menu.Item>
          )}
          {canCreate && (
            <Menu.Item onClick={() => duplicate.mutate({ organizationId, items: toKeys([item]) })}>
              {formatMessage('items.duplicate')}
            </Menu.Item>
          )}
          {canEdit && (
            <Menu.Item onClick={() => setOpen('archive')}>
              {formatMessage('items.archive')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
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
