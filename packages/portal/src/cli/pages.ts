import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { PagedList } from '@portal-embed/contract';

import { formatTable } from './output.ts';

export const addPageOptions = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .option('--page <number>', 'page number', '1')
    .option('--page-size <number>', 'entries per page, at most 200', '50');

/** Formats a page as a table, with a hint for the next page. */
export function formatPage<Item>(
  page: PagedList<Item>,
  empty: string,
  columns: readonly string[],
  toCells: (item: Item) => (string | number | null)[],
): string {
  const rows = formatTable(columns, page.data.map(toCells), empty);
  if (page.totalPages < 2) return rows;
  const next = page.hasNextPage ? ` For the next page, add --page ${page.pageIndex + 1}` : '';
  return `${rows}\n\nPage ${page.pageIndex} of ${page.totalPages}.${next}`;
}
