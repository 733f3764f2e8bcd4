import { nameReaderFilters } from '../../../format/list-filters.ts';
import type { TilesView } from '../../../requests/viewer.ts';
import { useViewer } from '../../../viewer-context.ts';
import { selectMarks } from '../../filters/change-view.ts';
import { moveToFilters } from '../../filters/move-to-filters.ts';

/** The selected marks of the page, which filter its other tiles. A click clears those of one tile. */
export function SelectedMarks({ view }: { view: TilesView }) {
  const { viewer, readerView, formats } = useViewer();
  const selected = new Set(readerView.filters.flatMap(({ tile }) => tile ?? []));
  const marks = view.readerFilters.filter(({ tile }) => tile !== undefined && selected.has(tile));
  const tiles = [...new Set(marks.map(({ tile }) => tile!))];
  return tiles.map((tile) => {
    const own = marks.filter((mark) => mark.tile === tile);
    const names = nameReaderFilters(own, formats).map(({ column, values }) =>
      formats.formatMessage('filters.entry', { column, values: formats.formatEither(values) }),
    );
    const filter = formats.formatEvery(names);
    return (
      <li key={tile} className="filter">
        <button
          type="button"
          className="filter-button"
          data-active="true"
          aria-label={formats.formatMessage('filters.clear', { filter })}
          onClick={(event) => {
            moveToFilters(event);
            viewer.changeView(selectMarks(readerView, tile, []));
          }}
        >
          {filter}
        </button>
      </li>
    );
  });
}
