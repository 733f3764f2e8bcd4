import { Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

import { useFormats } from '../messages/messages.ts';

interface Choice {
  value: string;
  label: string;
}

/** A field that searches items by a part of their name, on the service, and reports the chosen one. */
export function Choose({
  label,
  choices,
  onSearch,
  onChoose,
}: {
  label: string;
  /** The first that match the search; `undefined` while they load. */
  choices: readonly Choice[] | undefined;
  onSearch: (search: string) => void;
  onChoose: (value: string) => void;
}) {
  const { formatMessage } = useFormats();
  const [search, setSearch] = useState('');
  const searchSoon = useDebouncedCallback(onSearch, 200);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      searchable
      value={null}
      searchValue={search}
      onSearchChange={(text) => {
        setSearch(text);
        searchSoon(text);
      }}
      data={choices ?? []}
      // The service has filtered them.
      filter={({ options }) => options}
      nothingFoundMessage={formatMessage(choices ? 'choose.none' : 'state.loading')}
      onChange={(value) => {
        if (value === null) return;
        onChoose(value);
        setSearch('');
        onSearch('');
      }}
      maw={360}
    />
  );
}
