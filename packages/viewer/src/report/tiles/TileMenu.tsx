import type { Tile } from '@portal-embed/report-model';
import { useState, type ComponentType } from 'react';

import { MoreMenu } from '../../MoreMenu.tsx';

/** What can be done with a tile. The code of the entries loads when the menu first opens. */
export function TileMenu({ tile }: { tile: Tile }) {
  const [Entries, setEntries] = useState<ComponentType<{ tile: Tile; menu: HTMLElement }>>();
  const load = async () => {
    const { TileEntries } = await import('../../export/TileEntries.tsx');
    setEntries(() => TileEntries);
  };
  return (
    <MoreMenu title={tile.title} onOpen={() => void load()}>
      {(menu) => Entries && <Entries tile={tile} menu={menu} />}
    </MoreMenu>
  );
}
