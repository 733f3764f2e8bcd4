import { Input, Stack, TextInput } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { Tile } from '../document/read-document.ts';
import { listChosen } from './convert-tile.ts';
import { readRecord } from './read-record.ts';

/** An address for each dimension of a table. */
export function LinksField({
  label,
  description,
  error,
  tile,
  value,
  onChange,
}: {
  label: string;
  description: string | undefined;
  error: string | undefined;
  tile: Tile;
  value: unknown;
  onChange: (value: unknown, isTyped?: boolean) => void;
}) {
  const { formatMessage } = useFormats();
  const links = readRecord(value);
  const { fields } = listChosen(tile);
  if (fields.length === 0) return null;
  const setLink = (field: string, address: string) => {
    const { [field]: _gone, ...rest } = links;
    const next = address === '' ? rest : { ...links, [field]: address };
    onChange(Object.keys(next).length === 0 ? undefined : next, true);
  };
  return (
    <Input.Wrapper label={label} description={description} error={error}>
      <Stack gap="xs" mt={4}>
        {fields.map((field) => (
          <TextInput
            key={field}
            size="xs"
            label={formatMessage('editor.link', { name: field })}
            placeholder={`https://example.com/{${field}}`}
            maxLength={2_000}
            value={typeof links[field] === 'string' ? links[field] : ''}
            onChange={(event) => setLink(field, event.currentTarget.value)}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
