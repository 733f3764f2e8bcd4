import { useCallback } from 'react';

import { drawChart } from '../../charts/draw-chart.ts';
import { heightOf, usualHeight } from '../../charts/heights.ts';
import type { Chart, Panel } from '../../charts/read-chart.ts';
import type { Scatter, ScatterPanel } from '../../charts/read-scatter.ts';
import { useViewer } from '../../viewer-context.ts';
import { Legend } from './Legend.tsx';
import { MarkKeys, type MarkKeysProps } from './marks/MarkKeys.tsx';
import { PlotDrawing } from './PlotDrawing.tsx';

interface ChartFigureProps {
  title: string;
  chart: Chart | Scatter;
  /** Describes the chart in words. */
  text: string;
  axisNames: (panel: Panel | ScatterPanel) => {
    above?: string | undefined;
    below?: string | undefined;
  };
  /** Series that the reader has hidden. */
  hidden?: ReadonlySet<string>;
  onToggle?: (series: string) => void;
  /** Present if the chart has more bars than are drawn at first. */
  fold?: { isUnfolded: boolean; count: number; toggle: () => void };
  marks: MarkKeysProps;
}

/** The drawings of a chart with its legend and the names of its axes. */
export function ChartFigure({
  title,
  chart,
  text,
  axisNames,
  hidden,
  onToggle,
  fold,
  marks,
}: ChartFigureProps) {
  const { formatMessage } = useViewer().formats;
  const isSmall = chart.panels.length > 1;
  return (
    <figure className="chart" aria-label={title}>
      {chart.legend.length > 0 && (
        <div aria-hidden={!onToggle}>
          <Legend series={chart.legend} hidden={hidden} onToggle={onToggle} />
        </div>
      )}
      <div aria-hidden="true">
        <div className={isSmall ? 'panels' : undefined}>
          {chart.panels.map((panel, index) => {
            const { above, below } = axisNames(panel);
            return (
              <div key={`${panel.name} ${'axis' in panel ? panel.axis : ''}`} className="panel">
                {panel.name !== null && (
                  <p className="panel-name" title={panel.name}>
                    {panel.name}
                  </p>
                )}
                {above !== undefined && <p className="axis-name">{above}</p>}
                <PanelDrawing
                  chart={chart}
                  index={index}
                  onSelect={marks.canSelect || fold ? marks.toggle : undefined}
                />
                {below !== undefined && <p className="axis-name axis-name-x">{below}</p>}
              </div>
            );
          })}
        </div>
      </div>
      {fold && (
        <button
          type="button"
          className="why fold-toggle"
          aria-expanded={fold.isUnfolded}
          onClick={fold.toggle}
        >
          {fold.isUnfolded
            ? formatMessage('chart.fold')
            : formatMessage('chart.unfold', { count: fold.count })}
        </button>
      )}
      <MarkKeys {...marks} />
      <figcaption className="visually-hidden">{text}</figcaption>
    </figure>
  );
}

function PanelDrawing({
  chart,
  index,
  onSelect,
}: Pick<ChartFigureProps, 'chart'> & {
  index: number;
  onSelect: ((place: number, toAdd: boolean) => void) | undefined;
}) {
  const { formats, isPrinting } = useViewer();
  const draw = useCallback(
    (width: number, height?: number) => drawChart(chart, index, width, formats, height),
    [chart, index, formats],
  );
  const isTall = heightOf(chart, index) > usualHeight;
  return (
    <div className={isTall ? 'drawing drawing-tall' : 'drawing'}>
      <PlotDrawing draw={draw} onSelect={onSelect} isPrinting={isPrinting} />
    </div>
  );
}
