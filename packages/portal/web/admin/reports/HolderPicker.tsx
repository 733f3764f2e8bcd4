import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

import type { Holder } from '#wire/admin/reports.ts';

import { useAnswer } from '../api/queries.ts';
import { useOrganizationId } from '../layout/organization.ts';
import { useFormats } from '../messages/messages.ts';

const everyKind = ['group', 'user'] as const;

/** Finds users and groups by name or e-mail. Choosing one adds it at once. */
export function HolderPicker({
  label,
  kinds = everyKind,
  onChoose,
}: {
  label: string;
  kinds?: readonly Holder['kind'][];
  onChoose: (holder: Holder) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const found = useAnswer('findHolders', { organizationId, search });
  const holders = (found.data?.holders ?? []).filter(({ kind }) => kinds.includes(kind));
  const optionsOf = (wanted: Holder['kind']) =>
    holders
      .filter(({ kind }) => kind === wanted)
      .map(({ id, name, email }) => ({
        value: id,
        label:
          email === null || email === name ? name : formatMessage('holder.user', { name, email }),
      }));
  return (
    <Select
      label={label}
      placeholder={formatMessage('holder.search')}
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      value={null}
      data={kinds.map((kind) => ({
        group: formatMessage(`holder.${kind}s`),
        items: optionsOf(kind),
      }))}
      nothingFoundMessage={formatMessage('holder.none')}
      onChange={(id) => {
        const chosen = holders.find((holder) => holder.id === id);
        setText('');
        if (chosen) onChoose(chosen);
      }}
      maw={420}
    />
  );
}
