import { useEffect } from 'react';

/**
 * Goes to the last page of a list that has no current page any more.
 *
 * @param totalPages is undefined while the list loads.
 */
export function useLastPage(
  totalPages: number | undefined,
  page: number,
  onPage: (page: number) => void,
): void {
  const last = Math.max(totalPages ?? page, 1);
  // A list that filters in the address changes the history, which rendering must not do.
  useEffect(() => {
    if (page > last) onPage(last);
  });
}
