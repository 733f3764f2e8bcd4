/** What a reader has changed inside the report. */
export interface View {
  /** Internal name of the page. */
  page?: string | undefined;
  /** State of Power BI, with filters and slicers. */
  bookmark?: string | undefined;
}

/** `FrameEvents.onView` takes no more characters. */
const maxLength = 4_000;

/** Writes a view, without the bookmark if it is too long. */
export function writeView(view: View): string {
  const text = JSON.stringify(view);
  return text.length <= maxLength ? text : JSON.stringify({ page: view.page });
}

/** Reads what `writeView` has written. Anything else is the view of the author. */
export function readView(text: string | undefined): View {
  try {
    const { page, bookmark } = JSON.parse(text ?? '{}') as Record<keyof View, unknown>;
    return {
      ...(typeof page === 'string' ? { page } : {}),
      ...(typeof bookmark === 'string' ? { bookmark } : {}),
    };
  } catch {
    return {};
  }
}
