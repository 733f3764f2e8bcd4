import type { Tile } from '@portal-embed/report-model';
import { useId, useRef, useState, type ComponentType } from 'react';

import { useViewer } from '../../viewer-context.ts';

/** What can be done with a tile. The code of the entries loads when the menu first opens. */
export function TileMenu({ tile }: { tile: Tile }) {
  const { formatMessage } = useViewer().formats;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [Entries, setEntries] = useState<ComponentType<{ tile: Tile; menu: HTMLElement }>>();
  const [menu, setMenu] = useState<HTMLElement | null>(null);

  const open = async () => {
    const { bottom, left, right } = button.current!.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(menu!).direction === 'rtl';
    // From the start of the document, so that the menu scrolls with its tile.
    Object.assign(menu!.style, {
      top: `${bottom + scrollY + 4}px`,
      [isRightToLeft ? 'left' : 'right']: `${isRightToLeft ? left : innerWidth - right}px`,
    });
    const { TileEntries } = await import('../../export/TileEntries.tsx');
    setEntries(() => TileEntries);
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className="tile-toggle tile-menu"
        aria-label={formatMessage('tile.menu', { title: tile.title })}
        popoverTarget={id}
      >
        ⋯
      </button>
      <div
        ref={setMenu}
        id={id}
        popover="auto"
        className="popover"
        onBeforeToggle={({ newState }) => newState === 'open' && void open()}
      >
        {Entries && menu && <Entries tile={tile} menu={menu} />}
      </div>
    </>
  );
}
