import type { Formats } from '../format/create-formats.ts';
import { measureRows } from './heights.ts';
import type { AxisPlace, Chart } from './read-chart.ts';

/** Horizontal bars of one panel that are all drawn: on the page, and in the full view of the tile. */
const maxBars = { page: 25, full: 300 } as const;

/** Places that are drawn however many bars each of them has. */
const leastPlaces = 7;

/**
 * Folds the places in the middle of a chart of many horizontal bars into one, which says how many they
 * are. Both ends stay: the highest numbers and the greatest losses.
 */
export function foldPlaces(
  chart: Chart,
  { formatMessage }: Formats,
  place: keyof typeof maxBars = 'page',
): Chart {
  const [panel] = chart.panels;
  if (chart.type !== 'bar' || !panel) return chart;
  const { bars } = measureRows(chart, panel);
  const capacity = Math.max(leastPlaces, Math.floor(maxBars[place] / bars));
  if (chart.places.length <= capacity) return chart;
  const kept = Math.floor((capacity - 1) / 2);
  const folded = chart.places.length - 2 * kept;
  const name = formatMessage('chart.folded', { count: folded });
  const fold: AxisPlace = { key: null, name, isOther: false, isIncomplete: false, folded };
  const shorten = <Item>(items: readonly Item[], between: Item) => [
    ...items.slice(0, kept),
    between,
    ...items.slice(-kept),
  ];
  return {
    ...chart,
    places: shorten(chart.places, fold),
    panels: chart.panels.map((each) => ({
      ...each,
      values: each.values.map((ofSeries) => shorten(ofSeries, null)),
    })),
  };
}
