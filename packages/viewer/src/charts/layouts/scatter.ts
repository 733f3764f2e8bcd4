import { axisX, dot, gridX, pointer, ruleX, ruleY } from '@observablehq/plot';
import type { PlotOptions } from '@observablehq/plot';

import { countTicks, heightOf } from '../heights.ts';
import type { Scatter, ScatterPanel, ScatterPoint } from '../read-scatter.ts';
import { createValueAxis } from '../value-axis.ts';
import { identity } from './columns.ts';
import {
  endRoom,
  fitValueAxis,
  labelRoom,
  plainAxis,
  quiet,
  tipPoint,
  verticalAxis,
  type Place,
} from './frame.ts';

const largestDot = 16;

export function layOutScatter(
  scatter: Scatter,
  { points }: ScatterPanel,
  { width, room, formats }: Place,
): PlotOptions {
  const height = heightOf(scatter, 0, room);
  const all = scatter.panels.flatMap((panel) => panel.points);
  const valuesOf = (axis: 'x' | 'y') => all.map((point) => point[axis]);
  const y = createValueAxis(valuesOf('y'), scatter.y.format, countTicks(height), formats);
  const marginLeft = labelRoom(y);
  const x = fitValueAxis(width - marginLeft, (most) =>
    createValueAxis(valuesOf('x'), scatter.x.format, most, formats),
  );
  const largest = all.reduce((most, { size }) => Math.max(most, Math.abs(size ?? 0)), 0) || 1;
  // The largest dot at an end of an axis must neither cover its labels nor be cut off.
  const inset = scatter.size ? largestDot : 4;
  const channels = { x: 'x', y: 'y' } as const;
  return {
    ...identity,
    r: { type: 'identity' },
    height,
    marginTop: 12,
    marginRight: endRoom(20, x.ticks.map(x.label)),
    marginBottom: 26,
    marginLeft,
    x: { domain: x.domain, inset },
    y: { domain: y.domain, inset },
    marks: [
      ...verticalAxis(y, formats),
      gridX(x.ticks, { className: 'plot-grid' }),
      axisX(x.ticks, { ...plainAxis, tickFormat: x.label }),
      ...(y.domain[0] < 0 && y.domain[1] > 0 ? [ruleY([0], { stroke: quiet })] : []),
      ...(x.domain[0] < 0 && x.domain[1] > 0 ? [ruleX([0], { stroke: quiet })] : []),
      dot(points, {
        ...channels,
        // The area shows the size.
        r: ({ size }: ScatterPoint) =>
          scatter.size ? Math.max(2.5, largestDot * Math.sqrt(Math.abs(size ?? 0) / largest)) : 4,
        fill: 'color',
        fillOpacity: ({ emphasis }: ScatterPoint) => (emphasis?.isSelected === false ? 0.1 : 0.55),
        strokeOpacity: ({ emphasis }: ScatterPoint) => (emphasis?.isSelected === false ? 0.3 : 1),
        stroke: ({ color, emphasis }: ScatterPoint) => (emphasis?.isActive ? 'var(--text)' : color),
        strokeWidth: ({ emphasis }: ScatterPoint) => (emphasis?.isActive ? 3 : 1.5),
        sort: ({ size }: ScatterPoint) => -(size ?? 0),
      }),
      dot(points, pointer({ ...channels, ...tipPoint })),
    ],
  };
}
