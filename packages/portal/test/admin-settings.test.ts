import { sql } from 'kysely';
import { PNG } from 'pngjs';
import { send } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey, revokeApiKey } from '../src/api-keys/service.ts';
import { operatorContext } from '../src/auth/actor.ts';
import { createCompany } from '../src/companies/service.ts';
import { createGroup } from '../src/groups/service.ts';
import { readOverview } from '../src/organizations/overview.ts';
import {
  createOrganization,
  setHomeUrl,
  setOrigins,
  setUnappliedFilters,
} from '../src/organizations/service.ts';
import { findDetails } from '../src/organizations/store.ts';
import { importDataset, importReport } from '../src/reports/service.ts';
import { createUser, updateUser } from '../src/users/service.ts';
import { listNewest } from './support/activity.ts';
import { signInAs, type AdminBrowser } from './support/admin.ts';
import { insertAuditEntries } from './support/audit.ts';
import { expectProblem } from './support/http.ts';
import { definition } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { startSession, view } from './support/viewer.ts';

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
      expect.objectContaining({
        id: old.id,
        name: 'Old',
        state: 'revoked',
        replacedBy: next.id,
        expiresAt: oldWorksUntil,
      }),
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

  it('settings are known to a signed-in user of the organization', async () => {
    await ada.send('PUT', ofAcme('/settings'), { json: settings });
    const { organization } = (await ada.send('GET', '/session')).json();
    expect(organization).toEqual({
      id: portal.acme.id,
      slug: 'acme',
      name: settings.name,
      timeZone: 'Europe/Lisbon',
      language: 'pt',
    });
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

  it('settings, appearance and embed origins of another organization stay', async () => {
    const { acme, globex, db } = portal;
    const before = await findDetails(db, globex.id);
    expect(before).toMatchObject({ name: 'globex', embed_origins: [globex.embedOrigin] });
    const embedOrigins = [acme.embedOrigin];
    for (const [place, json] of [
      ['settings', settings],
      ['appearance', { accentColor: '#123456' }],
      ['embedding', { embedOrigins }],
    ] as const)
      expect((await ada.send('PUT', ofAcme(`/${place}`), { json })).status).toBe(200);
    await setHomeUrl(acme.ctx, 'https://home.acme.example/');
    await setUnappliedFilters(acme.ctx, 'refuse');
    expect(await findDetails(db, globex.id)).toEqual(before);
  });

  it('settings are in the activity log as they are stored', async () => {
    const { ctx } = portal.acme;
    await ada.send('PUT', ofAcme('/settings'), { json: settings });
    await setUnappliedFilters(ctx, 'refuse');
    await setHomeUrl(ctx, 'https://HOME.acme.example');
    expect(await listNewest(portal, 3)).toMatchObject([
      { action: 'setHomeUrl', details: { homeUrl: 'https://home.acme.example/' } },
      { action: 'setUnappliedFilters', details: { unappliedFilters: 'refuse' } },
      { action: 'changeSettings', details: { ...settings, timeZone: 'Europe/Lisbon' } },
    ]);
  });

  it('a language is stored in the normal form of its tag', async () => {
    const json = { ...settings, language: 'PT-br' };
    const answer = await ada.send('PUT', ofAcme('/settings'), { json });
    expect(answer.json().language).toBe('pt-BR');
  });

  it('settings have the languages that pages have texts in', async () => {
    const { languages } = (await ada.send('GET', ofAcme('/settings'))).json();
    expect(languages).toEqual(expect.arrayContaining(['de', 'en', 'pt']));
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
    const past = new Date(Date.now() - 3_600_000).toISOString();
    for (const filter of [
      { reportId: groupReportId },
      { reportName: 'x' },
      { action: '2' },
      { from: future },
      { to: past },
      { userEmail: 'x@acme.example' },
      { userEmail: 'csv@acme.example', action: '2' },
    ])
      expect(await rowsOf(filter)).toEqual([0, 0, 0]);
  });

  it('the access log has pages of 50 entries, newest first', async () => {
    const { globex, db } = portal;
    const gus = await signInAs(portal, globex, 1, 'gus@globex.example');
    const email = 'paged@globex.example';
    const times = Array.from({ length: 51 }, (_, n) => new Date(Date.UTC(2020, 0, 1, 0, n)));
    await insertAuditEntries(
      db,
      globex,
      times.map((at) => ({ email, at })),
    );
    const read = async (page: number) => {
      const path = `/organizations/${globex.id}/access-log?userEmail=${email}&page=${page}`;
      const { data, totalPages } = (await gus.send('GET', path)).json();
      return [data.length, data[0].createdAt, totalPages];
    };
    expect(await read(1)).toEqual([50, times[50]!.toISOString(), 2]);
    expect(await read(2)).toEqual([1, times[0]!.toISOString(), 2]);
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

  it('the activity log shows the names of items of every kind, but only of its organization', async () => {
    const names = new Map<string, string | null>();
    for (const { ctx, id, datasetId, emails, reportId } of [portal.acme, portal.globex]) {
      const read = (table: 'users' | 'rls_roles' | 'api_keys' | 'reports') =>
        portal.db.selectFrom(table).selectAll().where('organization_id', '=', id);
      const user = await read('users').where('email', '=', emails.west).executeTakeFirstOrThrow();
      const role = await read('rls_roles').where('name', '=', 'West').executeTakeFirstOrThrow();
      const key = await read('api_keys').where('name', '=', 'test').executeTakeFirstOrThrow();
      const report = await read('reports').where('id', '=', reportId).executeTakeFirstOrThrow();
      for (const [subject, name] of [
        [user.id, emails.west],
        [await createCompany(ctx, 'Company'), 'Company'],
        [report.workspace_id, 'Sales'],
        [datasetId, 'Orders'],
        [role.id, 'West'],
        [key.id, 'test'],
        [id, (await findDetails(portal.db, id))!.name],
      ] as const)
        names.set(subject, id === portal.acme.id ? name : null);
    }
    await sql`INSERT INTO activity_entries (organization_id, operator, action, subject)
      SELECT ${portal.acme.id}::uuid, 'olivia', 'named', subject
      FROM unnest(${[...names.keys()]}::text[]) AS subject`.execute(portal.db);
    const { entries } = (await ada.send('GET', ofAcme('/activity-log?action=named'))).json();
    const shown = entries.map((entry: { subject: string; subjectName: string | null }) => [
      entry.subject,
      entry.subjectName,
    ]);
    expect(new Map(shown)).toEqual(names);
  });

  it('the activity log has pages of 50 entries, and only entries of the given time', async () => {
    await sql`INSERT INTO activity_entries (organization_id, operator, action, subject)
      SELECT ${portal.acme.id}::uuid, 'olivia', 'many', 'x'
      FROM generate_series(1, 100)`.execute(portal.db);
    const list = async (query: string) =>
      (await ada.send('GET', ofAcme(`/activity-log?action=many${query}`))).json();
    const first = await list('');
    expect([first.entries.length, first.isEnd]).toEqual([50, false]);
    const second = await list(`&beforeId=${first.entries.at(-1).id}`);
    expect([second.entries.length, second.isEnd]).toEqual([50, true]);
    expect(second.entries[0].id).toBeLessThan(first.entries.at(-1).id);
    const [past, future] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000));
    const between = (from: Date, to: Date) =>
      list(`&from=${from.toISOString()}&to=${to.toISOString()}`);
    expect((await between(past!, future!)).entries).toHaveLength(50);
    expect(await list(`&from=${future!.toISOString()}`)).toEqual({ entries: [], isEnd: true });
    expect(await list(`&to=${past!.toISOString()}`)).toEqual({ entries: [], isEnd: true });
  });

  it('the activity log without filters has no mints', async () => {
    expect((await mint()).status).toBe(200);
    const { entries } = (await ada.send('GET', ofAcme('/activity-log'))).json();
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions).not.toContain('mintIdentityUrl');
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
    const { acme } = portal;
    const session = await startSession(portal, acme, { userEmail: acme.emails.west });
    expect(session.organization.logo).toBe(path);
    expect((await send(portal.adminUrl + path)).status).toBe(200);
  });

  it('appearance keeps the logo if only the color changes, and removes it with null', async () => {
    await change({ accentColor: '#0f6e56', logo: logo.toString('base64') });
    const { logo: path } = (await change({ accentColor: '#112233' })).json();
    expect(path).toMatch(/^\/logos\//);
    expect((await change({ accentColor: '#112233', logo: null })).json().logo).toBeNull();
    expectProblem(await send(portal.acme.address + path), 'not_found');
  });

  it('a logo has only the address of its organization and of its present image', async () => {
    const other = PNG.sync.write(Object.assign(new PNG({ width: 3, height: 3 }), {}));
    const accentColor = '#112233';
    const [old, present] = [
      (await change({ accentColor, logo: logo.toString('base64') })).json().logo,
      (await change({ accentColor, logo: other.toString('base64') })).json().logo,
    ];
    expect((await send(portal.acme.address + present)).status).toBe(200);
    const foreign = present.replace(portal.acme.id, portal.globex.id);
    for (const path of [old, foreign])
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

  /** An organization without anything, beside those that have everything. */
  async function createEmpty(slug: string) {
    const { db, publicUrl } = portal;
    const look = { name: slug, accentColor: '#123456' };
    const organizationId = await createOrganization(db, { slug, ...look });
    return operatorContext({ db, publicUrl, organizationId });
  }

  it('the overview of an organization has the steps that it has done itself', async () => {
    const { db } = portal;
    await insertAuditEntries(db, portal.globex, [{ email: 'x@globex.example' }]);
    const ctx = await createEmpty('steps');
    const { organizationId } = ctx;
    const read = async () => (await readOverview(ctx)).done;
    await createUser(ctx, { email: 'author@steps.example', name: 'A', role: 2 });
    const permissions = ['users:read'] as const;
    const { id } = await createApiKey(ctx, { name: 'Old', permissions });
    await revokeApiKey(ctx, { id });
    const dataset = { name: 'Orders', file: 'orders.csv' };
    const report = { name: 'Orders', description: null, workspaceName: 'Sales', definition };
    const importOne = async () =>
      importReport(ctx, { ...report, datasetId: await importDataset(ctx, dataset) });
    const archived = await importOne();
    await db
      .updateTable('reports')
      .set({ archived_at: new Date() })
      .where('id', '=', archived)
      .execute();
    expect(await readOverview(ctx)).toEqual({ done: [], keys: [], users: [] });

    const reportId = await importOne();
    expect(await read()).toEqual(['report']);
    await createUser(ctx, { email: 'reader@steps.example', name: 'R', role: 3 });
    expect(await read()).toEqual(['report', 'user']);
    await createGroup(ctx, { name: 'Group', memberEmails: [], reports: [reportId] });
    expect(await read()).toEqual(['report', 'user', 'access']);
    await setOrigins(ctx, { addresses: ['https://steps.example'] });
    expect(await read()).toEqual(['report', 'user', 'access', 'address']);
    await setOrigins(ctx, { embedOrigins: ['https://app.steps.example'] });
    await createApiKey(ctx, { name: 'New', permissions });
    expect((await read()).slice(4)).toEqual(['embedOrigin', 'apiKey']);
    const open = (action: number) =>
      insertAuditEntries(db, { id: organizationId, reportId }, [
        { email: 'x@steps.example', action },
      ]);
    // Viewing as another user is not an opening from the application.
    await open(3);
    expect(await read()).not.toContain('opened');
    await open(1);
    expect(await read()).toHaveLength(7);
  });

  it('the overview lists neither what has ended nor what ends later, the next first, and at most ten', async () => {
    const ctx = await createEmpty('ends');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const permissions = ['users:read'] as const;
    // Not in the order of their ends.
    for (const days of [31, 29, 2, 1, -1]) {
      const key = await createApiKey(ctx, { name: `key ${days}`, permissions });
      await sql`UPDATE api_keys SET expires_at = ${inDays(days)} WHERE id = ${key.id}`.execute(
        portal.db,
      );
      const email = `user${days}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(days) });
    }
    const expiresAt = inDays(3);
    await revokeApiKey(ctx, await createApiKey(ctx, { name: 'revoked', permissions, expiresAt }));
    const few = await readOverview(ctx);
    expect(few.keys.map(({ name }) => name)).toEqual(['key 1', 'key 2', 'key 29']);
    const [next, later, last] = [1, 2, 29].map((days) => `user${days}@ends.example`);
    expect(few.users.map(({ email }) => email)).toEqual([next, later, last]);
    for (let n = 10; n < 18; n += 1) {
      await createApiKey(ctx, { name: `key ${n}`, permissions, expiresAt: inDays(n) });
      const email = `user${n}@ends.example`;
      await createUser(ctx, { email, name: 'U', role: 3 });
      await updateUser(ctx, { userEmail: email, expirationDate: inDays(n) });
    }
    const many = await readOverview(ctx);
    expect([many.keys.length, many.keys.at(-1)!.name]).toEqual([10, 'key 17']);
    expect([many.users.length, many.users.at(-1)!.email]).toEqual([10, 'user17@ends.example']);
  });
});

it('API keys are revoked with or without the sessions that they opened', async () => {
  const { acme } = portal;
  const json = { name: 'Minting', permissions: ['identity:mint'], expiresAt: null };
  const { id, key: apiKey } = (await ada.send('POST', ofAcme('/api-keys'), { json })).json();
  const userEmail = acme.emails.west;
  const { bearer } = await startSession(portal, { ...acme, apiKey }, { userEmail });
  const statusAfter = async (keepSessions: boolean) => {
    await ada.send('POST', ofAcme(`/api-keys/${id}/revoke`), { json: { keepSessions } });
    return (await view(acme.address, bearer, acme.reportId)).status;
  };
  expect([await statusAfter(true), await statusAfter(false)]).toEqual([200, 401]);
});
