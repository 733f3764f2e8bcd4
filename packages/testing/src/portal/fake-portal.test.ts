import { createPortalClient } from '@portal-embed/client';
import { send } from 'test-support';
import { afterEach, describe, expect, it } from 'vitest';

import { disconnect, htmlAnswer, jsonAnswer, rateLimit, refuse, slow } from './answers.ts';
import { startFakePortal } from './start-fake-portal.ts';
import type { FakePortal, FakePortalOptions } from './start-fake-portal.ts';

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
const groupId = '6a1f4c1e-0000-4000-8000-000000000002';
const organizationId = '6a1f4c1e-0000-4000-8000-000000000003';
const userEmail = 'west@acme.example';

let portal: FakePortal;
afterEach(() => portal.close());

/** Starts a portal with one user, report, role and group. Returns its client. */
async function start(options: FakePortalOptions = {}, maxAttempts = 1) {
  portal = await startFakePortal({
    organizationId,
    users: [userEmail],
    reports: [{ id: reportId, name: 'Sales' }],
    roles: ['West'],
    groups: [groupId],
    ...options,
  });
  const { apiUrl, apiKey } = portal.tenant;
  return createPortalClient({ apiUrl, apiKey, maxAttempts });
}

const mintBody = { userEmail, reportId, organizationId };

