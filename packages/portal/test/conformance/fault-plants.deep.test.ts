import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { send } from 'test-support';
import { hostFaults, portalFaults } from 'test-support/conformance-faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { harmlessCalls, missingId, requestOf } from '../support/calls.ts';
import { startFaultyServers, type FaultyServers } from '../support/faulty-servers.ts';
import { open, readSession } from '../support/viewer.ts';

let servers: FaultyServers;
beforeAll(async () => {
  servers = await startFaultyServers();
});
afterAll(() => servers.close());

type CallOptions = { json?: object; key?: string | null; headers?: Record<string, string> };

const call = (method: string, path: string, { json, key, headers }: CallOptions = {}) =>
  send(servers.portalProxy.at(servers.portal.publicUrl) + path, {
    method,
    json,
    headers: {
      ...(key === null ? {} : { 'x-api-key': key ?? servers.portal.acme.apiKey }),
      ...headers,
    },
  });
const list = async (path: string) => (await call('GET', path)).json();
const all = async (path: string) => (await list(path)).data;
const put = async (path: string, json: object) => (await call('PUT', path, { json })).status;

async function createPerson(role = 3): Promise<string> {
  const email = `${randomUUID()}@acme.example`;
  const answer = await call('POST', '/api/user', { json: { email, name: 'New', role } });
  expect(answer.status).toBe(201);
  return email;
}
const readPerson = async (email: string) => (await all(`/api/user?email=${email}`))[0];
const change = (action: string, userEmail: string, ...reports: string[]) =>
  put(`/api/user/${action}-reports`, { userEmail, reports });
const changeRole = (action: string, members: object) =>
  put(`/api/datasets/rls/${action}`, {
    datasetId: servers.portal.acme.datasetId,
    role: 'West',
    ...members,
  });
const readWest = async () =>
  (await all('/api/datasets/rls')).find(({ name }: { name: string }) => name === 'West');

const mint = (json: object) => call('POST', '/api/identity/url', { json });
/** Mints a URL of Acme's report for the user West, unless the changes say otherwise. */
const mintReport = (changes: object = {}) => {
  const { id: organizationId, reportId, emails } = servers.portal.acme;
  return mint({ userEmail: emails.west, organizationId, reportId, ...changes });
};
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
/** The session of the opened portal. */
const openSession = async (changes: object = {}) =>
  readSession(await open((await mintReport(changes)).json().embedUrl));

const minutesUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000);

type Probes<Id extends string> = Record<
  Id,
  { observe: () => Promise<unknown>; sound: unknown; faulty: unknown }
>;

