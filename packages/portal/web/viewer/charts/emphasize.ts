import type { Chart, Place } from './read-chart.ts';

/** Marks the places that the reader has selected, and the one that the keys have reached. */
export const emphasize = (
  chart: Chart,
  isSelected: ((place: Place) => boolean) | undefined,
  active: number | null,
): Chart => ({
  ...chart,
  places: chart.places.map((place, index) => ({
    ...place,
    emphasis: { isSelected: isSelected?.(place), isActive: index === active },
  })),
});

/** Leaves out series. If none were left, all are shown. */
export function hideSeries(chart: Chart, hidden: ReadonlySet<string>): Chart {
  if (hidden.size === 0 || chart.legend.every(({ id }) => hidden.has(id))) return chart;
  return {
    ...chart,
    panels: chart.panels.map((panel) => {
      const isShown = panel.series.map(({ id }) => !hidden.has(id));
      return {
        ...panel,
        series: panel.series.filter((_, index) => isShown[index]),
        values: panel.values.filter((_, index) => isShown[index]),
      };
    }),
  };
}
