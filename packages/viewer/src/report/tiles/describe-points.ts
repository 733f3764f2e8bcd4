import type { Key, KpiTile } from '@portal-embed/report-model';

import type { Formats } from '../../format/create-formats.ts';
import { writeTip } from '../../tips.ts';

type Sparkline = NonNullable<KpiTile['sparkline']>;

/**
 * Creates the tooltips of a sparkline: period, number, and the change since the same period of the year,
 * quarter or month with which the tile compares.
 *
 * @param names the names of the points
 */
export function describePoints(
  { metric, period, comparison }: KpiTile,
  { dimension, points }: Sparkline,
  names: readonly string[],
  formats: Formats,
): (index: number) => string {
  const unit = comparison?.label.slice('previous '.length);
  const distance = unit && distances[`${dimension.grain} ${unit}`];
  return (index) => {
    const value = points[index]?.value ?? null;
    const before = distance ? points[index - distance] : undefined;
    // The last period may have only some of its days.
    const isOpen = period?.isIncomplete === true && index === points.length - 1;
    const change =
      before && !isOpen ? formats.formatChange(value, before.value, metric.format) : null;
    return writeTip(
      names[index],
      formats.describeValue(metric.name, value, metric.format),
      change === null
        ? undefined
        : formats.formatMessage('tooltip.change', { change, period: nameBefore(before!.key) }),
    );
  };
  function nameBefore(key: Key): string {
    return names[points.findIndex((point) => point.key === key)]!;
  }
}

/** Points between a period and the one that it is compared with, for grains that divide it evenly. */
const distances: Record<string, number | undefined> = {
  'year year': 1,
  'quarter year': 4,
  'month year': 12,
  'quarter quarter': 1,
  'month quarter': 3,
  'month month': 1,
  'week week': 1,
  'day week': 7,
  'day day': 1,
};
