/** The items that are not among the others, by their ids. */
export const without = <Item extends { id: string }>(
  items: readonly Item[],
  others: readonly { id: string }[],
): Item[] => items.filter(({ id }) => !others.some((other) => other.id === id));
