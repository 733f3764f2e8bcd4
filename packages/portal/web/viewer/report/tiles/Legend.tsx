import type { NamedColor } from '../../charts/read-chart.ts';

/** The colors of a chart's series. */
export const Legend = ({ series }: { series: readonly NamedColor[] }) => (
  <ul className="legend">
    {series.map(({ id, name, color }) => (
      <li key={id} className="legend-entry">
        <Swatch color={color} />
        {name}
      </li>
    ))}
  </ul>
);

/** Drawn, not a background, because forced colors replace backgrounds. */
export const Swatch = ({ color }: { color: string }) => (
  <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect width="10" height="10" rx="2" fill={color} />
  </svg>
);
