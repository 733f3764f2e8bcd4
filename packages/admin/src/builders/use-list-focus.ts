import { useRef, useState } from 'react';

/** Adds items to a list and removes them. The focus follows: to a new item, or to the button that adds. */
export function useListFocus<Entry>(items: readonly Entry[], onChange: (items: Entry[]) => void) {
  const addButton = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<number>();
  return {
    addButton,
    isNew: (index: number) => index === added,
    add: (item: Entry) => {
      setAdded(items.length);
      onChange([...items, item]);
    },
    remove: (index: number) => {
      onChange(items.toSpliced(index, 1));
      addButton.current?.focus();
    },
  };
}
