import { useEffect } from 'react';

/**
 * Goes to the last page of a list if the current page is after it.
 *
 * @param totalPages undefined while the list loads
 */
export function useLastPage(
  totalPages: number | undefined,
  page: number,
  onPage: (page: number) => void,
): void {
  const last = Math.max(totalPages ?? page, 1);
  // An effect, because `onPage` may change the address, which rendering must not do.
  useEffect(() => {
    if (page > last) onPage(last);
  });
}