/** What shows each fault, and what it shows without and with the fault. */
const portalProbes: Probes<(typeof portalFaults)[number]['id']> = {
  'page-index-zero-based': {
    observe: async () => (await list('/api/user')).pageIndex,
    sound: 1,
    faulty: 0,
  },
  'total-pages-missing': {
    observe: async () => 'totalPages' in (await list('/api/report')),
    sound: true,
    faulty: false,
  },
  'total-pages-one-too-many': {
    observe: async () => (await list('/api/report')).totalPages,
    sound: 1,
    faulty: 2,
  },
  'has-next-page-always-false': {
    observe: async () => (await list('/api/user?pageSize=2')).hasNextPage,
    sound: true,
    faulty: false,
  },
  'second-audit-page-repeats-first': {
    observe: async () => {
      for (let count = 0; count < 2; count += 1) await mintReport();
      const [first, second] = await Promise.all(
        [1, 2].map((page) => list(`/api/report-audit?pageSize=1&pageNumber=${page}`)),
      );
      return [second.pageIndex, second.data[0].id === first.data[0].id];
    },
    sound: [2, false],
    faulty: [2, true],
  },
  'user-role-as-name': {
    observe: async () => (await readPerson('west@acme.example')).role,
    sound: 3,
    faulty: 'Viewer',
  },
  'user-name-filter-ignored': {
    observe: async () => (await all('/api/user?name=outsider')).length === 1,
    sound: true,
    faulty: false,
  },
  'user-email-filter-ignored': {
    observe: async () => (await all('/api/user?email=outsider@acme')).length === 1,
    sound: true,
    faulty: false,
  },
  'role-five-accepted': {
    observe: () =>
      statusOf(
        call('POST', '/api/user', {
          json: { email: `${randomUUID()}@acme.example`, name: 'Five', role: 5 },
        }),
      ),
    sound: 400,
    faulty: 201,
  },
  'created-role-always-viewer': {
    observe: async () => (await readPerson(await createPerson(4))).role,
    sound: 4,
    faulty: 3,
  },
  'delete-path-not-decoded': {
    observe: async () =>
      statusOf(call('DELETE', `/api/user/${encodeURIComponent(await createPerson())}`)),
    sound: 204,
    faulty: 400,
  },
  'email-case-sensitive': {
    observe: async () => {
      const email = (await createPerson()).toUpperCase();
      const { reportId } = servers.portal.acme;
      return [
        await change('link', email, reportId),
        await changeRole('link-users', { usersEmails: [email] }),
        await statusOf(mint({ userEmail: email })),
        await statusOf(call('DELETE', `/api/user/${encodeURIComponent(email)}`)),
      ];
    },
    sound: [204, 204, 200, 204],
    faulty: [404, 422, 404, 404],
  },
  'link-reports-replaces': {
    observe: async () => {
      const { reportId, groupReportId } = servers.portal.acme;
      const email = await createPerson();
      for (const report of [reportId, groupReportId]) await change('link', email, report);
      return (await readPerson(email)).reports.length;
    },
    sound: 2,
    faulty: 1,
  },
  'unlink-reports-links': {
    observe: async () => {
      const email = await createPerson();
      await change('unlink', email, servers.portal.acme.reportId);
      return (await readPerson(email)).reports.length;
    },
    sound: 0,
    faulty: 1,
  },
  'report-name-filter-ignored': {
    observe: async () => (await all('/api/report?reportName=group')).length,
    sound: 1,
    faulty: 2,
  },
  'workspace-name-filter-ignored': {
    observe: async () => (await all('/api/report?workspaceName=Leads')).length,
    sound: 1,
    faulty: 2,
  },
  'role-dataset-filter-ignored': {
    observe: async () => (await all(`/api/datasets/rls?datasetId=${missingId}`)).length,
    sound: 0,
    faulty: 2,
  },
  'role-user-emails-empty': {
    observe: async () => (await readWest()).userEmails.length > 0,
    sound: true,
    faulty: false,
  },
  'role-link-first-user-only': {
    observe: async () => {
      const usersEmails = [await createPerson(), await createPerson()];
      await changeRole('link-users', { usersEmails });
      const { userEmails } = await readWest();
      return usersEmails.map((email) => userEmails.includes(email));
    },
    sound: [true, true],
    faulty: [true, false],
  },
  'role-unlink-users-links': {
    observe: async () => {
      const email = await createPerson();
      await changeRole('unlink-users', { usersEmails: [email] });
      return (await readWest()).userEmails.includes(email);
    },
    sound: false,
    faulty: true,
  },
  'role-unlink-groups-does-nothing': {
    observe: async () => {
      const groups = [servers.portal.acme.groupId];
      await changeRole('link-groups', { groups });
      const status = await changeRole('unlink-groups', { groups });
      return [status, (await readWest()).groups];
    },
    sound: [204, []],
    faulty: [204, [expect.any(String)]],
  },
  'audit-user-filter-ignored': {
    observe: async () => {
      await mintReport();
      return (await all('/api/report-audit?userEmail=nobody@acme.example')).length > 0;
    },
    sound: false,
    faulty: true,
  },
  'audit-report-filter-ignored': {
    observe: async () => {
      await mintReport();
      return (await all('/api/report-audit?reportName=missing')).length > 0;
    },
    sound: false,
    faulty: true,
  },
  'access-not-audited': {
    observe: async () => {
      const email = await createPerson();
      const { reportId } = servers.portal.acme;
      await change('link', email, reportId);
      await mintReport({ userEmail: email });
      return (await all(`/api/report-audit?userEmail=${email}`)).length;
    },
    sound: 1,
    faulty: 0,
  },
  'audit-created-at-without-zone': {
    observe: async () => {
      await mintReport();
      return (await all('/api/report-audit'))[0].createdAt.endsWith('Z');
    },
    sound: true,
    faulty: false,
  },
  'wrong-key-accepted': {
    observe: () => statusOf(call('GET', '/api/user', { key: 'pk_wrong' })),
    sound: 401,
    faulty: 200,
  },
  'audit-open-without-key': {
    observe: () => statusOf(call('GET', '/api/report-audit', { key: null })),
    sound: 401,
    faulty: 200,
  },
  'key-permissions-not-enforced': {
    observe: async () => {
      const { key } = await createApiKey(servers.portal.acme.ctx, {
        name: 'users',
        permissions: ['users:read'],
      });
      return statusOf(call('GET', '/api/report', { key }));
    },
    sound: 403,
    faulty: 200,
  },
  'token-works-twice': {
    observe: async () => {
      const { embedUrl } = (await mintReport()).json();
      return [await statusOf(open(embedUrl)), await statusOf(open(embedUrl))];
    },
    sound: [200, 410],
    faulty: [200, 200],
  },
  'expires-in-an-hour': {
    observe: async () => minutesUntil((await mintReport()).json().expiresAt),
    sound: 5,
    faulty: 60,
  },
  'token-outlives-expiry': {
    observe: async () => {
      const { embedUrl } = (await mintReport()).json();
      await sql`UPDATE identity_urls SET expires_at = now() - interval '1 second'`.execute(
        servers.portal.db,
      );
      return [await statusOf(open(embedUrl)), await statusOf(open(embedUrl))];
    },
    sound: [410, 410],
    faulty: [200, 410],
  },
  'return-url-missing': {
    observe: async () =>
      new URL((await mintReport()).json().embedUrl).searchParams.has('returnUrl'),
    sound: true,
    faulty: false,
  },
  'half-report-accepted': {
    observe: () => statusOf(mintReport({ organizationId: undefined })),
    sound: 400,
    faulty: 200,
  },
  'missing-user-email-accepted': {
    observe: () => statusOf(mint({})),
    sound: 400,
    faulty: 200,
  },
  'base-url-required': { observe: () => statusOf(mintReport()), sound: 200, faulty: 400 },
  'report-access-not-checked': {
    observe: async () => statusOf(mintReport({ userEmail: await createPerson() })),
    sound: 403,
    faulty: 200,
  },
  'token-of-another-user': {
    observe: async () => (await openSession()).user.email,
    sound: 'west@acme.example',
    faulty: 'both@acme.example',
  },
  'custom-filters-ignored': {
    observe: async () => {
      const customFilters = [{ key: 'Orders/Category', value: 'Lamps' }];
      return JSON.stringify(await openSession({ customFilters })).includes('Lamps');
    },
    sound: true,
    faulty: false,
  },
  'embed-flag-ignored': {
    observe: async () => (await openSession({ embed: true })).display.hideMenu,
    sound: true,
    faulty: false,
  },
  'accept-any-refused': {
    observe: () => statusOf(call('GET', '/api/user', { headers: { accept: '*/*' } })),
    sound: 200,
    faulty: 406,
  },
};

