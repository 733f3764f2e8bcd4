import type { KpiTile } from '@portal-embed/report-model';
import { useState } from 'react';

import { useViewer } from '../../viewer-context.ts';

interface SparklineProps {
  tile: KpiTile;
  sparkline: NonNullable<KpiTile['sparkline']>;
}

const [width, height, inset] = [100, 32, 3];

/** A small line without axes. It does not need the chart code. */
export function Sparkline({ tile, sparkline }: SparklineProps) {
  const { formats, chartCode } = useViewer();
  const [active, setActive] = useState<number | null>(null);
  const { metric, title } = tile;
  const { dimension, points } = sparkline;
  const values = points.map(({ value }) => (value === null ? null : Number(value)));
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const xAt = (index: number) => inset + (index / (values.length - 1 || 1)) * (width - 2 * inset);
  const yAt = (value: number) =>
    high === low ? height / 2 : inset + ((high - value) / (high - low)) * (height - 2 * inset);
  // A point after a gap begins a new line, and one on its own is drawn as a dot.
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const at = `${xAt(index).toFixed(2)} ${yAt(value).toFixed(2)}`;
      return (values[index - 1] ?? null) === null ? `M${at}L${at}` : `L${at}`;
    })
    .join('');
  const nameOf = formats.formatterOf(
    dimension,
    points.map(({ key }) => key),
  );
  const say = (value: number) => formats.formatNumber(value, metric.format);
  const names = points.map(({ key }) => nameOf(key));
  const [first, last] = [names[0]!, names.at(-1)!];
  const end = values.at(-1) ?? null;
  const describe = chartCode?.describePoints(tile, sparkline, names, formats);
  const step = width / points.length;
  return (
    <div className="sparkline">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="sparkline-line" d={path} />
        {end !== null && (
          <path className="sparkline-end" d={`M${xAt(values.length - 1)} ${yAt(end)}h0`} />
        )}
        {active !== null && <path className="sparkline-active" d={`M${xAt(active)} 0v${height}`} />}
        {describe &&
          points.map(({ key }, index) => (
            <rect
              key={String(key)}
              className="sparkline-point"
              x={index * step}
              width={step}
              height={height}
              data-tip={describe(index)}
            />
          ))}
      </svg>
      <p className="sparkline-ends" aria-hidden="true">
        <span>{first}</span>
        {first !== last && <span>{last}</span>}
      </p>
      {chartCode && describe && (
        <chartCode.MarkKeys
          title={title}
          marks={names.map((name) => ({ name, filters: [] }))}
          canSelect={false}
          toggle={() => {}}
          active={active}
          onActive={setActive}
          describe={(index) => describe(index).replaceAll('\n', ' · ')}
          actionOf={() => undefined}
        />
      )}
      <p className="visually-hidden">
        {formats.formatMessage('chart.sparkline', {
          metric: metric.name,
          dimension: formats.nameDimension(dimension),
          first,
          last,
          lowest: say(low),
          highest: say(high),
        })}
      </p>
    </div>
  );
}
