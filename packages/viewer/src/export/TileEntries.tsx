import type { Tile } from '@portal-embed/report-model';
import type { ServiceError } from 'page-kit/service-error';
import { useContext, useState } from 'react';

import { SetFullHeight } from '../full-view.tsx';
import { useViewer } from '../viewer-context.ts';
import { describeFailure } from './describe-failure.ts';
import { downloadTile, type TileFormat } from './download-tile.ts';
import { enlargeTile } from './enlarge-tile.ts';

const valueFormats: readonly TileFormat[] = ['csv', 'xlsx'];
const allFormats: readonly TileFormat[] = [...valueFormats, 'png'];

/** A picture is only of a tile whose drawing is more than a table. */
const formatsByType: Record<Tile['type'], readonly TileFormat[]> = {
  kpi: allFormats,
  line: allFormats,
  area: allFormats,
  column: allFormats,
  bar: allFormats,
  scatter: allFormats,
  donut: allFormats,
  table: valueFormats,
  pivot: valueFormats,
  text: allFormats,
};

/** The entries of a tile's menu. */
export function TileEntries({ tile, menu }: { tile: Tile; menu: HTMLElement }) {
  const { viewer, formats, viewedBy } = useViewer();
  const setHeight = useContext(SetFullHeight);
  const [taken, setTaken] = useState<TileFormat | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const save = async (format: TileFormat) => {
    setTaken(format);
    setFailure(null);
    try {
      await downloadTile(viewer, tile, format, menu.closest('section')!);
      menu.hidePopover();
    } catch (error) {
      setFailure(describeFailure(error as ServiceError, format, formats));
    }
    setTaken(null);
  };

  const formatsOfTile = viewedBy === null ? formatsByType[tile.type] : [];
  return (
    <>
      <button
        type="button"
        className="popover-entry tile-enlarge"
        onClick={() => {
          menu.hidePopover();
          enlargeTile(menu.closest('section')!, setHeight);
        }}
      >
        {formats.formatMessage('tile.enlarge')}
      </button>
      {formatsOfTile.map((format) => (
        <button
          key={format}
          type="button"
          className="popover-entry"
          // A disabled button would lose the focus.
          aria-disabled={taken !== null}
          onClick={() => taken === null && void save(format)}
        >
          {formats.formatMessage(`take.${format}`)}
        </button>
      ))}
      <output className="popover-note">
        {failure ?? (taken && formats.formatMessage('page.loading'))}
      </output>
    </>
  );
}