/** A request of a page of the host, for the signed-in user West unless the caller says otherwise. */
const askHost = (
  json: object = {},
  {
    user = 'west',
    query = '',
    url = servers.hostUrl,
  }: { user?: string | null; query?: string; url?: string } = {},
) =>
  send(url + query, {
    method: 'POST',
    json,
    headers: user === null ? {} : { 'x-test-user': `${user}@acme.example` },
  });
const reportOfHost = async () => {
  const answer = await askHost({ reportId: servers.portal.acme.reportId });
  return new URL(answer.json().embedUrl).searchParams;
};
/** The e-mail of the user to whom an answer's URL belongs. */
const openHost = async (answer: ReturnType<typeof askHost>) => {
  const { embedUrl } = (await answer).json();
  return embedUrl && readSession(await open(embedUrl)).user.email;
};

const hostProbes: Probes<(typeof hostFaults)[number]['id']> = {
  'embed-url-renamed': {
    observe: async () => Object.keys((await askHost()).json()).includes('url'),
    sound: false,
    faulty: true,
  },
  'expires-at-missing': {
    observe: async () => 'expiresAt' in (await askHost()).json(),
    sound: true,
    faulty: false,
  },
  'expires-at-without-zone': {
    observe: async () => (await askHost()).json().expiresAt.endsWith('Z'),
    sound: true,
    faulty: false,
  },
  'expires-in-an-hour': {
    observe: async () => minutesUntil((await askHost()).json().expiresAt),
    sound: 5,
    faulty: 60,
  },
  'expired-url': {
    observe: async () => minutesUntil((await askHost()).json().expiresAt),
    sound: 5,
    faulty: -5,
  },
  'url-reused': {
    observe: async () => (await askHost()).body === (await askHost()).body,
    sound: false,
    faulty: true,
  },
  'url-shared-between-users': {
    observe: async () => [await openHost(askHost()), await openHost(askHost({}, { user: 'east' }))],
    sound: ['west@acme.example', 'east@acme.example'],
    faulty: ['west@acme.example', 'west@acme.example'],
  },
  'fixed-user': {
    observe: () => openHost(askHost()),
    sound: 'west@acme.example',
    faulty: 'none@acme.example',
  },
  'user-from-body': {
    observe: () => openHost(askHost({ userEmail: 'east@acme.example' })),
    sound: undefined,
    faulty: 'east@acme.example',
  },
  'user-from-query': {
    observe: () => openHost(askHost({}, { query: '?userEmail=east@acme.example' })),
    sound: 'west@acme.example',
    faulty: 'east@acme.example',
  },
  'session-at-another-tenant': {
    observe: () => statusOf(askHost({}, { url: servers.otherHostUrl })),
    sound: 401,
    faulty: 200,
  },
  'anonymous-accepted': {
    observe: () => statusOf(askHost({}, { user: null })),
    sound: 401,
    faulty: 200,
  },
  'key-in-body': {
    observe: async () => (await askHost()).body.includes(servers.portal.acme.apiKey),
    sound: false,
    faulty: true,
  },
  'key-in-header': {
    observe: async () => 'x-api-key' in (await askHost()).headers,
    sound: false,
    faulty: true,
  },
  'token-already-used': {
    observe: async () => statusOf(open((await askHost()).json().embedUrl)),
    sound: 200,
    faulty: 410,
  },
  'token-dropped': {
    observe: async () => (await reportOfHost()).has('token'),
    sound: true,
    faulty: false,
  },
  'return-url-dropped': {
    observe: async () => (await reportOfHost()).has('returnUrl'),
    sound: true,
    faulty: false,
  },
  'url-html-escaped': {
    observe: async () => (await reportOfHost()).has('amp;returnUrl'),
    sound: false,
    faulty: true,
  },
  'answer-not-json': {
    observe: async () => (await askHost()).headers['content-type']?.startsWith('text/html'),
    sound: false,
    faulty: true,
  },
  'refusal-as-success': {
    observe: async () => statusOf(askHost({}, { user: 'stranger' })),
    sound: 403,
    faulty: 200,
  },
  'answer-cacheable': {
    observe: async () => (await askHost()).headers['cache-control'],
    sound: 'no-store',
    faulty: 'public, max-age=300',
  },
};

