import type { DraftDataset, Issue } from '@portal-embed/report-model';

import { getFilePath, type DatasetItem, type ReportItem } from './items.ts';

/**
 * Names what uses each column that a source has lost: fields, metrics, roles, hierarchies, and the filters
 * and tiles of reports.
 *
 * @param issues those of the dataset
 * @param reports those of the dataset
 */
export function describeLost(
  { definition }: DatasetItem,
  { draft, issues }: { draft: DraftDataset; issues: readonly Issue[] },
  reports: readonly ReportItem[],
): Issue[] {
  const { lost, broken } = draft;
  return [...(lost?.names ?? [])].flatMap((column): Issue[] => {
    const about = `has no column ${JSON.stringify(column)} any more`;
    const own = issues.filter(({ message }) => message.includes(about));
    const names = new Set([column, ...own.flatMap(({ path }) => nameOf(definition, path) ?? [])]);
    const users = [
      ...own.map(({ path }) => describeUser(definition, path)),
      ...reports.flatMap((report) => describeReport(report, new Set([...names, ...broken]))),
    ];
    if (users.length === 0) return [];
    const property = 'file' in definition.source ? 'file' : 'files';
    return [
      {
        path: ['source', 'connection' in definition.source ? 'connection' : property],
        message: `the ${lost!.source} ${about}, which is used by ${listUsers([...new Set(users)])}`,
      },
    ];
  });
}

const lists = {
  fields: 'the field',
  metrics: 'the metric',
  hierarchies: 'the hierarchy',
  roles: 'the role',
} as const;

const isList = (property: unknown): property is keyof typeof lists =>
  typeof property === 'string' && Object.hasOwn(lists, property);

function nameOf(definition: DatasetItem['definition'], [list, index]: Issue['path']) {
  return isList(list) ? definition[list][Number(index)]?.name : undefined;
}

function describeUser(definition: DatasetItem['definition'], path: Issue['path']): string {
  const [list] = path;
  const name = nameOf(definition, path);
  return isList(list) && name !== undefined
    ? `${lists[list]} ${JSON.stringify(name)}`
    : String(list);
}

/** The filters and tiles of a report that use one of the names. */
function describeReport(report: ReportItem, names: ReadonlySet<string>): string[] {
  const { filters, pages } = report.definition;
  const tiles = pages.flatMap((page) =>
    page.rows.flatMap((row) =>
      row.tiles.flatMap((tile) =>
        usesName(tile, names) ? [`${tile.type} on the page ${JSON.stringify(page.name)}`] : [],
      ),
    ),
  );
  const used = [...(usesName(filters, names) ? ['a filter'] : []), ...new Set(tiles)];
  return used.length > 0 ? [`${used.join(', ')} of ${getFilePath(report)}`] : [];
}

/** Whether a value has one of the names, perhaps with a grain. Texts of tiles are no names. */
function usesName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return names.has(value) || names.has(value.replace(/ by .*$/, ''));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([property, each]) => property !== 'title' && property !== 'text' && usesName(each, names),
  );
}

const shownUsers = 10;

const listUsers = (users: readonly string[]): string =>
  users.length > shownUsers
    ? `${users.slice(0, shownUsers).join('; ')} and ${users.length - shownUsers} more`
    : users.join('; ');
