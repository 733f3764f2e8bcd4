import { NativeSelect } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { Tile } from '../document/read-document.ts';
import { listChosen } from './convert-tile.ts';

/** The column by which a table is sorted, and the direction. */
export function SortField({
  tile,
  value,
  onChange,
  ...field
}: {
  label: string;
  description: string | undefined;
  error: string | undefined;
  tile: Tile;
  value: string;
  onChange: (value: unknown) => void;
}) {
  const { formatMessage } = useFormats();
  const { metrics, fields } = listChosen(tile);
  const offered = [...metrics, ...fields].flatMap((name) => [
    { value: `-${name}`, label: formatMessage('editor.sort.descending', { name }) },
    { value: name, label: formatMessage('editor.sort.ascending', { name }) },
  ]);
  const isKnown = value === '' || offered.some((each) => each.value === value);
  return (
    <NativeSelect
      {...field}
      value={value}
      data={[
        { value: '', label: formatMessage('editor.automatic') },
        ...(isKnown ? [] : [{ value, label: value }]),
        ...offered,
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
