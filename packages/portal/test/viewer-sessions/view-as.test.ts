import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { updateUser } from '../../src/users/service.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

async function signIn(role: 1 | 'operator' = 1) {
  const email = `${randomUUID()}@acme.example`;
  return { email, browser: await signInAs(portal, portal.acme, role, email) };
}

const findId = async (email: string): Promise<string> =>
  (await portal.api('GET', `/api/user?email=${email}`)).json().data[0].id;

async function mintView(browser: AdminBrowser, email = portal.acme.emails.west) {
  const id = await findId(email);
  return browser.send('POST', `/organizations/${portal.acme.id}/users/${id}/view`, { json: {} });
}

/** Opens the portal as West. */
async function viewAsWest(browser: AdminBrowser) {
  const { url } = (await mintView(browser)).json();
  const answer = await open(url);
  return { url, answer, session: readSession(answer) };
}

const request = (method: string, path: string, bearer: string, json?: object) =>
  send(portal.acme.address + path, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(json && { json }),
  });

const listAudit = async (action: number) =>
  (await portal.api('GET', `/api/report-audit?action=${action}`)).json().data as object[];

it.each([1, 'operator'] as const)(
  'the actor %s sees what the user sees, and the access log has their own e-mail',
  async (role) => {
    const { email, browser } = await signIn(role);
    const { session } = await viewAsWest(browser);
    const { acme } = portal;
    expect(session).toMatchObject({
      user: { email: acme.emails.west },
      viewedBy: email,
      reports: [{ id: acme.reportId }],
      display: { hideMenu: false, hideNavbar: false, hideSidebar: false },
    });
    const opened = await listAudit(1);
    const answer = await view(acme.address, session.bearer, acme.reportId);
    expect(answer.json()).toMatchObject({ roles: ['West'], rowCount: 2 });
    expect((await listAudit(3))[0]).toMatchObject({
      userEmail: email,
      reportId: acme.reportId,
      actionName: 'ViewedAs',
      ...(role === 1 && { userId: await findId(email) }),
    });
    expect(await listAudit(1)).toEqual(opened);
    const found = (await portal.api('GET', `/api/report-audit?userEmail=${email}`)).json().data;
    const west = await findId(acme.emails.west);
    expect(found).toMatchObject([{ userId: expect.not.stringContaining(west), userEmail: email }]);
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'viewAs', subject: acme.emails.west, actor: { name: email }, details: null },
    ]);
  },
);

it('the access log counts viewing apart from openings', async () => {
  const { browser } = await signIn();
  const { session } = await viewAsWest(browser);
  await view(portal.acme.address, session.bearer, portal.acme.reportId);
  const count = async (query: string) =>
    (await portal.api('GET', `/api/report-audit?pageSize=1${query}`)).json().totalPages as number;
  const parts = await Promise.all([1, 2, 3].map((action) => count(`&action=${action}`)));
  expect(parts[2]).toBeGreaterThan(0);
  expect(parts[0]! + parts[1]! + parts[2]!).toBe(await count(''));
});

it('a viewing session changes nothing of the user and takes nothing away', async () => {
  const { acme } = portal;
  const own = await startSession(portal, acme, { userEmail: acme.emails.west });
  const marks = await request('GET', '/viewer/reports', own.bearer);
  const { browser } = await signIn();
  const { bearer } = (await viewAsWest(browser)).session;
  await view(acme.address, bearer, acme.reportId);
  const report = `/viewer/reports/${acme.reportId}`;
  for (const refused of [
    await request('PUT', `${report}/favorite`, bearer, { isFavorite: true }),
    await request('POST', `${report}/export`, bearer, { tile: '0.0.0', format: 'csv' }),
    await request('POST', `${report}/print`, bearer),
  ])
    expectProblem(refused, 'read_only_session');
  expect(marks.json()).toMatchObject({ favorites: [], recent: [] });
  expect((await request('GET', '/viewer/reports', own.bearer)).json()).toEqual(marks.json());
  expect(await listAudit(2)).toEqual([]);
});

it('only the page of a viewing session can be framed by the administration', async () => {
  const { browser } = await signIn();
  const { url, answer } = await viewAsWest(browser);
  const { embedOrigin } = portal.acme;
  const frames = `frame-ancestors ${embedOrigin} ${portal.adminUrl}`;
  expect(answer.headers['content-security-policy']).toContain(frames);
  const spent = await open(url);
  expect(spent.status).toBe(410);
  expect(spent.headers['content-security-policy']).toContain(frames);
  const json = { userEmail: portal.acme.emails.west, baseUrl: portal.acme.address };
  const { embedUrl } = (await portal.api('POST', '/api/identity/url', { json })).json();
  const own = await open(embedUrl);
  expect(own.headers['content-security-policy']).not.toContain(portal.adminUrl);
  expect(readSession(own).viewedBy).toBeNull();
});

it.each([
  [
    'signs out',
    async ({ browser }: { browser: AdminBrowser }) => browser.send('DELETE', '/session'),
  ],
  [
    'is demoted',
    async ({ email }: { email: string }) =>
      updateUser(portal.acme.ctx, { userEmail: email, role: 2 }),
  ],
  [
    'reaches their expiration date',
    async ({ email }: { email: string }) =>
      sql`UPDATE users SET expiration_date = now() WHERE email = ${email}`.execute(portal.db),
  ],
  [
    'loses the role by a change in SQL',
    async ({ email }: { email: string }) =>
      sql`UPDATE users SET role = 2 WHERE email = ${email}`.execute(portal.db),
  ],
  [
    'expires',
    async ({ email }: { email: string }) =>
      updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date() }),
  ],
])('viewing ends when the administrator %s, also before the URL is opened', async (_, end) => {
  const actor = await signIn();
  const { session } = await viewAsWest(actor.browser);
  const { url } = (await mintView(actor.browser)).json();
  await end(actor);
  const answer = await view(portal.acme.address, session.bearer, portal.acme.reportId);
  expectProblem(answer, 'session_required');
  expect((await open(url)).status).toBe(410);
});

