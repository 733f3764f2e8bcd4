import {
  isCyclic,
  type Group,
  type Key,
  type ResolvedDimension,
  type Value,
} from '@portal-embed/report-model';

import { listPeriods, type Period } from '../plan/periods.ts';
import { findPeriod, listPlaces, maxGroups, TileError } from './context.ts';

/** All periods from the first to the last key. */
function listAxis(keys: readonly Key[], period: Period): string[] {
  const times = keys.filter((key) => typeof key === 'string').toSorted();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const periods = listPeriods(first, last, period, maxGroups);
  if (periods) return periods;
  throw new TileError({ code: 'too_many_periods', limit: maxGroups });
}

/**
 * Adds a group to each series for each period without rows. Sorts by the first key, with blanks last.
 * Returns `undefined` if the dimension has no periods.
 *
 * @param groups ordered by series
 */
export function fillTimes(
  dimension: ResolvedDimension,
  groups: readonly Group[],
  emptyValues: Value[] | undefined,
  isDescending = false,
): Group[] | undefined {
  const period = findPeriod(dimension);
  const keys = groups.map((group) => group.keys[0] ?? null);
  const { grain } = dimension;
  const places = grain && isCyclic(grain) ? listPlaces(grain) : undefined;
  const axis: Key[] | undefined = period ? listAxis(keys, period) : places;
  if (!axis || groups.length === 0) return undefined;
  const series = groupBySeries(groups);
  if (axis.length * series.size > maxGroups)
    throw new TileError({ code: 'too_many_marks', limit: maxGroups });
  return [...(isDescending ? axis.toReversed() : axis), null].flatMap((key) =>
    [...series.values()].flatMap(({ sample, members }) => {
      const known = members.get(key);
      if (known || key === null) return known ? [known] : [];
      return [{ ...sample, keys: [key, ...sample.keys.slice(1)], values: emptyValues ?? [] }];
    }),
  );
}

/** Collects groups that differ only in their first key, in the order of their appearance. */
function groupBySeries(groups: readonly Group[]) {
  const series = new Map<string, { sample: Group; members: Map<Key, Group> }>();
  for (const group of groups) {
    const [key = null, ...rest] = group.keys;
    const name = JSON.stringify([rest, group.otherColors, group.otherFacets]);
    const { members } = series.get(name) ?? { members: new Map<Key, Group>() };
    series.set(name, { sample: group, members: members.set(key, group) });
  }
  return series;
}
