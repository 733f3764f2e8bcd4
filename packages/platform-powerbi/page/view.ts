/** What a reader has changed inside the report. */
export interface View {
  /** Internal name of the page. */
  page?: string | undefined;
  /** State of Power BI, with filters and slicers. */
  bookmark?: string | undefined;
}

/** `FrameEvents.onView` takes no more characters. */
const maxLength = 4_000;

/**
 * Writes a view, without the bookmark if it is too long.
 *
 * @param filters names the filters of the host, which a bookmark contains too
 */
export function writeView({ page, bookmark }: View, filters: string): string {
  const text = JSON.stringify(bookmark === undefined ? { page } : { page, bookmark, filters });
  return text.length <= maxLength ? text : JSON.stringify({ page });
}

/**
 * Reads what `writeView` has written. Anything else is the view of the author. A bookmark with other
 * filters of the host would replace the present ones.
 */
export function readView(text: string | undefined, filters: string): View {
  try {
    const written = JSON.parse(text ?? '{}') as Record<keyof View | 'filters', unknown>;
    const { page, bookmark } = written;
    const isUsable = typeof bookmark === 'string' && written.filters === filters;
    return {
      ...(typeof page === 'string' ? { page } : {}),
      ...(isUsable ? { bookmark } : {}),
    };
  } catch {
    return {};
  }
}
