import type { NamedColor } from '../../charts/read-chart.ts';

interface LegendProps {
  series: readonly NamedColor[];
  hidden?: ReadonlySet<string> | undefined;
  /** Hides a series, or shows it again. Without it, the legend only names the colors. */
  onToggle?: ((id: string) => void) | undefined;
}

/** The colors of a chart's series. */
export const Legend = ({ series, hidden, onToggle }: LegendProps) => (
  <ul className="legend">
    {series.map(({ id, name, color }) => (
      <li key={id}>
        {onToggle ? (
          <button
            type="button"
            className="legend-entry legend-toggle"
            aria-pressed={!hidden?.has(id)}
            onClick={() => onToggle(id)}
          >
            <Swatch color={color} />
            {name}
          </button>
        ) : (
          <span className="legend-entry">
            <Swatch color={color} />
            {name}
          </span>
        )}
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
