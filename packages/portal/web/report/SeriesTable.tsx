import type { SeriesTile } from '../../wire/viewer.ts';
import { formatNumber, formatterOf } from '../charts/format.ts';

/** The numbers behind a chart. */
export function SeriesTable({ tile }: { tile: SeriesTile }) {
  const { title, dimension, measure, points } = tile;
  const formatX = formatterOf(tile);
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className="table-scroll" role="region" aria-label={`${title}, table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{dimension.label}</th>
            <th scope="col" className="number">
              {measure.label}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ x, y }) => (
            <tr key={String(x)}>
              <th scope="row">{formatX(x)}</th>
              <td className="number">{formatNumber(y, measure.format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
