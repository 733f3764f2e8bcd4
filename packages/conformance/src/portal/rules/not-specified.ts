import { randomUUID } from 'node:crypto';

import { isSuccess, readJson } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { info } from '../../rules/rule.ts';
import type { PortalPoint } from '../../rules/specification.ts';
import { isItem, listPaths, textOf } from '../api.ts';
import type { Item, ListName } from '../api.ts';
import { nonsense } from '../subject.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { readSeen } from './fields.ts';

/** Describes an answer without its values, which may name people. */
function describeShape(answer: Answer): string {
  const body = readJson(answer);
  const type = answer.headers['content-type']?.split(';')[0];
  if (answer.text === '') return `${answer.status} without a body`;
  const shape = isItem(body) ? `{ ${Object.keys(body).join(', ')} }` : (type ?? 'a body');
  return `${answer.status} ${shape}`;
}

const describeType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** Reports which values a field has in the items that were seen. */
const seen = (
  list: ListName,
  names: readonly string[],
  describe: (value: unknown) => string,
  point: PortalPoint,
): PortalRule => ({
  id: `open.${list}.values`,
  covers: [point],
  expected: `Not specified: ${names.join(', ')}`,
  check: async (subject) => {
    const items = await readSeen(subject, list);
    const describeField = (name: string) => {
      const values = new Set(items.map((item) => describe(item[name])));
      return `${name}: ${[...values].slice(0, 8).join(', ')}`;
    };
    return info(names.map(describeField).join('; '));
  },
});

async function describeMatching(
  { api }: PortalSubject,
  list: ListName,
  parameter: string,
  field: string,
): Promise<string> {
  const item: Item | undefined = api.itemsOf(list).find((each) => textOf(each, field).length > 3);
  if (!item) return `${parameter} could not be tried`;
  const value = textOf(item, field);
  const has = async (part: string) => {
    const answer = await api.call('GET', listPaths[list], { query: { [parameter]: part } });
    const page = readJson(answer);
    return isItem(page) && Array.isArray(page['data']) && page['data'].length > 0;
  };
  const isPartial = await has(value.slice(1, -1));
  const ignoresCase = await has(
    value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase(),
  );
  return `${parameter} matches ${isPartial ? 'partially' : 'exactly'}${ignoresCase ? ', ignoring letter case' : ''}`;
}

export const openRules: PortalRule[] = [
  seen(
    'users',
    ['reportLandingPage', 'expirationDate', 'directoryAdUser'],
    describeType,
    'users.open',
  ),
  seen(
    'reports',
    ['reportType', 'folderId', 'userOwner'],
    (value) => JSON.stringify(value),
    'reports.open',
  ),
  seen('audit', ['action', 'actionName'], (value) => JSON.stringify(value), 'audit.open'),
  {
    id: 'open.filters',
    covers: ['lists.open'],
    expected: 'Not specified: whether filters match a part of a value, and the paging of lists',
    check: async (subject) => {
      const { api } = subject;
      const matching = [
        await describeMatching(subject, 'users', 'email', 'email'),
        await describeMatching(subject, 'users', 'name', 'name'),
        await describeMatching(subject, 'reports', 'reportName', 'name'),
      ];
      const sizes = api.pages
        .filter(({ query }) => Object.keys(query).length === 0)
        .filter(({ envelope }) => envelope['hasNextPage'] === true)
        .map(({ list, data }) => `${listPaths[list]} has pages of ${data.length}`);
      const beyond = await api.call('GET', listPaths.audit, { query: { pageNumber: '1000000' } });
      const unknown = await api.call('GET', listPaths.reports, { query: { [nonsense()]: '1' } });
      return info(
        [
          ...matching,
          ...new Set(sizes),
          ...[...api.pageParameters].map(
            ([list, name]) => `${name} selects a page of ${listPaths[list]}`,
          ),
          `a page past the last one: ${describeShape(beyond)}`,
          `an unknown parameter: ${describeShape(unknown)}`,
        ].join('; '),
      );
    },
  },
  {
    id: 'open.statuses',
    covers: ['answers.open'],
    expected: 'Not specified: statuses and bodies of successes',
    check: async ({ api }) => {
      const shapes = api.calls
        .filter(({ answer }) => isSuccess(answer))
        .map(
          ({ label, answer }) =>
            `${label.replace(/(?<=user\/).*@.*|(?<=user\/).*%40.*/, '…')}: ${answer.status}`,
        );
      return info([...new Set(shapes)].join('; '));
    },
  },
  {
    id: 'open.errors',
    covers: ['answers.open', 'authentication.open'],
    expected: 'Not specified: statuses and bodies of errors, and rate limits',
    check: async ({ api }) => {
      const unknownKey = await api.call('GET', listPaths.users, { key: 'no-such-key' });
      const badId = await api.call('GET', listPaths.roles, { query: { datasetId: 'no-uuid' } });
      const headers = Object.keys(unknownKey.headers).filter((name) => name.includes('ratelimit'));
      return info(
        [
          `an unknown key: ${describeShape(unknownKey)}`,
          `a malformed id: ${describeShape(badId)}`,
          `rate-limit headers: ${headers.join(', ') || 'none'}`,
        ].join('; '),
      );
    },
  },
  {
    id: 'open.writes',
    covers: ['answers.open', 'roles.open', 'identity.open'],
    expected: 'Not specified: unknown users, reports and groups, and invalid bodies',
    writes: true,
    check: async (subject) => {
      const { api, fixtures, identity } = subject;
      const nobody = fixtures.emailOf(nonsense());
      const { email } = await fixtures.first();
      const link = (json: object) => api.call('PUT', '/api/user/link-reports', { json });
      const answers: Record<string, Answer> = {
        'deleting an unknown user': await fixtures.deleteUser(nobody),
        'linking an unknown report': await link({ userEmail: email, reports: [randomUUID()] }),
        'linking no report': await link({ userEmail: email, reports: [] }),
        'linking no report to the e-mail in capitals': await link({
          userEmail: email.toUpperCase(),
          reports: [],
        }),
        'linking a report to an unknown user': await link({ userEmail: nobody, reports: [] }),
        'a URL for an unknown user': await identity.post({ userEmail: nobody }),
        'a URL with a flag that is a string': await identity.post({
          userEmail: email,
          embed: 'yes',
        }),
        'a URL with an unknown field': await identity.post({ userEmail: email, [nonsense()]: 1 }),
      };
      if (await identity.hasReport()) {
        const body = { ...(await identity.oneReport()), reportId: randomUUID() };
        answers['a URL for an unknown report'] = await identity.post(body);
      }
      const found = Object.entries(answers).map(
        ([what, answer]) => `${what}: ${describeShape(answer)}`,
      );
      if (api.groupField !== undefined)
        found.push(`the field with the groups of a role: ${api.groupField}`);
      return info(found.join('; '));
    },
  },
];
