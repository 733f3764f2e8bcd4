import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

/** The text of a search field, what to look for once typing pauses, and the page of the list. */
export function useSearch() {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const [page, setPage] = useState(1);
  return {
    text,
    search,
    page,
    setPage,
    setText: (next: string) => {
      setText(next);
      setPage(1);
    },
  };
}
