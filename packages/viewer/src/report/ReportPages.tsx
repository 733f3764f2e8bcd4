import type { KnownColors } from '../charts/palette.ts';
import type { TilesView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { Tiles } from './tiles/Tiles.tsx';

/** The shown page of a report; all pages with their names while all of them are printed. */
export function ReportPages({ page, colors }: { page: TilesView['page']; colors: KnownColors }) {
  const { printedPages } = useViewer();
  const pages = [page, ...printedPages].toSorted((one, other) => one.index - other.index);
  // The shown page keeps its place in the tree, so that printing does not reset its tiles.
  return pages.map(({ index, name, rows }) => (
    <div key={index} className="report-page">
      {pages.length > 1 && <h2 className="report-page-name">{name}</h2>}
      <Tiles rows={rows} colors={colors} />
    </div>
  ));
}
