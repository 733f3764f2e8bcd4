import type { SeriesTile } from '@portal-embed/report-model';

import { useViewer } from '../viewer-context.ts';

/** The values of a chart as a table. */
export function SeriesTable({ tile }: { tile: SeriesTile }) {
  const { title, dimension, measure, points } = tile;
  const { formats } = useViewer();
  const formatX = formats.formatterOf(tile);
  return (
    <table>
      <caption className="visually-hidden">{title}</caption>
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
            <td className="number">{formats.formatNumber(y, measure.format)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
