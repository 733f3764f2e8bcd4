import type { Dimension, Group, Key, Metric } from '@portal-embed/report-model';

import { createKeyReaders } from '../../charts/key-readers.ts';
import { compareKeys, compareRanks, compareValues } from '../../format/compare.ts';
import type { Formats } from '../../format/create-formats.ts';
import type { Column } from './DataTable.tsx';
import { findExtents } from './highlight.ts';
import { writeLink } from './write-link.ts';

/**
 * The columns of a table of groups: dimensions, then metrics.
 *
 * @param metrics with the decimals of their columns
 */
export function createColumns(
  dimensions: readonly { role?: 'x' | 'color' | 'facet' | 'point'; dimension: Dimension }[],
  metrics: readonly Metric[],
  groups: readonly Group[],
  formats: Formats,
  /** The key of the first dimension for an incomplete period. */
  incompleteKey?: Key,
): Column<Group>[] {
  const readers = createKeyReaders(dimensions, groups, formats);
  const ofDimensions = dimensions.map(({ role, dimension }, position): Column<Group> => {
    const keyOf = ({ keys }: Group) => keys[position] ?? null;
    const { name, isOther } = readers[position]!;
    return {
      id: `dimension ${position}`,
      name: formats.nameDimension(dimension),
      kind: kindOf(dimension),
      isHeader: position === 0,
      text: (group) => {
        // A table has one limit for all dimensions, so one name is enough for the combined row.
        if (role === undefined && isOther(group) && position > 0) return '';
        const isOpen =
          position === 0 && incompleteKey !== undefined && keyOf(group) === incompleteKey;
        return isOpen && !isOther(group)
          ? formats.formatMessage('time.incomplete', { period: name(group) })
          : name(group);
      },
      compare: (one, other) =>
        dimension.kind === 'number'
          ? compareKeys('number', keyOf(one), keyOf(other))
          : compareRanks(dimension, keyOf(one), keyOf(other)) ||
            formats.compareTexts(String(keyOf(one)), String(keyOf(other))),
      isMissing: (group) => keyOf(group) === null,
      ...(dimension.link && { link: ({ keys }: Group) => writeLink(dimension, keys) }),
    };
  });
  const extents = findExtents(metrics, groups);
  const ofMetrics = metrics.map((metric, position): Column<Group> => {
    const valueOf = ({ values }: Group) => values[position] ?? null;
    return {
      id: `metric ${position}`,
      name: metric.name,
      kind: 'number',
      isHeader: false,
      text: (group) => formats.formatNumber(valueOf(group), metric.format),
      compare: (one, other) => compareValues(valueOf(one), valueOf(other)),
      isMissing: (group) => valueOf(group) === null,
      ...(metric.conditionalFormat && {
        highlight: (group: Group) => ({
          metric,
          value: valueOf(group),
          extent: extents[position],
        }),
      }),
    };
  });
  return [...ofDimensions, ...ofMetrics];
}

function kindOf({ kind, grain }: Dimension): Column<Group>['kind'] {
  if (kind === 'time') return 'time';
  return kind === 'number' && grain === undefined ? 'number' : 'text';
}
