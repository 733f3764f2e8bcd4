import { fail, skip } from '../../rules/rule.ts';
import type { PortalPoint } from '../../rules/specification.ts';
import { isItem, listPaths, readPageNumber } from '../api.ts';
import type { Item, ListName } from '../api.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { hasFraction, isAddress, isListOf, isText, isUtcTimestamp, isUuid } from './values.ts';

type Check = [expected: string, isValid: (value: unknown) => boolean];

const id: Check = ['a UUID', isUuid];
const ids: Check = ['a list of UUIDs', isListOf(isUuid)];
const text: Check = ['a string', isText];
const integer: Check = ['an integer', Number.isInteger];
const boolean: Check = ['true or false', (value) => typeof value === 'boolean'];
/** The specification shows only null, so any value is allowed. */
const open: Check = ['present, with null or any other value', () => true];
const email: Check = [
  'an e-mail address',
  (value) => isText(value) && /^[^\s@].*@[^\s@]+$/.test(value),
];

/** The fields of each resource. */
export const fields = {
  users: {
    id,
    email,
    name: text,
    role: ['an integer from 1 to 4', (value) => [1, 2, 3, 4].includes(value as number)],
    reports: ids,
    companies: ['a list', Array.isArray],
    groups: ids,
    reportLandingPage: open,
    department: text,
    expirationDate: open,
    directoryAdUser: open,
    canEditReport: boolean,
    canCreateReport: boolean,
    canOverwriteReport: boolean,
  },
  reports: {
    id,
    name: text,
    description: ['a string or null', (value) => value === null || isText(value)],
    datasetId: id,
    embedUrl: ['a URL', isAddress],
    workspaceId: id,
    reportType: integer,
    folderId: open,
    workspaceName: text,
    userOwner: open,
  },
  roles: {
    id,
    name: text,
    users: ids,
    groups: ids,
    datasetId: id,
    userEmails: ['a list of e-mail addresses', isListOf(email[1])],
  },
  audit: {
    id,
    createdAt: [
      'an ISO 8601 time in UTC with fractional seconds',
      (value) => isUtcTimestamp(value) && hasFraction(value),
    ],
    organizationId: id,
    userId: id,
    userEmail: email,
    reportId: id,
    reportName: text,
    action: integer,
    actionName: text,
  },
} satisfies Record<ListName, Record<string, Check>>;

/** Returns the items that were seen, and reads the list if there are none yet. */
export async function readSeen({ api }: PortalSubject, list: ListName): Promise<Item[]> {
  if (api.itemsOf(list).length === 0) await api.readPage(list);
  const items = api.itemsOf(list);
  return items.length > 0 ? items : skip(`${listPaths[list]} is empty`);
}

const createFieldRule = (
  list: ListName,
  field: string,
  [expected, isValid]: Check,
): PortalRule => ({
  id: `${list}.${field}`,
  covers: [`${list}.${field}` as PortalPoint],
  expected: `${field} is ${expected}`,
  check: async (subject) => {
    const items = await readSeen(subject, list);
    const wrong = items.find((item) => !(field in item) || !isValid(item[field]));
    if (!wrong) return `${items.length} items read`;
    const value = field in wrong ? JSON.stringify(wrong[field]) : 'absent';
    return fail(`${field} of ${JSON.stringify(wrong['id'])} is ${value}`);
  },
});

/** Creates a rule about ids, or about e-mails, that no two items of one answer may share. */
const createUniqueRule = (list: ListName, field: 'id' | 'email'): PortalRule => ({
  id: `${list}.${field}.unique`,
  covers: [`${list}.${field}` as PortalPoint],
  expected: `No two items of a list have the same ${field}`,
  check: async (subject) => {
    const { items } = await subject.api.readAll(list);
    if (items.length === 0) skip(`${listPaths[list]} is empty`);
    const seen = new Set<string>();
    for (const item of items) {
      const key = String(item[field]).toLowerCase();
      if (seen.has(key)) fail(`two have ${JSON.stringify(item[field])}`);
      seen.add(key);
    }
    return `${items.length} items read`;
  },
});

const createFieldRules = ([list, checks]: [string, Record<string, Check>]): PortalRule[] =>
  Object.entries(checks).map(([field, check]) => createFieldRule(list as ListName, field, check));

