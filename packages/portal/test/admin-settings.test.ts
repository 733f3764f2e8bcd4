import { PNG } from 'pngjs';
import { send } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { updateUser } from '../src/users/service.ts';
import { listNewest } from './support/activity.ts';
import { signInAs, type AdminBrowser } from './support/admin.ts';
import { insertAuditEntries } from './support/audit.ts';
import { expectProblem } from './support/http.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
let ada: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  ada = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const ofAcme = (path: string) => `/organizations/${portal.acme.id}${path}`;

describe('API keys', () => {
  const create = (permissions: string[]) =>
    ada.send('POST', ofAcme('/api-keys'), {
      json: { name: 'App', permissions, expiresAt: null },
    });

  it('API keys are created with chosen permissions, work, and are recorded under the administrator', async () => {
    const created = (await create(['users:read'])).json();
    expect(created).toEqual({ id: expect.any(String), key: expect.stringMatching(/^pek_/) });
    const { key } = created;
    expect((await portal.api('GET', '/api/user', { key })).status).toBe(200);
    expectProblem(await portal.api('GET', '/api/report', { key }), 'missing_permission');
    expect(await listNewest(portal, 3)).toContainEqual(
      expect.objectContaining({
        action: 'createApiKey',
        subject: created.id,
        actor: { kind: 'user', id: expect.any(String), name: 'ada@acme.example' },
      }),
    );
  });

  it('API keys are listed without their secret', async () => {
    const { id, key } = (await create(['users:read'])).json();
    const { body } = await ada.send('GET', ofAcme('/api-keys'));
    expect(JSON.parse(body).keys).toContainEqual(
      expect.objectContaining({ id, name: 'App', permissions: ['users:read'], state: 'live' }),
    );
    expect(body).not.toContain(key);
  });

  it('API keys are rotated with an overlap, renamed and revoked', async () => {
    const old = (await create(['users:read'])).json();
    const oldWorksUntil = new Date(Date.now() + 3_600_000).toISOString();
    const path = ofAcme(`/api-keys/${old.id}`);
    const next = (await ada.send('POST', `${path}/rotate`, { json: { oldWorksUntil } })).json();
    for (const { key } of [old, next])
      expect((await portal.api('GET', '/api/user', { key })).status).toBe(200);
    await ada.send('PUT', path, { json: { name: 'Old' } });
    await ada.send('POST', `${path}/revoke`, { json: { keepSessions: false } });
    expectProblem(await portal.api('GET', '/api/user', { key: old.key }), 'invalid_api_key');
    const { keys } = (await ada.send('GET', ofAcme('/api-keys'))).json();
    expect(keys).toContainEqual(
      expect.objectContaining({ id: old.id, name: 'Old', state: 'revoked', replacedBy: next.id }),
    );
  });
});

describe('settings', () => {
  const settings = {
    name: 'Acme Corporation',
    timeZone: 'europe/lisbon',
    language: 'pt',
    homeUrl: 'https://app.acme.example/reports',
    unappliedFilters: 'refuse',
  };

  it('settings are changed together', async () => {
    const answer = await ada.send('PUT', ofAcme('/settings'), { json: settings });
    expect(answer.json()).toMatchObject({ ...settings, timeZone: 'Europe/Lisbon' });
    expect((await ada.send('GET', ofAcme('/settings'))).json()).toEqual(answer.json());
  });

  it.each([
    ['time zone', { timeZone: 'Mars/Olympus' }],
    ['language', { language: 'not a tag' }],
    ['home URL', { homeUrl: 'javascript:alert(1)' }],
  ])('settings with a %s that is not valid change nothing', async (_, wrong) => {
    const before = (await ada.send('GET', ofAcme('/settings'))).body;
    const json = { ...settings, name: 'Other', ...wrong };
    expectProblem(await ada.send('PUT', ofAcme('/settings'), { json }), 'invalid_request');
    expect((await ada.send('GET', ofAcme('/settings'))).body).toBe(before);
  });
});

describe('embedding', () => {
  it('embedding lists the addresses, and an administrator changes the embed origins alone', async () => {
    const json = { embedOrigins: ['https://app.acme.example', portal.acme.embedOrigin] };
    const answer = await ada.send('PUT', ofAcme('/embedding'), { json });
    expect(answer.json()).toEqual({
      addresses: [portal.acme.address],
      embedOrigins: [portal.acme.embedOrigin, 'https://app.acme.example'],
      publicUrl: portal.publicUrl,
    });
    const wrong = { embedOrigins: ['https://app.acme.example/path'] };
    expectProblem(await ada.send('PUT', ofAcme('/embedding'), { json: wrong }), 'invalid_request');
    const addresses = { embedOrigins: [], addresses: ['https://evil.example'] };
    expectProblem(
      await ada.send('PUT', ofAcme('/embedding'), { json: addresses }),
      'invalid_request',
    );
  });
});

