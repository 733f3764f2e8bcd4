import { useId, useRef, useState, type ReactNode } from 'react';

import { useViewer } from './viewer-context.ts';

interface MoreMenuProps {
  /** What the entries are for. */
  title: string;
  /** Called when the menu opens, for example to load the code of its entries. */
  onOpen?: () => void;
  children: (menu: HTMLElement) => ReactNode;
}

/** A button that opens a menu below it. */
export function MoreMenu({ title, onOpen, children }: MoreMenuProps) {
  const { formatMessage } = useViewer().formats;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [menu, setMenu] = useState<HTMLElement | null>(null);

  const open = () => {
    const { bottom, left, right } = button.current!.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(menu!).direction === 'rtl';
    // From the start of the document, so that the menu scrolls with its tile.
    Object.assign(menu!.style, {
      top: `${bottom + scrollY + 4}px`,
      [isRightToLeft ? 'left' : 'right']: `${isRightToLeft ? left : innerWidth - right}px`,
    });
    onOpen?.();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className="tile-toggle tile-menu"
        aria-label={formatMessage('tile.menu', { title })}
        popoverTarget={id}
      >
        ⋯
      </button>
      <div
        ref={setMenu}
        id={id}
        popover="auto"
        className="popover"
        onBeforeToggle={({ newState }) => newState === 'open' && open()}
      >
        {menu && children(menu)}
      </div>
    </>
  );
}
