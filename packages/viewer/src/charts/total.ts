import type { Group, Metric } from '@portal-embed/report-model';

/**
 * The sum of a metric over all groups, if each of them is a share of it: sums and counts without values
 * below zero, of which none is left out.
 */
export function totalOf(
  { metrics, groups }: { metrics: readonly Metric[]; groups: readonly Group[] },
  column: number,
): number | undefined {
  if (!metrics[column]?.isAdditive) return undefined;
  const values = groups.map((group) => Number(group.values[column] ?? 0));
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 && values.every((value) => value >= 0) ? sum : undefined;
}