/** Sends a mint without the checks of the client. */
const mint = (change: object = {}, apiKey = portal.tenant.apiKey) =>
  send(`${portal.url}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    json: { ...mintBody, ...change },
  });

describe('the API of the fake portal', () => {
  it('mints a URL for a report, and records the URL, the request and the access', async () => {
    const client = await start();
    const minted = await client.identity.mintUrl({ ...mintBody, hideNavbar: true });
    const path = `/organizations/${organizationId}/reports/${reportId}`;
    expect(minted.embedUrl).toBe(
      `${portal.portalUrl}/identity?token=fake-1&returnUrl=${encodeURIComponent(path)}`,
    );
    expect(minted.frameChannel).toBe(true);
    expect(minted.expiresIn).toBeCloseTo(300, -1);
    expect(portal.minted).toMatchObject([
      { ...mintBody, hideNavbar: true, embedUrl: minted.embedUrl, isOpened: false },
    ]);
    expect(portal.received).toMatchObject([{ method: 'POST', url: '/api/identity/url' }]);
    expect(portal.auditEntries).toMatchObject([{ userEmail, reportName: 'Sales' }]);
    expect((await client.audit.list()).data).toEqual(portal.auditEntries);
  });

  it.each<[string, FakePortalOptions, object]>([
    ['missing_permission', { permissions: ['users:read'] }, {}],
    ['user_not_found', {}, { userEmail: 'new@acme.example' }],
    ['organization_mismatch', {}, { organizationId: groupId }],
    ['report_not_accessible', { users: [{ email: userEmail, reports: [] }] }, {}],
    ['report_not_accessible', {}, { reportId: groupId }],
    ['user_expired', { users: [{ email: userEmail, expirationDate: '2020-01-01' }] }, {}],
    ['invalid_request', {}, { user: userEmail }],
  ])('a mint is refused with %s', async (code, options, change) => {
    await start(options);
    expect((await mint(change)).json()).toMatchObject({ code });
    expect(portal.minted).toEqual([]);
    expect(portal.auditEntries).toEqual([]);
  });

  it('a wrong key, an unknown path and a wrong method are refused', async () => {
    await start();
    expect((await mint({}, 'other')).json()).toMatchObject({ code: 'invalid_api_key' });
    const headers = { 'x-api-key': portal.tenant.apiKey };
    const get = (path: string) => send(portal.url + path, { headers });
    expect((await get('/api/users')).json()).toMatchObject({ status: 404, code: 'not_found' });
    expect((await get('/api/identity/url')).json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('users are created, linked, listed and deleted', async () => {
    const client = await start();
    const email = 'new@acme.example';
    await client.users.create({ email, name: 'New', role: 3 });
    await expect(client.users.create({ email, name: 'New', role: 3 })).rejects.toMatchObject({
      code: 'user_exists',
      status: 409,
    });
    expect((await client.users.list({ email: 'NEW@' })).data).toMatchObject([{ reports: [] }]);
    await client.users.linkReports({ userEmail: email, reports: [reportId] });
    await client.users.linkReports({ userEmail: email, reports: [reportId] });
    expect(portal.users).toMatchObject([{}, { email, reports: [reportId] }]);
    await client.users.unlinkReports({ userEmail: email, reports: [reportId] });
    expect(portal.users).toMatchObject([{ reports: [reportId] }, { reports: [] }]);
    await expect(
      client.users.linkReports({ userEmail: email, reports: [groupId] }),
    ).rejects.toMatchObject({ code: 'unknown_references' });
    await client.users.delete({ userEmail: email });
    expect(portal.users).toHaveLength(1);
  });

  it('a key without administrators:write creates and deletes viewers only', async () => {
    const users = [{ email: 'admin@acme.example', role: 1 }];
    const client = await start({ permissions: ['users:write'], users });
    const email = 'new@acme.example';
    await client.users.create({ email, name: 'New', role: 3 });
    const refused = { code: 'missing_permission' };
    await expect(
      client.users.create({ email: 'x@acme.example', name: 'New', role: 1 }),
    ).rejects.toMatchObject(refused);
    await expect(client.users.delete({ userEmail: 'admin@acme.example' })).rejects.toMatchObject(
      refused,
    );
    expect(portal.users.map((user) => user.email)).toEqual(['admin@acme.example', email]);
  });

  it('roles are linked to users and groups', async () => {
    const client = await start();
    const { datasetId } = portal.roles[0]!;
    const role = { datasetId, role: 'West' };
    await client.rls.linkUsers({ ...role, usersEmails: [userEmail.toUpperCase()] });
    await client.rls.linkGroups({ ...role, groups: [groupId] });
    expect((await client.rls.list({ datasetId })).data).toMatchObject([
      { name: 'West', userEmails: [userEmail], groups: [groupId] },
    ]);
    await client.rls.unlinkUsers({ ...role, usersEmails: [userEmail] });
    await client.rls.unlinkGroups({ ...role, groups: [groupId] });
    expect(portal.roles).toMatchObject([{ users: [], groups: [] }]);
    const unknown = { ...role, usersEmails: ['new@acme.example'] };
    await expect(client.rls.linkUsers(unknown)).rejects.toMatchObject({
      code: 'unknown_references',
    });
    await expect(
      client.rls.linkUsers({ datasetId, role: 'East', usersEmails: [] }),
    ).rejects.toMatchObject({ code: 'role_not_found' });
  });

  it('lists have pages', async () => {
    const client = await start({ reports: ['A', 'B', 'C'] });
    expect(await client.reports.list({ pageNumber: 2, pageSize: 2 })).toMatchObject({
      pageIndex: 2,
      totalPages: 2,
      hasNextPage: false,
      hasPreviousPage: true,
      data: [{ name: 'C' }],
    });
  });
});

describe('a replaced answer', () => {
  it('applies to its endpoint and its number of requests, and then the portal answers', async () => {
    const client = await start({}, 2);
    portal.answer(rateLimit(0), { endpoint: 'mintIdentityUrl', times: 1 });
    expect((await client.users.list()).data).toHaveLength(1);
    expect((await client.identity.mintUrl(mintBody)).embedUrl).toContain('token=fake-1');
    expect(portal.received.map(({ url }) => url.split('?')[0])).toEqual([
      '/api/user',
      '/api/identity/url',
      '/api/identity/url',
    ]);
  });

  it('applies until it is removed', async () => {
    await start();
    portal.answer(refuse('database_unavailable'));
    expect((await mint()).status).toBe(503);
    expect((await mint()).status).toBe(503);
    portal.answer();
    expect((await mint()).status).toBe(200);
  });

  it('can be slow, broken or of something else than the portal', async () => {
    await start();
    portal.answer(slow(60));
    const startedAt = performance.now();
    expect((await mint()).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(50);
    portal.answer(disconnect());
    await expect(mint()).rejects.toThrow('socket hang up');
    portal.answer(htmlAnswer());
    expect(await mint()).toMatchObject({ status: 502, body: expect.stringMatching('<h1>502') });
    portal.answer(jsonAnswer(200, { embedUrl: 7 }));
    expect((await mint()).json()).toEqual({ embedUrl: 7 });
    portal.answer(rateLimit(30));
    expect((await mint()).headers['retry-after']).toBe('30');
  });
});

describe('the pages of the fake portal', () => {
  const open = (url: string) => send(url, { headers: { 'sec-fetch-mode': 'navigate' } });

  it('a URL opens once, and then answers 410', async () => {
    await start();
    const { embedUrl } = (await mint()).json();
    const first = await open(embedUrl);
    expect(first.status).toBe(200);
    expect(first.body).toContain(`<p>Report ${reportId}</p><p>${userEmail}</p>`);
    expect(portal.minted).toMatchObject([{ isOpened: true }]);
    expect((await open(embedUrl)).status).toBe(410);
  });

  it('an expired URL and one of a user who was signed out answer 410', async () => {
    await start({ validSeconds: 0 });
    expect((await open((await mint()).json().embedUrl)).status).toBe(410);
    await portal.close();
    const client = await start();
    const { embedUrl } = (await mint()).json();
    await client.identity.endSessions({ userEmail });
    expect((await open(embedUrl)).status).toBe(410);
  });

  it('only the embed origins may frame a page', async () => {
    await start({ embedOrigins: ['https://app.acme.example'] });
    expect((await open(`${portal.portalUrl}/embed`)).headers['content-security-policy']).toBe(
      'frame-ancestors https://app.acme.example',
    );
  });

  it('a fetch of a page opens nothing', async () => {
    await start();
    const { embedUrl } = (await mint()).json();
    expect((await send(embedUrl, { headers: { 'sec-fetch-mode': 'cors' } })).status).toBe(503);
    expect(portal.minted).toMatchObject([{ isOpened: false }]);
  });
});
