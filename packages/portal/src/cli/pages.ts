import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { PagedList } from '@portal-embed/contract';

import { table } from './output.ts';

export const addPageOptions = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .option('--page <number>', 'which page', '1')
    .option('--page-size <number>', 'how many on a page, at most 200', '50');

/** A page as a table that says how to get to the next one. */
export function pageText<Item>(
  page: PagedList<Item>,
  empty: string,
  columns: readonly string[],
  toCells: (item: Item) => (string | number | null)[],
): string {
  const rows = table(columns, page.data.map(toCells), empty);
  if (page.totalPages < 2) return rows;
  const next = page.hasNextPage ? ` The next one: --page ${page.pageIndex + 1}` : '';
  return `${rows}\n\nPage ${page.pageIndex} of ${page.totalPages}.${next}`;
}
