import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { afterEach, beforeEach, expect, it } from 'vitest';

let portal: OtherPortal;
let time: Date;
beforeEach(async () => {
  time = new Date();
  portal = await startOtherPortal({ now: () => time });
});
afterEach(() => portal[Symbol.asyncDispose]());

async function call(target: string, json?: unknown, method = json ? 'POST' : 'GET', key?: string) {
  const answer = await fetch(`${portal.apiUrl}${target}`, {
    method,
    headers: { 'x-api-key': key ?? portal.apiKey, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined };
}

const userEmail = 'ana@meridian.example';
const mint = async (fields: object = {}) =>
  (await call('/api/identity/url', { userEmail, ...fields })).json as {
    embedUrl: string;
    expiresAt: string;
  };
const oneReport = () => ({
  organizationId: portal.state.organizationId,
  reportId: portal.state.reports[0]!.id,
});
const open = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

it('a URL opens once, within five minutes', async () => {
  const { embedUrl, expiresAt } = await mint(oneReport());
  expect(new Date(expiresAt).getTime() - time.getTime()).toBe(300_000);
  time = new Date(time.getTime() + 299_999);
  expect((await open(embedUrl)).status).toBe(200);
  expect((await open(embedUrl)).status).toBe(410);
  const late = await mint(oneReport());
  time = new Date(time.getTime() + 300_000);
  expect((await open(late.embedUrl)).status).toBe(410);
});

it('the page shows the rows of the roles of the user and their groups', async () => {
  const shown = async (email: string) =>
    (await open((await mint({ userEmail: email, ...oneReport() })).embedUrl)).text;
  const ana = await shown(userEmail);
  expect(ana).toContain('Manaus');
  expect(ana).not.toContain('Curitiba');
  expect(await shown('bruno@meridian.example')).toContain('Curitiba');
});

it('a flag hides its part of the page, and a filter its rows', async () => {
  const bare = await open((await mint({ ...oneReport(), hideMenu: true })).embedUrl);
  expect(bare.text).toContain('id="navbar"');
  expect(bare.text).not.toContain('id="menu"');
  const customFilters = [
    { key: 'City', value: 'Manaus' },
    { key: 'Street', value: 'x' },
  ];
  const filtered = await open((await mint({ ...oneReport(), customFilters })).embedUrl);
  expect(filtered.text).toContain('No column Street');
  expect(filtered.text).not.toContain('Belém');
});

it('revoked access closes a report, also for a URL that is open', async () => {
  const { embedUrl } = await mint();
  const home = await fetch(embedUrl);
  const report = /href="([^"]+)"/.exec(await home.text())![1]!;
  const address = new URL(report, home.url).href;
  expect((await open(address)).status).toBe(200);
  const { reportId } = oneReport();
  const unlinked = await call(
    '/api/user/unlink-reports',
    { userEmail, reports: [reportId.toLowerCase()] },
    'PUT',
  );
  expect(unlinked.status).toBe(200);
  expect((await open(address)).status).toBe(403);
  await call(`/api/user/${encodeURIComponent(userEmail)}`, undefined, 'DELETE');
  expect((await open(address)).status).toBe(401);
});

it('an opened report is in the log', async () => {
  const { embedUrl } = await mint(oneReport());
  const readLog = async () => (await call(`/api/report-audit?userEmail=${userEmail}`)).json.data;
  expect(await readLog()).toEqual([]);
  await open(embedUrl);
  expect(await readLog()).toMatchObject([{ userEmail, reportName: 'Orders', action: 1 }]);
});

it('a list has pages of twenty', async () => {
  const { data, ...envelope } = (await call('/api/user?pageIndex=3')).json;
  expect(data).toHaveLength(5);
  expect(envelope).toEqual({
    pageIndex: 3,
    totalPages: 3,
    totalCount: 45,
    hasNextPage: false,
    hasPreviousPage: true,
  });
});

it('a key reaches only the endpoints of its permissions', async () => {
  const key = portal.createKey('Journal');
  expect((await call('/api/report-audit', undefined, 'GET', key)).status).toBe(200);
  expect(await call('/api/user', undefined, 'GET', key)).toMatchObject({
    status: 403,
    text: 'Forbidden',
  });
  expect(await call('/api/user', undefined, 'GET', 'wrong')).toMatchObject({
    status: 401,
    text: '',
  });
});

it('a refused request changes nothing', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const reports = [portal.state.reports[0]!.id, unknown];
  const user = { userEmail: 'user3@meridian.example', reports };
  expect((await call('/api/user/link-reports', user, 'PUT')).status).toBe(404);
  expect(portal.state.users[2]!.reports.size).toBe(0);
  expect((await call('/api/user', { email: 'x', name: 'X', role: 3 })).status).toBe(400);
  expect((await call('/api/user', { email: userEmail, name: 'X', role: 3 })).status).toBe(409);
  const { organizationId } = oneReport();
  expect((await call('/api/identity/url', { userEmail, organizationId })).status).toBe(400);
  expect(portal.state.tokens.size).toBe(0);
});
