import type { Chart } from './read-chart.ts';
import type { Scatter } from './read-scatter.ts';

/** How a mark differs from the others. */
export interface Emphasis {
  /** Undefined if no mark is selected. */
  isSelected: boolean | undefined;
  /** Whether the arrow keys are at this mark. */
  isActive: boolean;
  /** What a click on the mark does, if anything. */
  action?: string | undefined;
}

/** Sets the emphasis of each place: whether it is selected, and whether the arrow keys are at it. */
export const emphasize = (chart: Chart, emphasisOf: (place: number) => Emphasis): Chart => ({
  ...chart,
  places: chart.places.map((place, index) => ({ ...place, emphasis: emphasisOf(index) })),
});

/** As `emphasize`, for points. */
export const emphasizePoints = (
  scatter: Scatter,
  emphasisOf: (point: number) => Emphasis,
): Scatter => ({
  ...scatter,
  panels: scatter.panels.map((panel) => ({
    ...panel,
    points: panel.points.map((point) => ({ ...point, emphasis: emphasisOf(point.place) })),
  })),
});

/** Leaves out series, and panels without any left. If no series were left, all are shown. */
export function hideSeries(chart: Chart, hidden: ReadonlySet<string>): Chart {
  if (hidden.size === 0 || chart.legend.every(({ id }) => hidden.has(id))) return chart;
  return {
    ...chart,
    panels: chart.panels
      .map((panel) => {
        const isShown = panel.series.map(({ id }) => !hidden.has(id));
        return {
          ...panel,
          series: panel.series.filter((_, index) => isShown[index]),
          values: panel.values.filter((_, index) => isShown[index]),
        };
      })
      .filter(({ series }) => series.length > 0),
  };
}
