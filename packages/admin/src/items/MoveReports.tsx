import { useState } from 'react';

import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ArrangedItem } from '../requests/items.ts';
import type { ItemChanges } from './use-item-change.ts';
import { WorkspaceField } from './WorkspaceField.tsx';

/** Asks for the workspace of reports. */
export function MoveReports({
  items,
  changes: { move, organizationId },
  onClose,
}: {
  items: readonly ArrangedItem[];
  changes: ItemChanges;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const [workspace, setWorkspace] = useState('');
  return (
    <Dialog
      title={formatMessage('items.move.title', { count: items.length })}
      submit={formatMessage('items.move')}
      isBusy={move.isPending}
      isDisabled={workspace.trim() === ''}
      error={move.error}
      onClose={onClose}
      onSubmit={() =>
        move.mutate(
          { organizationId, reportIds: items.map(({ id }) => id), workspace: workspace.trim() },
          { onSuccess: onClose },
        )
      }
    >
      <WorkspaceField data-autofocus value={workspace} onChange={setWorkspace} required />
    </Dialog>
  );
}
