import { useEffect, useRef, type KeyboardEvent } from 'react';

import { useViewer } from '../viewer-context.ts';

interface PageTabsProps {
  pages: readonly string[];
  index: number;
  onSelect: (index: number) => void;
}

export const tabId = (index: number) => `page-tab-${index}`;
export const panelId = 'page-panel';

/** The pages of a report as tabs. The arrow keys, Home and End select another one. */
export function PageTabs({ pages, index, onSelect }: PageTabsProps) {
  const { formats } = useViewer();
  const list = useRef<HTMLDivElement>(null);
  const tabs = pages.map((name, position) => ({ id: tabId(position), name, position }));

  useEffect(() => {
    // `scrollIntoView` would also scroll the page.
    const container = list.current!;
    const tab = container.children[index] as HTMLElement | undefined;
    // A link can name a page that the report lacks.
    if (!tab) return;
    const outside =
      Math.max(
        0,
        tab.offsetLeft + tab.offsetWidth - container.clientWidth - container.scrollLeft,
      ) || Math.min(0, tab.offsetLeft - container.scrollLeft);
    container.scrollLeft += outside;
  }, [index]);

  const handleKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    const isLeftward = getComputedStyle(event.currentTarget).direction === 'rtl';
    const targets: Record<string, number> = {
      ArrowRight: index + (isLeftward ? -1 : 1),
      ArrowLeft: index + (isLeftward ? 1 : -1),
      Home: 0,
      End: pages.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = (target + pages.length) % pages.length;
    (list.current!.children[next] as HTMLElement).focus();
    onSelect(next);
  };

  return (
    <div
      ref={list}
      className="tabs"
      role="tablist"
      aria-label={formats.formatMessage('page.pages')}
    >
      {tabs.map(({ id, name, position }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={id}
          className="tab"
          aria-selected={position === index}
          aria-controls={panelId}
          tabIndex={position === index ? 0 : -1}
          onClick={() => onSelect(position)}
          onKeyDown={handleKey}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