describe('a proxy without a fault', () => {
  it.each(Object.entries(harmlessCalls))('forwards %s unchanged', async (name, { call: input }) => {
    const { portal, portalProxy } = servers;
    const { path, ...request } = requestOf(name as keyof typeof harmlessCalls, input(portal.acme));
    const headers = { 'x-api-key': portal.acme.apiKey, 'x-request-id': 'same' };
    const [direct, proxied] = await Promise.all(
      [portal.publicUrl, portalProxy.at(portal.publicUrl)].map(async (url) => {
        const answer = await send(url + path, { ...request, headers });
        // These belong to the connection.
        const { date: _, 'keep-alive': __, ...others } = answer.headers;
        return [answer.status, others, portalProxy.at(answer.body)];
      }),
    );
    expect(proxied).toEqual(direct);
  });
});

describe.each([
  ['portal', portalFaults, portalProbes] as const,
  ['host', hostFaults, hostProbes] as const,
])('a faulty %s', (kind, faults, probes) => {
  it.each(faults.map(({ id, ...fault }) => [id, fault] as const))(
    '%s changes what a client sees',
    async (id, { plant }) => {
      const { observe, sound, faulty } = (probes as Probes<string>)[id]!;
      expect(await observe()).toEqual(sound);
      const proxy = servers[`${kind}Proxy`];
      proxy.plant(plant(servers[`${kind}Context`] as never));
      try {
        expect(await observe()).toEqual(faulty);
      } finally {
        proxy.plant(undefined);
      }
    },
  );
});