it('viewing ends when the session of the administration is idle for too long', async () => {
  const { browser, email } = await signIn();
  const { session } = await viewAsWest(browser);
  const { url } = (await mintView(browser)).json();
  await sql`UPDATE admin_sessions SET touched_at = now() - interval '31 minutes'
    WHERE account_id IN (SELECT admin_accounts.id FROM admin_accounts JOIN users
      ON users.id = user_id WHERE email = ${email})`.execute(portal.db);
  const answer = await view(portal.acme.address, session.bearer, portal.acme.reportId);
  expectProblem(answer, 'session_required');
  expect((await open(url)).status).toBe(410);
});

it('a URL for viewing works for five minutes', async () => {
  const { browser } = await signIn();
  const [early, late] = [await mintView(browser), await mintView(browser)];
  const wait = (interval: string) =>
    sql`UPDATE identity_urls SET expires_at = expires_at - ${interval}::interval`.execute(
      portal.db,
    );
  await wait('290 seconds');
  expect((await open(early.json().url)).status).toBe(200);
  await wait('10 seconds');
  expect((await open(late.json().url)).status).toBe(410);
});

it('the portal can be viewed as a user whose access has not ended yet', async () => {
  const { acme } = portal;
  const { browser } = await signIn();
  const userEmail = acme.emails.west;
  const expirationDate = new Date(Date.now() + 3_600_000);
  await updateUser(acme.ctx, { userEmail, expirationDate });
  const { session } = await viewAsWest(browser);
  expect((await view(acme.address, session.bearer, acme.reportId)).status).toBe(200);
  await updateUser(acme.ctx, { userEmail, expirationDate: null });
});

it('nobody views the portal as an expired user or as a user of another organization', async () => {
  const { acme, globex } = portal;
  const { browser } = await signIn();
  await updateUser(acme.ctx, { userEmail: acme.emails.none, expirationDate: new Date() });
  expectProblem(await mintView(browser, acme.emails.none), 'user_expired');
  const answer = await portal.api('GET', '/api/user?email=west', { key: globex.apiKey });
  const { id } = answer.json().data[0];
  const path = `/organizations/${acme.id}/users/${id}/view`;
  expectProblem(await browser.send('POST', path, { json: {} }), 'user_not_found');
});

type Target = { userId: string; reportId?: string };

it.each([
  ['a test', (target: Target) => ({ path: 'embedding/test', json: target })],
  ['a view', ({ userId, ...json }: Target) => ({ path: `users/${userId}/view`, json })],
] as const)('%s opens one report, or nothing that the user may not open', async (_, address) => {
  const { acme, globex } = portal;
  const { browser } = await signIn();
  const userId = await findId(acme.emails.west);
  const test = (target: Target) => {
    const { path, json } = address(target);
    return browser.send('POST', `/organizations/${acme.id}/${path}`, { json });
  };
  const session = readSession(
    await open((await test({ userId, reportId: acme.reportId })).json().url),
  );
  expect(session).toMatchObject({ reportId: acme.reportId, reports: [{ id: acme.reportId }] });
  expect(await listNewest(portal, 1)).toMatchObject([
    { action: 'viewAs', subject: acme.emails.west, details: { reportId: acme.reportId } },
  ]);
  for (const reportId of [acme.groupReportId, globex.reportId, randomUUID()])
    expectProblem(await test({ userId, reportId }), 'report_not_accessible');
  expectProblem(await test({ userId: randomUUID() }), 'user_not_found');
});

it('an earlier release refuses the URL and its session, since it would not know the actor', async () => {
  const { browser } = await signIn();
  const { url, session } = await viewAsWest(browser);
  const tokens = [new URL(url).searchParams.get('token')!, session.bearer];
  expect(tokens).toEqual(tokens.map(() => expect.stringMatching(/^view_[\w-]{43}$/)));
});

it('without a portal address, the portal opens at its own address outside of frames', async () => {
  const { acme } = portal;
  const { browser } = await signIn();
  await setOrigins(acme.ctx, { addresses: [] });
  const { url, isFrameable } = (await mintView(browser)).json();
  expect([isFrameable, new URL(url).origin]).toEqual([false, portal.publicUrl]);
  expect(readSession(await open(url)).viewedBy).not.toBeNull();
  await setOrigins(acme.ctx, { addresses: [acme.address] });
  expect((await mintView(browser)).json()).toMatchObject({ isFrameable: true });
});

it('the whole portal opens with the landing page if the user may open it', async () => {
  const { acme } = portal;
  const userEmail = acme.emails.east;
  const start = async (body = {}) =>
    (await startSession(portal, acme, { userEmail, ...body })).path;
  const overview = `/organizations/${acme.id}`;
  expect(await start()).toBe(overview);
  await updateUser(acme.ctx, { userEmail, reportLandingPage: acme.reportId });
  expect(await start()).toBe(`${overview}/reports/${acme.reportId}`);
  await updateUser(acme.ctx, { userEmail, reportLandingPage: acme.groupReportId });
  expect(await start()).toBe(overview);
  expect(await start({ reportId: acme.reportId })).toBe(`${overview}/reports/${acme.reportId}`);
});
