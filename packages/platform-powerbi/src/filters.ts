import { parseFilterValue, type FieldType } from '@portal-embed/report-model';

import type { CustomFilter } from '#platform';

/** A filter in the form of the client of Power BI. Source: its reference of `IBasicFilter`. */
export interface BasicFilter {
  $schema: 'http://powerbi.com/product/schema#basic';
  filterType: 1;
  target: { table: string; column: string };
  operator: 'In';
  values: string[];
  displaySettings: { isLockedInViewMode: true };
}

export interface Filters {
  basic: BasicFilter[];
  /** Keys that name no table, and those with a range or a period, which Power BI would compare as texts. */
  unapplied: string[];
  /** Keys whose lists have no value in common, so that no row could be shown. */
  contradictory: string[];
}

/** Translates filters with keys such as `Table/Column`. A row has one of the values in every list. */
export function translateFilters(lists: readonly (readonly CustomFilter[])[]): Filters {
  const values = new Map<string, Set<string>>();
  for (const list of lists)
    for (const [key, given] of groupByKey(list)) {
      const held = values.get(key);
      values.set(key, held ? new Set([...held].filter((value) => given.has(value))) : given);
    }
  const keys = [...values.keys()];
  const given = lists.flat();
  const hasSpan = (key: string) => given.some((each) => each.key === key && isSpan(each.value));
  const targets = keys.map((key) => ({ key, target: hasSpan(key) ? undefined : readTarget(key) }));
  return {
    unapplied: targets.filter(({ target }) => !target).map(({ key }) => key),
    contradictory: keys.filter((key) => values.get(key)!.size === 0 && !hasSpan(key)),
    basic: targets.flatMap(({ key, target }) =>
      target ? [basicFilter(target, [...values.get(key)!])] : [],
    ),
  };
}

/** The portal does not know the type of a column. */
const typesWithSpans: readonly FieldType[] = ['number', 'datetime'];

/** Whether a text is a range or a period, such as `2024-01-01..` or `last 12 months`. */
const isSpan = (text: string): boolean =>
  typesWithSpans.some((type) => {
    const parsed = parseFilterValue(text, type);
    return parsed !== undefined && parsed.kind !== 'value';
  });

const basicFilter = (target: BasicFilter['target'], values: string[]): BasicFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  filterType: 1,
  target,
  operator: 'In',
  values,
  displaySettings: { isLockedInViewMode: true },
});

function groupByKey(list: readonly CustomFilter[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { key, value } of list) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return groups;
}

/** The name of a column may have a slash. */
function readTarget(key: string): BasicFilter['target'] | undefined {
  const at = key.indexOf('/');
  const [table, column] = [key.slice(0, at), key.slice(at + 1)];
  return at > 0 && column !== '' ? { table, column } : undefined;
}