describe('the logs', () => {
  const mint = (reportId?: string) =>
    portal.api('POST', '/api/identity/url', {
      json: {
        userEmail: portal.acme.emails.west,
        ...(reportId && { reportId, organizationId: portal.acme.id }),
      },
    });

  it('the logs show who opened a report, by page and filter, by day and as CSV', async () => {
    expect((await mint(portal.acme.reportId)).status).toBe(200);
    const west = encodeURIComponent(portal.acme.emails.west);
    const { data } = (await ada.send('GET', ofAcme(`/access-log?userEmail=${west}`))).json();
    expect(data).toEqual([expect.objectContaining({ reportId: portal.acme.reportId, action: 1 })]);
    const none = await ada.send('GET', ofAcme('/access-log?userEmail=x%40acme.example'));
    expect(none.json().data).toEqual([]);
    const { opened } = (await ada.send('GET', ofAcme('/access-log/days'))).json();
    expect([opened.length, opened.at(-1).count]).toEqual([30, 1]);
    const csv = await ada.send('GET', ofAcme('/access-log/export'));
    expect(csv.headers['content-disposition']).toBe('attachment; filename=access-log.csv');
    expect(csv.body.trimEnd().split('\r\n')).toEqual([
      'id,createdAt,organizationId,userId,userEmail,reportId,reportName,action,actionName',
      expect.stringContaining(`,${portal.acme.emails.west},${portal.acme.reportId},Orders,1,`),
    ]);
  });

  it('the CSV of the access log has the entries that match the filters of the list', async () => {
    await insertAuditEntries(portal.db, portal.acme, [{ email: 'csv@acme.example' }]);
    const { reportId, groupReportId } = portal.acme;
    const rowsOf = async (filter: Record<string, string>) => {
      const query = String(new URLSearchParams(filter));
      const { data, totalPages } = (await ada.send('GET', ofAcme(`/access-log?${query}`))).json();
      const csv = await ada.send('GET', ofAcme(`/access-log/export?${query}`));
      return [data.length, csv.body.trimEnd().split('\r\n').length - 1, totalPages];
    };
    const [all] = await rowsOf({});
    expect(all).toBeGreaterThan(0);
    for (const filter of [{ reportId }, { reportName: 'rder' }, { action: '1' }])
      expect(await rowsOf(filter)).toEqual([all, all, 1]);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    for (const filter of [
      { reportId: groupReportId },
      { reportName: 'x' },
      { action: '2' },
      { from: future },
      { userEmail: 'x@acme.example' },
      { userEmail: 'csv@acme.example', action: '2' },
    ])
      expect(await rowsOf(filter)).toEqual([0, 0, 0]);
  });

  it('the logs show refused requests, with the number of equal refusals', async () => {
    const { groupReportId } = portal.acme;
    const readDays = async () => (await ada.send('GET', ofAcme('/access-log/days'))).json();
    const sum = (days: { count: number }[]) => days.reduce((total, { count }) => total + count, 0);
    const before = sum((await readDays()).refused);
    for (let time = 0; time < 3; time++) expect((await mint(groupReportId)).status).toBe(403);
    const list = (query: string) => ada.send('GET', ofAcme(`/activity-log${query}`));
    const { entries } = (await list('?refused=true')).json();
    expect(
      entries.filter(({ action }: { action: string }) => action === 'mintIdentityUrl'),
    ).toEqual([expect.objectContaining({ refusal: 'report_not_accessible', count: 3 })]);
    expect((await list('?refused=false&action=mintIdentityUrl')).json().entries).toHaveLength(2);
    const { opened, refused } = await readDays();
    expect(sum(refused) - before).toBe(3);
    const daysOf = (counts: { day: string }[]) => counts.map(({ day }) => day);
    expect(daysOf(refused)).toEqual(daysOf(opened));
    expect(refused.at(-1).day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('the activity log shows the names of items whose ids are subjects, but none of another organization', async () => {
    const { groupId, reportId } = portal.acme;
    const foreignId = portal.globex.groupId;
    const rename = (id: string) => ada.send('PUT', ofAcme(`/groups/${id}`), { json: {} });
    for (const id of [groupId, foreignId]) expect((await rename(id)).status).toBe(400);
    const change = { kind: 'user', id: reportId, isLinked: true };
    const path = ofAcme(`/reports/${reportId.toUpperCase()}/access`);
    await ada.send('PUT', path, { json: change });
    const { entries } = (await ada.send('GET', ofAcme('/activity-log?refused=true'))).json();
    expect(entries.slice(0, 3)).toMatchObject([
      { subject: reportId.toUpperCase(), subjectName: 'Orders' },
      { subject: foreignId, subjectName: null },
      { subject: groupId, subjectName: 'Leads' },
    ]);
  });
});

it('a request without a session is refused by each endpoint that needs one', async () => {
  const { adminEndpoints } = await import('../wire/admin/endpoints.ts');
  for (const { method, path, access } of Object.values(adminEndpoints)) {
    if (access === 'everyone') continue;
    const address = path.replace(/\{\w+\}/g, portal.acme.id);
    const answer = await send(`${portal.adminUrl}/admin/api${address}`, {
      method,
      headers: { origin: portal.adminUrl },
    });
    expect([path, answer.json().code]).toEqual([path, 'sign_in_required']);
  }
});

describe('appearance', () => {
  const logo = PNG.sync.write(Object.assign(new PNG({ width: 2, height: 2 }), {}));
  const change = (json: object) => ada.send('PUT', ofAcme('/appearance'), { json });

  it('appearance is a color and a logo, which the pages show also after a URL has expired', async () => {
    const answer = await change({ accentColor: '#B3357F', logo: logo.toString('base64') });
    const { accentColor, logo: path } = answer.json();
    expect(accentColor).toBe('#b3357f');
    const image = await send(portal.acme.address + path);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
    expect(image.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const spent = await send(`${portal.acme.address}/identity?token=x`, {
      headers: { accept: 'text/html' },
    });
    expect(spent.status).toBe(410);
    expect(spent.body).toContain(`<img class="logo" src="${path}" alt="">`);
    expect(spent.body).toContain('--accent:#b3357f');
  });

  it('appearance keeps the logo if only the color changes, and removes it with null', async () => {
    await change({ accentColor: '#0f6e56', logo: logo.toString('base64') });
    const { logo: path } = (await change({ accentColor: '#112233' })).json();
    expect(path).toMatch(/^\/logos\//);
    expect((await change({ accentColor: '#112233', logo: null })).json().logo).toBeNull();
    expectProblem(await send(portal.acme.address + path), 'not_found');
  });

  it('the activity log says whether a change of the appearance set, kept or removed the logo', async () => {
    const accentColor = '#112233';
    await change({ accentColor, logo: logo.toString('base64') });
    await change({ accentColor });
    await change({ accentColor, logo: null });
    const entries = await listNewest(portal, 3);
    expect(entries.map(({ details }) => details)).toEqual([
      { accentColor, logo: null },
      { accentColor },
      { accentColor, logo: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it.each([
    ['color', { accentColor: 'red;}' }],
    ['image', { accentColor: '#112233', logo: Buffer.from('<svg/>').toString('base64') }],
  ])('appearance does not change with a %s that is not valid', async (_, json) => {
    const before = (await ada.send('GET', ofAcme('/appearance'))).body;
    expectProblem(await change(json), 'invalid_request');
    expect((await ada.send('GET', ofAcme('/appearance'))).body).toBe(before);
  });
});

describe('the overview', () => {
  it('the overview names the steps that are done, and the keys and users that end within 30 days', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const { west, east } = portal.acme.emails;
    await updateUser(portal.acme.ctx, { userEmail: west, expirationDate: inDays(29) });
    await updateUser(portal.acme.ctx, { userEmail: east, expirationDate: inDays(31) });
    const soon = { name: 'Soon', permissions: ['users:read'], expiresAt: inDays(3).toISOString() };
    await ada.send('POST', ofAcme('/api-keys'), { json: soon });
    expect((await ada.send('GET', ofAcme('/overview'))).json()).toEqual({
      done: expect.arrayContaining([
        'report',
        'user',
        'access',
        'address',
        'embedOrigin',
        'apiKey',
      ]),
      keys: [expect.objectContaining({ name: 'Soon', expiresAt: soon.expiresAt })],
      users: [expect.objectContaining({ email: west })],
    });
  });
});
