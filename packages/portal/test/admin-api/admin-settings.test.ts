import { createHash } from 'node:crypto';

import { PNG } from 'pngjs';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setHomeUrl, setUnappliedFilters } from '../../src/organizations/service.ts';
import { findDetails } from '../../src/organizations/store.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

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

  it('are created with chosen permissions, work, and are recorded under the administrator', async () => {
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

  it('are listed without their secret', async () => {
    const { id, key } = (await create(['users:read'])).json();
    const { body } = await ada.send('GET', ofAcme('/api-keys'));
    expect(JSON.parse(body).keys).toContainEqual(
      expect.objectContaining({ id, name: 'App', permissions: ['users:read'], state: 'live' }),
    );
    expect(body).not.toContain(key);
  });

  it('are rotated with an overlap, renamed and revoked', async () => {
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

  it('are changed together', async () => {
    const answer = await ada.send('PUT', ofAcme('/settings'), { json: settings });
    expect(answer.json()).toMatchObject({ ...settings, timeZone: 'Europe/Lisbon' });
    expect((await ada.send('GET', ofAcme('/settings'))).json()).toEqual(answer.json());
  });

  it('are known to a signed-in user of the organization', async () => {
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
  ])('with a %s that is not valid change nothing', async (_, wrong) => {
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

  it('are in the activity log as they are stored', async () => {
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

  it('list the languages of the pages', async () => {
    const { languages } = (await ada.send('GET', ofAcme('/settings'))).json();
    expect(languages).toEqual(expect.arrayContaining(['de', 'en', 'pt']));
  });
});

describe('embedding', () => {
  it('lists the addresses, and an administrator changes the embed origins alone', async () => {
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

it('a request without a session is refused by each endpoint that needs one', async () => {
  const { adminEndpoints } = await import('#admin/requests');
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

  it('is a color and a logo, which the pages show also after a URL has expired', async () => {
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

  it('has a look of reports, which the pages show and a change of the color keeps', async () => {
    const { acme } = portal;
    const look = {
      font: 'source-serif',
      radius: 'none',
      density: 'spacious',
      palette: ['#1a7f37', '#0969da', '#bc4c00'],
    };
    expect((await change({ accentColor: '#112233', look })).json().look).toEqual(look);
    expect((await change({ accentColor: '#112244' })).json().look).toEqual(look);
    const page = await send(`${acme.address}/embed`, { headers: { accept: 'text/html' } });
    expect(page.body).toContain("--font:'Source Serif 4',Georgia,serif;--radius:0px;--space:22px");
    expect(page.body).toContain('--series-2:light-dark(oklch(from #0969da min(l, 0.6) c h)');
    const [style] = /<style>(.*?)<\/style>/s.exec(page.body)!.slice(1);
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect((await change({ accentColor: '#112244', look: {} })).json().look).toEqual({});
  });

  it.each([
    ['font', { font: 'comic' }],
    ['unknown token', { shadow: 'large' }],
    ['palette of two colors', { palette: ['#1a7f37', '#0969da'] }],
    ['palette with a text that is no color', { palette: ['#1a7f37', '#0969da', 'red;}'] }],
    ['palette that hides from the color-blind', { palette: ['#1a7f37', '#b0582f', '#7d7300'] }],
  ])('the look cannot have a %s', async (_, look) => {
    expectProblem(await change({ accentColor: '#112233', look }), 'invalid_request');
  });

  it('keeps the logo if only the color changes, and removes it with null', async () => {
    await change({ accentColor: '#0f6e56', logo: logo.toString('base64') });
    const { logo: path } = (await change({ accentColor: '#112233' })).json();
    expect(path).toMatch(/^\/logos\//);
    expect((await change({ accentColor: '#112233', logo: null })).json().logo).toBeNull();
    expectProblem(await send(portal.acme.address + path), 'not_found');
  });

  it('only the address of the current logo of an organization is served', async () => {
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
  ])('does not change with a %s that is not valid', async (_, json) => {
    const before = (await ada.send('GET', ofAcme('/appearance'))).body;
    expectProblem(await change(json), 'invalid_request');
    expect((await ada.send('GET', ofAcme('/appearance'))).body).toBe(before);
  });
});

it('revoking an API key ends the sessions that it opened, unless they are to be kept', async () => {
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
