import type { Dimension, Group } from '@portal-embed/report-model';

import type { Formats } from '../format/create-formats.ts';

type Role = 'x' | 'color' | 'facet' | 'point';

/** Reads the keys of one dimension of a tile. */
export interface KeyReader {
  dimension: Dimension;
  /** Equal for groups with the same key. */
  id: (group: Group) => string;
  name: (group: Group) => string;
  /** Whether the group stands for all values beyond the limit. */
  isOther: (group: Group) => boolean;
}

export function createKeyReaders(
  dimensions: readonly { role?: Role; dimension: Dimension }[],
  groups: readonly Group[],
  formats: Formats,
): KeyReader[] {
  return dimensions.map(({ role, dimension }, position) => {
    const keyOf = ({ keys }: Group) => keys[position] ?? null;
    const countOf = (group: Group) => countOthers(group, role, dimensions.length);
    const nameOf = formats.formatterOf(dimension, groups.map(keyOf));
    return {
      dimension,
      id: (group) => (countOf(group) === undefined ? JSON.stringify(keyOf(group)) : 'other'),
      name: (group) => {
        const count = countOf(group);
        return count === undefined
          ? nameOf(keyOf(group))
          : formats.formatMessage('value.other', { count });
      },
      isOther: (group) => countOf(group) !== undefined,
    };
  });
}

function countOthers(group: Group, role: Role | undefined, dimensions: number) {
  if (role === 'facet') return group.otherFacets;
  // The color is the only dimension of a donut.
  if (role === 'color') return group.otherColors ?? (dimensions === 1 ? group.other : undefined);
  return group.other;
}
