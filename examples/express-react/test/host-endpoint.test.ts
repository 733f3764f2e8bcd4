import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, inject, it } from 'vitest';

import { requestUrl, signIn } from './demo.ts';

const demo = inject('demo');

describe('the host endpoint', () => {
  it('rejects a body that names a user, an organization or a base URL', async () => {
    const cookie = await signIn(demo.env.HOST_URL_ACME, 'west@acme.example');
    for (const body of [
      { userEmail: 'all@acme.example' },
      { organizationId: demo.env.GLOBEX_ORGANIZATION_ID },
      { baseUrl: demo.env.GLOBEX_BASE_URL },
    ]) {
      const answer = await requestUrl(demo.env.HOST_URL_ACME, body, { cookie });
      expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
    }
  });

  it('rejects a cross-site POST', async () => {
    const cookie = await signIn(demo.env.HOST_URL_ACME, 'west@acme.example');
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      const answer = await requestUrl(demo.env.HOST_URL_ACME, {}, { cookie, ...headers });
      expect([answer.status, answer.json().code]).toEqual([403, 'cross_site']);
    }
  });

  it('answers 401 to a signed-out user without a call to the portal', async () => {
    const cookie = await signIn(demo.env.HOST_URL_ACME, 'west@acme.example');
    const mintAs = (id: string, headers: Record<string, string>) =>
      requestUrl(demo.env.HOST_URL_ACME, {}, { 'x-request-id': id, ...headers });
    const answer = await mintAs('signed-out', {});
    expect([answer.status, answer.json().code]).toEqual([401, 'not_signed_in']);
    expect((await mintAs('signed-in', { cookie })).status).toBe(200);
    // The portal writes its log a moment after its answer.
    const readPortalLog = () => fs.readFileSync(path.join(demo.dataDir, 'portal.log'), 'utf8');
    await expect.poll(readPortalLog).toContain('signed-in');
    expect(readPortalLog()).not.toContain('signed-out');
  });

  it('answers 404 for an unknown host name', async () => {
    const cookie = await signIn(demo.env.HOST_URL_ACME, 'west@acme.example');
    const answer = await requestUrl(demo.env.HOST_URL_ACME, {}, { cookie, host: 'evil.localhost' });
    expect([answer.status, answer.json().code]).toEqual([404, 'unknown_tenant']);
  });

  it('signs in only users of its tenant', async () => {
    for (const email of ['viewer@globex.example', 'nobody@acme.example', ''])
      await expect(signIn(demo.env.HOST_URL_ACME, email)).rejects.toThrow('403');
  });
});
