import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

import { useViewer } from '../../viewer-context.ts';

/** Scrolls a table that is wider than its container. Such a table is a tab stop, so that keys can scroll it. */
export function TableScroll({ title, children }: { title: string; children: ReactNode }) {
  const { formatMessage } = useViewer().formats;
  const place = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);

  useLayoutEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => setIsWide(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    observer.observe(element.firstElementChild!);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={place}
      className="table-scroll"
      {...(isWide && {
        role: 'group',
        tabIndex: 0,
        'aria-label': formatMessage('table.scroll', { title }),
      })}
    >
      {children}
    </div>
  );
}
