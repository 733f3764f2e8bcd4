import { describeAnswer, isSuccess } from '../../http/send.ts';
import { fail, skip } from '../../rules/rule.ts';
import type { PortalPoint } from '../../rules/specification.ts';
import { describeQuery, isSameId, listPaths, textOf } from '../api.ts';
import type { Api, Item, ListName, Page } from '../api.ts';
import { nonsense } from '../subject.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';

interface Filter {
  list: ListName;
  parameter: string;
  /** The field that the filter compares. */
  field: string;
  point: PortalPoint;
  /** A value that no item has. */
  missing: () => string;
  isId?: true;
}

const filters: Filter[] = [
  { list: 'users', parameter: 'name', field: 'name', point: 'users.list', missing: nonsense },
  {
    list: 'users',
    parameter: 'email',
    field: 'email',
    point: 'users.list',
    missing: () => `${nonsense()}@example.com`,
  },
  {
    list: 'reports',
    parameter: 'reportName',
    field: 'name',
    point: 'reports.list',
    missing: nonsense,
  },
  {
    list: 'reports',
    parameter: 'workspaceName',
    field: 'workspaceName',
    point: 'reports.list',
    missing: nonsense,
  },
  {
    list: 'roles',
    parameter: 'datasetId',
    field: 'datasetId',
    point: 'roles.list',
    missing: () => crypto.randomUUID(),
    isId: true,
  },
  {
    list: 'audit',
    parameter: 'userEmail',
    field: 'userEmail',
    point: 'audit.list',
    missing: () => `${nonsense()}@example.com`,
  },
  {
    list: 'audit',
    parameter: 'reportName',
    field: 'reportName',
    point: 'audit.list',
    missing: nonsense,
  },
];

/** Compares as tolerantly as a search may: without letter case and accents. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const matches = ({ field, isId }: Filter, item: Item, value: string): boolean =>
  isId ? isSameId(textOf(item, field), value) : fold(textOf(item, field)).includes(fold(value));

/** Reads the page of a filter, or `undefined` if the portal refuses the value. */
async function readFiltered(
  api: Api,
  list: ListName,
  query: Record<string, string>,
): Promise<Page | undefined> {
  const answer = await api.call('GET', listPaths[list], { query });
  if (answer.status >= 400 && answer.status < 500) return undefined;
  return api.parsePage(list, query, answer);
}

/** Returns the items of a list, the user of the run first. Skips the rule if there is none. */
async function readItems({ api, fixtures, options }: PortalSubject, list: ListName) {
  const { data } = await api.readPage(list);
  if (list === 'users' && options.write) {
    const { email } = await fixtures.first();
    const user = await fixtures.findUser(email);
    if (user) return [user, ...data];
  }
  return data.length > 0 ? data : skip(`${listPaths[list]} is empty`);
}

async function checkFilter(subject: PortalSubject, filter: Filter): Promise<string> {
  const { list, parameter, field, missing } = filter;
  const { api } = subject;
  const items = await readItems(subject, list);
  const item = items.find((each) => textOf(each, field).trim() !== '');
  if (!item) skip(`no item of ${listPaths[list]} has a string as ${field}`);
  const query = { [parameter]: textOf(item, field) };
  const { items: found, isComplete } = await api.readAll(list, query);
  const stranger = found.find((each) => !matches(filter, each, query[parameter]!));
  if (stranger)
    fail(`${describeQuery(query)} also returns ${field} ${JSON.stringify(stranger[field])}`);
  if (!found.some((each) => isSameId(textOf(each, 'id'), textOf(item, 'id'))))
    if (isComplete) fail(`${describeQuery(query)} does not return the item that has this ${field}`);
  const without = { [parameter]: missing() };
  const none = await readFiltered(api, list, without);
  if (none && none.data.length > 0)
    fail(`${describeQuery(without)} returns ${none.data.length} items that do not match`);
  return `${found.length} of the items match`;
}

