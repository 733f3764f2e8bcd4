import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { send } from 'test-support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startEntry } from './entry.ts';
import type { Options } from './entry.ts';

let portal: OtherPortal;
beforeEach(async () => {
  portal = await startOtherPortal();
});
afterEach(() => portal[Symbol.asyncDispose]());

const start = (options: Partial<Options> = {}) => {
  const { apiUrl, apiKey, portalUrl, state } = portal;
  const { organizationId } = state;
  const tenants = { 'acme.localhost': { apiUrl, apiKey, organizationId, portalUrl } };
  const user = () => ({ email: 'Ana@meridian.example' });
  return startEntry({ tenants, user, ...options });
};

/** Opens an identity URL and the page to which it leads. */
async function open(embedUrl: unknown) {
  const first = await send(String(embedUrl));
  const { location } = first.headers;
  return location ? send(new URL(location, String(embedUrl)).href) : first;
}

const orders = () => portal.state.reports[0]!.id.toLowerCase();

describe('a portal of another vendor', () => {
  it('opens one report with the row-level security, flags and filters of the request', async () => {
    await using app = await start();
    const body = {
      reportId: orders(),
      embed: true,
      customFilters: [{ key: 'City', value: 'Manaus' }],
    };
    const { status, json } = await app.mint({ body });
    expect(status).toBe(200);
    const url = new URL(String(json['embedUrl']));
    expect(url.origin).toBe(new URL(portal.portalUrl).origin);
    expect(url.searchParams.get('returnUrl')).toBe(`/view/${portal.state.reports[0]!.id}`);
    expect(json['expiresIn']).toBeGreaterThan(290);
    expect(json['expiresIn']).toBeLessThanOrEqual(300);
    const page = await open(json['embedUrl']);
    expect(page.body).toContain('ana@meridian.example');
    expect(page.body).toContain('Manaus');
    for (const absent of ['Belém', 'Curitiba', 'id="navbar"', 'id="menu"'])
      expect(page.body).not.toContain(absent);
    expect((await open(json['embedUrl'])).status).toBe(410);
  });

  it('opens the whole portal', async () => {
    await using app = await start();
    const { json } = await app.mint();
    const page = await open(json['embedUrl']);
    expect(page.body).toContain('Orders');
    expect(page.body).toContain('id="sidebar"');
  });

  it('leads to the report by a link', async () => {
    await using app = await start({ allowOpen: true });
    const path = `/portal-embed/open?reportId=${orders()}`;
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };
    const { status, headers: answered } = await app.send({ path, headers });
    expect(status).toBe(303);
    expect((await open(answered['location'])).body).toContain('<h1>Orders</h1>');
  });
});

describe('a portal of another vendor, whose errors have no codes', () => {
  it('answers no_portal_user for a user whom it does not know', async () => {
    await using app = await start({ user: () => ({ email: 'west@acme.example' }) });
    for (const body of [{}, { reportId: orders() }])
      expect(await app.mint({ body })).toMatchObject({
        status: 403,
        json: { code: 'no_portal_user' },
      });
  });

  it('answers report_not_accessible for a report that it does not know', async () => {
    await using app = await start();
    const body = { reportId: '6a1f4c1e-0000-4000-8000-000000000001' };
    expect(await app.mint({ body })).toMatchObject({
      status: 403,
      json: { code: 'report_not_accessible' },
    });
  });

  it('accepts users whom the host provisions, and shows them their rows', async () => {
    const datasetId = portal.state.datasets[0]!.id;
    const state = {
      name: 'West',
      role: 3,
      reports: [orders()],
      rlsRoles: [{ datasetId, role: 'West' }],
    };
    await using app = await start({
      user: () => ({ email: 'west@acme.example' }),
      provision: () => state,
    });
    const { status, json } = await app.mint({ body: { reportId: orders() } });
    expect(status).toBe(200);
    const page = await open(json['embedUrl']);
    expect(page.body).toContain('Manaus');
    expect(page.body).not.toContain('Curitiba');
  });

  it('answers forbidden for a bare 403, which does not say whether the key or the user is refused', async () => {
    const apiKey = portal.createKey('Directory');
    const { apiUrl, portalUrl, state } = portal;
    const tenant = { apiUrl, apiKey, portalUrl, organizationId: state.organizationId };
    await using app = await start({ tenants: { 'acme.localhost': tenant } });
    const { status, json } = await app.mint();
    expect([status, json['code']]).toEqual([403, 'forbidden']);
  });

  it('is told sign-outs, which it does not know, without a failure of the host', async () => {
    await using app = await start();
    const { status } = await app.send({ method: 'POST', path: '/sign-out' });
    expect(status).toBe(200);
  });
});
