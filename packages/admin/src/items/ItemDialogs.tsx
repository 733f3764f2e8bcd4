import type { ArrangedItem } from '../requests/items.ts';
import { ArchiveItems } from './ArchiveItems.tsx';
import { MoveReports } from './MoveReports.tsx';
import { RenameItems } from './RenameItems.tsx';
import type { ItemChanges } from './use-item-change.ts';

export type OpenItemDialog = 'rename' | 'move' | 'archive';

/** The dialog of an action, if one is open. */
export function ItemDialogs({
  open,
  ...dialog
}: {
  open: OpenItemDialog | undefined;
  items: readonly ArrangedItem[];
  changes: ItemChanges;
  onClose: () => void;
}) {
  if (open === 'rename') return <RenameItems {...dialog} />;
  if (open === 'move') return <MoveReports {...dialog} />;
  return open === 'archive' && <ArchiveItems {...dialog} />;
}
