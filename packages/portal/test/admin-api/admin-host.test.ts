import { randomUUID } from 'node:crypto';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openAdminBrowser, signInAs } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
});
afterAll(() => portal.close());

const newEmail = () => `${randomUUID()}@acme.example`;
const administrator = (email = newEmail()) => signInAs(portal, portal.acme, 1, email);

describe('a request of another site', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['a page of the portal', { origin: 'http://acme.portal.localhost' }],
    ['another site with a copied origin', { 'sec-fetch-site': 'cross-site' }],
    ['the same site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused with %s, and changes nothing', async (_, headers) => {
    const browser = await administrator();
    expectProblem(await browser.send('DELETE', '/session', { headers }), 'cross_site');
    expect((await browser.send('GET', '/session')).status).toBe(200);
  });

  it('cannot read, but an address that the user enters can be read', async () => {
    const browser = await administrator();
    const read = (site: string, method = 'GET') =>
      browser.send(method, '/session', { headers: { 'sec-fetch-site': site } });
    expectProblem(await read('cross-site'), 'cross_site');
    expect((await read('none')).status).toBe(200);
    expect((await read('none', 'HEAD')).status).toBe(200);
    expectProblem(await read('none', 'DELETE'), 'cross_site');
    expect((await read('same-origin')).status).toBe(200);
  });

  it('is refused without an origin', async () => {
    const browser = await administrator();
    const answer = await send(`${portal.adminUrl}/admin/api/session`, {
      method: 'DELETE',
      headers: { cookie: browser.cookie() },
    });
    expectProblem(answer, 'cross_site');
  });
});

describe('the host of the administration', () => {
  const others = ['/embed', '/identity?token=x', '/api/user', '/openapi.json', '/viewer/reports'];

  it.each(others)('another host than that of the administration serves %s', async (path) => {
    const answer = await send(portal.acme.address + path, { headers: { accept: '*/*' } });
    expect(answer.status).not.toBe(404);
  });

  it.each(others)('does not serve %s, in any letter case of its name', async (path) => {
    const { host } = new URL(portal.adminUrl);
    for (const name of [host, host.toUpperCase(), host.replace('admin', 'aDmin')]) {
      const headers = { accept: '*/*', host: name };
      const answer = await send(portal.adminUrl + path, { headers });
      expectProblem(answer, 'not_found');
      expect(answer.json().detail).toContain(`${portal.adminUrl}/admin`);
    }
  });

  it.each(['unknown', 'session/', 'Session'])('has no path /admin/api/%s', async (path) => {
    expectProblem(await send(`${portal.adminUrl}/admin/api/${path}`), 'not_found');
  });

  it.each(['/livez', '/readyz'])('answers the health check %s', async (path) => {
    expect((await send(portal.adminUrl + path)).status).toBe(200);
  });

  it('the root of the host of the administration links to the administration', async () => {
    const { status, body } = await send(`${portal.adminUrl}/`, {
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(200);
    expect(body).toContain(`href="${portal.adminUrl}/admin"`);
  });

  it.each(['/admin', '/admin/api/session'])(
    'only the host of the administration serves %s',
    async (path) => {
      for (const origin of [portal.publicUrl, portal.acme.address])
        expect((await send(origin + path)).status).toBe(404);
    },
  );

  it('sends pages that no other page can frame or read, and that browsers do not store', async () => {
    const { headers } = await send(`${portal.adminUrl}/admin/organizations/x`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('sends answers that browsers do not store', async () => {
    const browser = await administrator();
    for (const path of ['/session', `/organizations/${portal.acme.id}/users`])
      expect((await browser.send('GET', path)).headers['cache-control']).toBe('no-store');
  });

  it('reads at most 64,000 bytes of a request', async () => {
    const ask = (bytes: number) => {
      const empty = JSON.stringify({ email: '' }).length;
      const json = { email: 'x'.repeat(bytes - empty) };
      return openAdminBrowser(portal).send('POST', '/session', { json });
    };
    expectProblem(await ask(64_000), 'invalid_request');
    expectProblem(await ask(64_001), 'body_too_large');
  });

  it('sends pages that load and send nothing elsewhere', async () => {
    const { headers } = await send(`${portal.adminUrl}/admin`);
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      expect.stringMatching(/^style-src 'self' 'nonce-[\w+/]{22}=='$/),
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('lets a page frame the portal of its organization, if the session may see it', async () => {
    const { acme, globex, adminUrl } = portal;
    const readFrames = async (id: string, cookie: string) => {
      const page = await send(`${adminUrl}/admin/organizations/${id}/users`, {
        headers: { cookie },
      });
      return /; frame-src ([^;]*);/.exec(String(page.headers['content-security-policy']))?.[1];
    };
    const own = (await administrator()).cookie();
    expect(await readFrames(acme.id, own)).toBe(acme.address);
    expect(await readFrames(globex.id, own)).toBe("'none'");
    expect(await readFrames(acme.id, '')).toBe("'none'");
    const operator = (await signInAs(portal, acme, 'operator', newEmail())).cookie();
    expect(await readFrames(acme.id, operator)).toBe(acme.address);
    expect(await readFrames(globex.id, operator)).toBe(globex.address);
  });
});