export const fieldRules: PortalRule[] = [
  ...Object.entries(fields).flatMap(createFieldRules),
  ...(Object.keys(fields) as ListName[]).map((list) => createUniqueRule(list, 'id')),
  createUniqueRule('users', 'email'),
  {
    id: 'audit.action.name',
    covers: ['audit.action', 'audit.actionName'],
    expected: 'The action 1 is named TokenRequested, and no other is',
    check: async (subject) => {
      for (const { action, actionName } of await readSeen(subject, 'audit'))
        if ((action === 1) !== (actionName === 'TokenRequested'))
          fail(`action ${JSON.stringify(action)} has actionName ${JSON.stringify(actionName)}`);
      return 'true for all entries that were read';
    },
  },
  {
    id: 'users.reports.exist',
    covers: ['users.reports', 'reports.id'],
    expected: 'The reports of users are in the list of reports',
    check: async ({ api }) => {
      const { items, isComplete } = await api.readAll('reports');
      if (!isComplete) skip('the list of reports has too many pages');
      const known = new Set(items.map((report) => String(report['id']).toLowerCase()));
      for (const user of (await api.readAll('users')).items)
        for (const report of Array.isArray(user['reports']) ? (user['reports'] as unknown[]) : [])
          if (!known.has(String(report).toLowerCase()))
            fail(
              `${String(user['email'])} has ${JSON.stringify(report)}, which is not in the list`,
            );
      return `${known.size} reports`;
    },
  },
  {
    id: 'reports.platform',
    covers: ['reports.platform'],
    expected: 'The id of a report is that of the underlying platform',
    check: 'the API does not show the platform',
  },
];

interface EnvelopeRule {
  field: 'pageIndex' | 'totalPages' | 'hasNextPage' | 'hasPreviousPage';
  expected: string;
  /** Returns what is wrong. */
  check: (envelope: Item, query: Readonly<Record<string, string>>, items: number) => boolean;
}

const isWhole = (value: unknown, least: number) =>
  Number.isInteger(value) && (value as number) >= least;

/** A page past the last one, which the specification does not describe. */
const isBeyond = ({ pageIndex, totalPages }: Item) =>
  Number(pageIndex) > Math.max(1, Number(totalPages));

const envelopeFields: EnvelopeRule[] = [
  {
    field: 'pageIndex',
    expected: 'pageIndex is an integer: 1 on the first page, otherwise the requested number',
    check: (envelope, query) =>
      isWhole(envelope['pageIndex'], 1) &&
      // Only the access log has a parameter that the specification names.
      (readPageNumber(query) > 1 || envelope['pageIndex'] === 1),
  },
  {
    field: 'totalPages',
    expected: 'totalPages is an integer, and at least the number of a page with items',
    check: (envelope, _query, items) =>
      isWhole(envelope['totalPages'], 0) &&
      (items === 0 || Number(envelope['totalPages']) >= Number(envelope['pageIndex'])),
  },
  {
    field: 'hasNextPage',
    expected: 'hasNextPage is true if and only if a later page exists',
    check: (envelope) =>
      envelope['hasNextPage'] === Number(envelope['pageIndex']) < Number(envelope['totalPages']),
  },
  {
    field: 'hasPreviousPage',
    expected: 'hasPreviousPage is true if and only if an earlier page exists',
    check: (envelope) => envelope['hasPreviousPage'] === Number(envelope['pageIndex']) > 1,
  },
];

export const envelopeRules: PortalRule[] = [
  ...envelopeFields.map(({ field, expected, check }): PortalRule => ({
    id: `lists.${field}`,
    covers: [`lists.${field}`],
    expected,
    check: async ({ api }) => {
      for (const { list, query, envelope, data } of api.pages) {
        if (isBeyond(envelope) || check(envelope, query, data.length)) continue;
        const search = new URLSearchParams(query).toString();
        const { data: _, ...shown } = envelope;
        fail(`${listPaths[list]}${search ? `?${search}` : ''}: ${JSON.stringify(shown)}`);
      }
      return api.pages.length > 0 ? `${api.pages.length} pages read` : skip('no page was read');
    },
  })),
  {
    id: 'lists.data',
    covers: ['lists.data', 'lists.unfiltered'],
    expected: 'data is a list of objects, even if nothing matches',
    check: async ({ api }) => {
      const [broken] = api.brokenPages;
      if (broken !== undefined) fail(broken);
      return `${api.pages.filter(({ envelope }) => isItem(envelope)).length} pages read`;
    },
  },
];
