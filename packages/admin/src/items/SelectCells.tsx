import { Checkbox, Table } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { Selection } from './use-selection.ts';

/** A heading that selects all rows of the page. */
export function SelectAllCell({ selection }: { selection: Selection }) {
  const { formatMessage } = useFormats();
  return (
    <Table.Th w={40}>
      <Checkbox
        aria-label={formatMessage('items.select_all')}
        checked={selection.isAll}
        indeterminate={selection.ids.size > 0 && !selection.isAll}
        onChange={selection.toggleAll}
      />
    </Table.Th>
  );
}

export function SelectCell({
  selection,
  id,
  name,
}: {
  selection: Selection;
  id: string;
  name: string;
}) {
  const { formatMessage } = useFormats();
  return (
    <Table.Td>
      <Checkbox
        aria-label={formatMessage('items.select', { name })}
        checked={selection.ids.has(id)}
        onChange={() => selection.toggle(id)}
      />
    </Table.Td>
  );
}
