import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  type RefObject,
} from 'react';

/** The height of a tile in its full view, in CSS pixels; `undefined` on the page. */
export const FullHeight = createContext<number | undefined>(undefined);

export const useFullHeight = () => useContext(FullHeight);

/** Follows whether a tile is shown over the whole page, and the height of the window. */
export function useFullView(section: RefObject<HTMLElement | null>): number | undefined {
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const element = section.current!;
    const gone = new AbortController();
    const { signal } = gone;
    element.addEventListener(
      'toggle',
      ({ newState }) => setHeight(newState === 'open' ? innerHeight : undefined),
      { signal },
    );
    addEventListener('resize', () => setHeight((known) => known && innerHeight), { signal });
    return () => gone.abort();
  }, [section]);
  return height;
}

/** Height of what stands below the rows of a table: totals, pages and notes. */
const belowRows = 130;
const leastRows = 5;

/** Rows of a page of a table: in the full view of its tile, as many as the window has room for. */
export function usePageSize(usual: number, table: RefObject<HTMLTableElement | null>): number {
  const height = useFullHeight();
  const [fitting, setFitting] = useState<number>();
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0];
    const tile = body?.closest('.tile');
    if (height === undefined || !tile || !body?.offsetHeight) return;
    const { top } = tile.getBoundingClientRect();
    const above = body.getBoundingClientRect().top - top + tile.scrollTop;
    const rowHeight = body.offsetHeight / body.rows.length;
    setFitting(Math.max(leastRows, Math.floor((height - above - belowRows) / rowHeight)));
  }, [height, table]);
  return height === undefined ? usual : (fitting ?? usual);
}
