import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';

import { endpoints, type Endpoint, type EndpointName, type UserRole } from '@portal-embed/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { deleteOrganization } from '../../src/organizations/service.ts';
import { deleteUser, updateUser } from '../../src/users/service.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { harmlessCalls, requestOf } from '../support/calls.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendInTwo } from '../support/raw.ts';
import { startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

interface HeldRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends the rest of a body after the portal has accepted the headers and `meanwhile` has ended. */
async function holdBody(request: HeldRequest, meanwhile: () => Promise<unknown>) {
  const { method, path, body } = request;
  const headers = {
    Host: new URL(portal.publicUrl).host,
    'Content-Type': 'application/json',
    ...request.headers,
    'Content-Length': String(Buffer.byteLength(body)),
    // The portal answers 100 when it starts to read.
    Expect: '100-continue',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  const received = await sendInTwo(
    portal.publicUrl,
    head + body.slice(0, 1),
    body.slice(1),
    meanwhile,
  );
  const [interim, status] = received.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
  expect(interim).toBe('100');
  return { status: Number(status), code: /"code":"(\w+)"/.exec(received)?.[1] };
}

const tables = ['users', 'report_users', 'rls_role_users', 'rls_role_groups', 'identity_urls'];

/** Counts the rows that endpoints could write, except the activity log. */
async function countRows(): Promise<Record<string, number>> {
  const counted = tables.map(async (table) => {
    const rows = await portal.db
      .selectFrom(table as 'users')
      .selectAll()
      .execute();
    return [table, rows.length] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

const countRefusals = async () =>
  (
    await portal.db
      .selectFrom('activity_entries')
      .select('action')
      .where('refusal', 'is not', null)
      .where('action', '!=', 'useEndedApiKey')
      .execute()
  ).length;

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];
const writes = rows.flatMap(([name, row]) => (row.body ? [name] : []));

/** Bodies that change data, for endpoints whose harmless call would not reveal a write. */
const bodies = (): Partial<Record<EndpointName, object>> => {
  const { emails, reportId, groupReportId, groupId, datasetId } = portal.acme;
  return {
    createUser: { email: 'late@acme.example', name: 'Late', role: 3 },
    linkReports: { userEmail: emails.west, reports: [groupReportId] },
    linkRlsUsers: { usersEmails: [emails.outsider], datasetId, role: 'West' },
    linkRlsGroups: { groups: [groupId], datasetId, role: 'West' },
    unlinkReports: { userEmail: emails.west, reports: [reportId] },
    unlinkRlsUsers: { usersEmails: [emails.west], datasetId, role: 'West' },
    mintIdentityUrl: { userEmail: emails.west },
  };
};

describe('a late body', () => {
  it.each(writes)('writes nothing with a key that was revoked meanwhile: %s', async (name) => {
    const { acme } = portal;
    const { method, path, json } = requestOf(name, harmlessCalls[name].call(acme));
    const { ctx } = acme;
    const { id, key } = await createApiKey(ctx, {
      name: 'short',
      permissions: [endpoints[name].permission],
    });
    const body = JSON.stringify(bodies()[name] ?? json);
    const [before, refusals] = [await countRows(), await countRefusals()];
    const answer = await holdBody({ method, path, headers: { 'X-API-Key': key }, body }, () =>
      revokeApiKey(ctx, { id }),
    );
    expect(answer).toEqual({ status: 401, code: 'invalid_api_key' });
    expect(await countRows()).toEqual(before);
    expect(await countRefusals()).toBe(refusals);
  });

  it('is rejected for its key before its content is checked', async () => {
    const { ctx } = portal.acme;
    const { id, key } = await createApiKey(ctx, { name: 'short', permissions: ['users:write'] });
    const refusals = await countRefusals();
    const request = {
      method: 'POST',
      path: '/api/user',
      headers: { 'X-API-Key': key },
      body: '{x',
    };
    const answer = await holdBody(request, () => revokeApiKey(ctx, { id }));
    expect(answer).toEqual({ status: 401, code: 'invalid_api_key' });
    expect(await countRefusals()).toBe(refusals);
  });

  it('is accepted with a key that still works', async () => {
    const headers = { 'X-API-Key': portal.acme.apiKey };
    const body = JSON.stringify(bodies().createUser);
    const request = { method: 'POST', path: '/api/user', headers, body };
    expect((await holdBody(request, async () => {})).status).toBe(201);
  });

  const headersOf = (browser: AdminBrowser, type: string) => ({
    Host: new URL(portal.adminUrl).host,
    Origin: portal.adminUrl,
    Cookie: browser.cookie(),
    'Content-Type': type,
  });
  const signOut = (browser: AdminBrowser) => browser.send('DELETE', '/session');
  const setRole = (role: UserRole) => (_: AdminBrowser, userEmail: string) =>
    updateUser(portal.acme.ctx, { userEmail, role });

  it.each<[string, (browser: AdminBrowser, userEmail: string) => Promise<unknown>]>([
    ['has signed out', signOut],
    ['was deleted', (_, userEmail) => deleteUser(portal.acme.ctx, { userEmail })],
    ['became a viewer', setRole(3)],
    ['became a contributor', setRole(2)],
  ])('of an administrator who %s meanwhile creates no user', async (_, end) => {
    const { acme, db } = portal;
    const [userEmail, email] = [`${randomUUID()}@acme.example`, `${randomUUID()}@acme.example`];
    const browser = await signInAs(portal, acme, 1, userEmail);
    const request = {
      method: 'POST',
      path: `/admin/api/organizations/${acme.id}/users`,
      headers: headersOf(browser, 'application/json'),
      body: JSON.stringify({ email, name: 'Late', role: 1, reports: [] }),
    };
    const answer = await holdBody(request, () => end(browser, userEmail));
    expect(answer).toEqual({ status: 401, code: 'sign_in_required' });
    const created = db.selectFrom('users').where('email', '=', email).select('id');
    expect(await created.execute()).toEqual([]);
  });

  it('a late upload of an administrator who has signed out meanwhile leaves no file', async () => {
    const { acme, datasetFolder, publicUrl } = portal;
    const browser = await signInAs(portal, acme, 1, 'late-upload@acme.example');
    const folder = join(datasetFolder, acme.id, '.uploads');
    const waiting = () => (fs.existsSync(folder) ? fs.readdirSync(folder).length : 0);
    const address = `/admin/api/organizations/${acme.id}/uploads?fileName=late.csv`;
    const headers = headersOf(browser, 'application/octet-stream');
    const upload = http.request(publicUrl + address, { method: 'POST', headers });
    upload.write('a\n');
    await expect.poll(waiting).toBe(1);
    await signOut(browser);
    upload.end('1\n');
    const [response] = (await once(upload, 'response')) as [http.IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(401);
    expect(waiting()).toBe(0);
  });

  const expireUser = (userEmail: string) =>
    updateUser(portal.globex.ctx, { userEmail, expirationDate: new Date() });
  it.each([
    ['whose user has expired', 'west', expireUser],
    ['that is deleted', 'east', () => deleteOrganization(portal.globex.ctx)],
  ] as const)('shows nothing of an organization %s meanwhile', async (_what, name, end) => {
    const { globex } = portal;
    const userEmail = globex.emails[name];
    const { bearer } = await startSession(portal, globex, { userEmail });
    const request = {
      method: 'POST',
      path: `/viewer/reports/${globex.reportId}/view`,
      headers: { Host: new URL(globex.address).host, Authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ intent: 'open' }),
    };
    expect((await holdBody(request, async () => {})).status).toBe(200);
    const answer = await holdBody(request, () => end(userEmail));
    expect(answer).toEqual({ status: 401, code: 'session_required' });
  });
});
