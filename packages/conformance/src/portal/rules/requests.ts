import { describeAnswer, isSuccess } from '../../http/send.ts';
import { fail, skip } from '../../rules/rule.ts';
import { listPaths } from '../api.ts';
import type { ListName } from '../api.ts';
import type { PortalRule } from '../subject.ts';

const lists = Object.entries(listPaths) as [ListName, string][];

export const requestRules: PortalRule[] = [
  {
    id: 'requests.base',
    covers: ['requests.base'],
    expected: 'The four lists answer below the base address',
    check: async ({ api }) => {
      for (const [list] of lists) await api.readPage(list);
      return 'all four answer';
    },
  },
  {
    id: 'requests.json',
    covers: ['requests.json'],
    expected: 'Lists answer JSON, with a JSON content type',
    check: async ({ api }) => {
      for (const [, path] of lists) {
        const answer = await api.call('GET', path);
        const type = answer.headers['content-type'] ?? '';
        if (isSuccess(answer) && !/^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
          fail(`GET ${path} answers ${describeAnswer(answer)}`);
      }
      return 'all four are JSON';
    },
  },
  ...['application/json', '*/*'].map((accept): PortalRule => ({
    id: `requests.accept.${accept === '*/*' ? 'any' : 'json'}`,
    covers: ['requests.accept'],
    expected: `Lists accept the header Accept: ${accept}`,
    check: async ({ api }) => {
      for (const [list, path] of lists) {
        const answer = await api.call('GET', path, { headers: { Accept: accept } });
        api.parsePage(list, {}, answer);
      }
      return 'all four answer';
    },
  })),
  {
    id: 'requests.accept.mint',
    covers: ['requests.accept'],
    expected: 'Requests for identity URLs accept the header Accept: */*',
    writes: true,
    check: async ({ identity }) => {
      await identity.mint(await identity.wholePortal(), { Accept: '*/*' });
      return 'a URL';
    },
  },
];

/** Fails the rule if an answer is a success, or if the server failed in place of refusing. */
export function requireRefusal(label: string, answer: Parameters<typeof describeAnswer>[0]): void {
  if (isSuccess(answer) || answer.status >= 500) fail(`${label}: ${describeAnswer(answer)}`);
}

export const authenticationRules: PortalRule[] = [
  ...(
    [
      ['missing', null],
      ['unknown', 'no-such-key'],
    ] as const
  ).map(([name, key]): PortalRule => ({
    id: `authentication.${name}-key`,
    covers: ['authentication.header'],
    expected: `Lists refuse a request with ${name === 'missing' ? 'no key' : 'an unknown key'}`,
    check: async ({ api }) => {
      const statuses = new Set<number>();
      for (const [, path] of lists) {
        const answer = await api.call('GET', path, { key });
        requireRefusal(`GET ${path}`, answer);
        statuses.add(answer.status);
      }
      return `refused with ${[...statuses].join(', ')}`;
    },
  })),
  {
    id: 'authentication.header-name',
    covers: ['authentication.header'],
    expected: 'The letter case of the header name X-API-Key does not matter',
    check: async ({ api, options }) => {
      await api.readPage('reports');
      const headers = { 'x-api-key': options.apiKey };
      const answer = await api.call('GET', listPaths.reports, { key: null, headers });
      api.parsePage('reports', {}, answer);
      return 'x-api-key works';
    },
  },
  ...(
    [
      ['missing', null],
      ['unknown', 'no-such-key'],
    ] as const
  ).map(([name, key]): PortalRule => ({
    id: `authentication.writes-${name}-key`,
    covers: ['authentication.header', 'authentication.endUser'],
    expected: `Writes and identity URLs are refused with ${name === 'missing' ? 'no key' : 'an unknown key'}`,
    writes: true,
    check: (subject) => checkWritesAreRefused(subject, name, key),
  })),
  {
    id: 'authentication.limited-key',
    covers: ['authentication.limited'],
    expected: 'A limited key may call only some endpoints',
    check: async ({ api, options }) => {
      const { limitedKey: key } = options;
      if (key === undefined)
        skip('needs a key that may call only some endpoints; pass --limited-key');
      const labels: Record<'accepted' | 'refused', string[]> = { accepted: [], refused: [] };
      for (const [method, path] of [
        ...lists.map(([, each]) => ['GET', each] as const),
        // Without a body, no portal can act on these.
        ['PUT', '/api/user/link-reports'] as const,
        ['PUT', '/api/datasets/rls/link-users'] as const,
        ['POST', '/api/identity/url'] as const,
      ]) {
        if (method !== 'GET' && options.write !== true) continue;
        const answer = await api.call(method, path, {
          key,
          ...(method === 'GET' ? {} : { json: {} }),
        });
        const isRefused = answer.status === 401 || answer.status === 403;
        labels[isRefused ? 'refused' : 'accepted'].push(`${method} ${path}`);
      }
      const got = `accepted: ${labels.accepted.join(', ') || 'none'}; refused: ${labels.refused.join(', ') || 'none'}`;
      if (labels.refused.length === 0) fail(got);
      return got;
    },
  },
  {
    id: 'authentication.settings',
    covers: ['authentication.settings'],
    expected: 'Keys come from the Settings menu of the administration',
    check: 'it is a page of the administration, which the API does not show',
  },
];

async function checkWritesAreRefused(
  {
    api,
    fixtures,
    identity,
  }: Parameters<Extract<PortalRule['check'], (...args: never) => unknown>>[0],
  name: string,
  key: string | null,
): Promise<string> {
  const { email } = await fixtures.first();
  const target = await fixtures.createUser(`kept-${name}`);
  const ids = await fixtures.reports().then(
    (reports) => reports.slice(0, 1).map(({ id }) => String(id)),
    () => [],
  );
  const roles = await fixtures.roles().catch(() => []);
  const uncreated = {
    email: fixtures.emailOf(`refused-${name}`),
    name: fixtures.nameOf('refused'),
    role: 3,
  };
  requireRefusal('POST /api/user', await fixtures.postUser(uncreated, key));
  for (const kind of ['link', 'unlink'])
    requireRefusal(
      `PUT /api/user/${kind}-reports`,
      await api.call('PUT', `/api/user/${kind}-reports`, {
        key,
        json: { userEmail: target.email, reports: ids },
      }),
    );
  for (const { datasetId, name: role } of roles.slice(0, 1))
    for (const kind of ['link', 'unlink']) {
      const members = { users: { usersEmails: [target.email] }, groups: { groups: [] } };
      for (const [which, body] of Object.entries(members))
        requireRefusal(
          `PUT /api/datasets/rls/${kind}-${which}`,
          await api.call('PUT', `/api/datasets/rls/${kind}-${which}`, {
            key,
            json: { ...body, datasetId, role },
          }),
        );
    }
  requireRefusal('POST /api/identity/url', await identity.post({ userEmail: email }, { key }));
  requireRefusal('DELETE /api/user', await fixtures.deleteUser(target.email, key));
  if (await fixtures.findUser(uncreated.email)) fail('the refused POST /api/user created the user');
  const kept = await fixtures.findUser(target.email);
  if (!kept) fail('the refused DELETE /api/user deleted the user');
  if (Array.isArray(kept['reports']) && kept['reports'].length > 0)
    fail('the refused PUT /api/user/link-reports linked a report');
  return 'all are refused and change nothing';
}
