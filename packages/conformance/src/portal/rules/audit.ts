import { emailKey } from '@portal-embed/contract';

import { fail, skipAfter } from '../../rules/rule.ts';
import { isSameId, textOf } from '../api.ts';
import type { Item } from '../api.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { eventually } from '../undo.ts';

interface Access {
  entry: Item;
  /** When the URL was requested, by the clock of this machine and by the portal's. */
  times: number[];
}

const accesses = new WeakMap<PortalSubject, Promise<Access>>();

/** Requests and opens a URL of one report, and returns the new entry of the access log. */
function findAccess(subject: PortalSubject): Promise<Access> {
  const known = accesses.get(subject) ?? recordAccess(subject);
  accesses.set(subject, known);
  return known;
}

async function readEntries(
  { api }: PortalSubject,
  email: string,
  reportId: string,
): Promise<Item[]> {
  const { items } = await api.readAll('audit', { userEmail: email });
  return items.filter(
    (entry) =>
      emailKey(textOf(entry, 'userEmail')) === emailKey(email) &&
      isSameId(textOf(entry, 'reportId'), reportId),
  );
}

async function recordAccess(subject: PortalSubject): Promise<Access> {
  const { fixtures, identity } = subject;
  const { email, reportId } = await fixtures.openable();
  const body = await identity.oneReport();
  const read = () => readEntries(subject, email, reportId);
  const before = new Set((await read()).map(({ id }) => id));
  const findNew = (entries: Item[]) => entries.find(({ id }) => !before.has(id));
  const minted = await identity.mint(body);
  let entry = findNew(await eventually(read, (entries) => findNew(entries) !== undefined));
  if (!entry) {
    // The portal may record the opening instead, or the page to which it redirects.
    await identity.visit(identity.addressOf(minted)).catch(() => undefined);
    entry = findNew(await eventually(read, (entries) => findNew(entries) !== undefined));
  }
  if (!entry)
    fail(`the access log has no new entry with userEmail ${email} and reportId ${reportId}`);
  const { sentAt, headers } = minted.answer;
  return { entry, times: [sentAt, Date.parse(headers.date ?? '')] };
}

/** Seconds by which the time of an entry may differ from that of the request. */
const maxDifferenceSeconds = 60;

const required: {
  field: 'organizationId' | 'userId' | 'reportName' | 'createdAt' | 'action';
  expected: string;
  check: (access: Access, subject: PortalSubject) => Promise<string | undefined>;
}[] = [
  {
    field: 'organizationId',
    expected: 'The entry names the organization of the request',
    check: async ({ entry }, { fixtures }) => {
      const id = await fixtures.organizationId();
      return isSameId(textOf(entry, 'organizationId'), id) ? undefined : `not ${id}`;
    },
  },
  {
    field: 'userId',
    expected: 'The entry has the id of the user',
    check: async ({ entry }, { fixtures }) => {
      const { id } = await fixtures.first();
      return isSameId(textOf(entry, 'userId'), id) ? undefined : `not ${id}`;
    },
  },
  {
    field: 'reportName',
    expected: 'The entry has the name of the report',
    check: async ({ entry }, { fixtures }) => {
      const name = textOf(await fixtures.report(), 'name');
      return textOf(entry, 'reportName') === name ? undefined : `not ${name}`;
    },
  },
  {
    field: 'createdAt',
    expected: 'The entry has the time of the access',
    check: async ({ entry, times }) => {
      const createdAt = Date.parse(textOf(entry, 'createdAt'));
      const isNear = times.some(
        (time) => Math.abs(createdAt - time) <= maxDifferenceSeconds * 1_000,
      );
      return isNear ? undefined : `not near ${new Date(times[0]!).toISOString()}`;
    },
  },
  {
    field: 'action',
    expected: 'The entry has the action 1, TokenRequested',
    check: async ({ entry }) =>
      entry['action'] === 1 && entry['actionName'] === 'TokenRequested'
        ? undefined
        : `with actionName ${JSON.stringify(entry['actionName'])}`,
  },
];

export const auditRules: PortalRule[] = [
  {
    id: 'audit.recorded',
    covers: ['audit.recorded', 'audit.userEmail', 'audit.reportId'],
    expected: 'Each access to a report adds a log entry with the e-mail and the report',
    writes: true,
    check: async (subject) => {
      const { entry } = await findAccess(subject);
      return `the entry ${textOf(entry, 'id')}`;
    },
  },
  ...required.map(({ field, expected, check }): PortalRule => ({
    id: `audit.recorded.${field}`,
    covers: ['audit.recorded', `audit.${field}`],
    expected,
    writes: true,
    check: async (subject) => {
      const access = await findAccess(subject).catch((error: unknown) =>
        skipAfter(error, 'there is no such entry: '),
      );
      const problem = await check(access, subject);
      const got = `${field} is ${JSON.stringify(access.entry[field])}`;
      return problem === undefined ? got : fail(`${got}, ${problem}`);
    },
  })),
];