async function checkBoth(subject: PortalSubject, [one, other]: [Filter, Filter]): Promise<string> {
  const items = await readItems(subject, one.list);
  const item = items.find(
    (each) => textOf(each, one.field).trim() !== '' && textOf(each, other.field).trim() !== '',
  );
  if (!item) skip(`no item of ${listPaths[one.list]} has both fields`);
  for (const [kept, replaced] of [
    [one, other],
    [other, one],
  ] as const) {
    const query = {
      [kept.parameter]: textOf(item, kept.field),
      [replaced.parameter]: replaced.missing(),
    };
    const page = await readFiltered(subject.api, one.list, query);
    if (page && page.data.length > 0)
      fail(`${describeQuery(query)} returns ${page.data.length} items that do not match both`);
  }
  return 'each filter narrows the other';
}

const pairs = filters.flatMap((one, index) =>
  filters
    .slice(index + 1)
    .filter(({ list }) => list === one.list)
    .map((other): [Filter, Filter] => [one, other]),
);

/** Finds pages to turn: the list as it is, or with a page size of 1 if the portal has that parameter. */
async function readPages(subject: PortalSubject, list: ListName) {
  const whole = await subject.api.readAll(list);
  if (whole.pages.length > 1) return { ...whole, query: {} };
  if (whole.items.length > 1) {
    const query = { pageSize: '1' };
    const answer = await subject.api.call('GET', listPaths[list], { query });
    if (isSuccess(answer) && subject.api.parsePage(list, query, answer).data.length === 1)
      return { ...(await subject.api.readAll(list, query, 5)), query };
  }
  return { ...whole, query: {} };
}

async function checkPages(subject: PortalSubject, list: ListName): Promise<string> {
  const { pages, query, isComplete } = await readPages(subject, list);
  const [first, second] = pages;
  const where = listPaths[list];
  const totalPages = Number(first!.envelope['totalPages']);
  if (!second) {
    if (first!.envelope['hasNextPage'] !== true && !(totalPages > 1))
      skip(`${where} has only one page`);
    const next = { ...query, pageNumber: '2' };
    const answer = await subject.api.call('GET', where, { query: next });
    if (list !== 'audit') skip(`no known parameter selects a page of ${where}`);
    fail(`${where}${describeQuery(next)} is not page 2: ${describeAnswer(answer)}`);
  }
  const ids = pages.flatMap(({ data }) => data.map((item) => textOf(item, 'id')));
  if (new Set(ids).size < ids.length) fail(`an item of ${where} is on two pages`);
  const empty = pages.findIndex(({ data }) => data.length === 0);
  if (empty !== -1) fail(`page ${empty + 1} of ${totalPages} is empty`);
  if (isComplete && totalPages !== pages.length)
    fail(`totalPages is ${totalPages}, but hasNextPage leads through ${pages.length} pages`);
  if (!isComplete && totalPages <= pages.length)
    fail(`page ${pages.length} of ${totalPages} says that a later page exists`);
  return `${pages.length} pages of ${totalPages} read`;
}

export const listRules: PortalRule[] = [
  ...filters.map((filter): PortalRule => ({
    id: `${filter.list}.filter.${filter.parameter}`,
    covers: [filter.point],
    expected: `The filter ${filter.parameter} returns all items that match, and no others`,
    check: (subject) => checkFilter(subject, filter),
  })),
  ...pairs.map(([one, other]): PortalRule => ({
    id: `${one.list}.filter.${one.parameter}-and-${other.parameter}`,
    covers: [one.point],
    expected: `${one.parameter} and ${other.parameter} together return only items that match both`,
    check: (subject) => checkBoth(subject, [one, other]),
  })),
];

export const pageRules: PortalRule[] = (Object.keys(listPaths) as ListName[]).map((list) => ({
  id: `lists.pages.${list}`,
  covers:
    list === 'audit'
      ? ['lists.pageNumber', 'lists.totalPages', 'lists.hasNextPage']
      : ['lists.totalPages', 'lists.hasNextPage'],
  expected: `${listPaths[list]} has as many pages as totalPages says, and no item is on two pages`,
  check: (subject) => checkPages(subject, list),
}));
