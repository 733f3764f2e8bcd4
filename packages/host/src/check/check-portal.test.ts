import { lookup } from 'node:dns/promises';
import fs from 'node:fs';

import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { checkPortal } from '../index.ts';
import type { CheckPortalOptions, Finding, Tenant } from '../index.ts';

const hostOrigin = 'https://acme.app.example';
let portal: FakePortal;
let answers: Record<string, FakeAnswer>;
let tenant: Tenant;

const page = (policy: string) => jsonAnswer(200, {}, { 'Content-Security-Policy': policy });

beforeEach(async () => {
  portal = await startFakePortal((request, response) => {
    const path = request.url.split('?')[0]!;
    const name = request.headers['x-api-key'] === undefined ? `${path} without a key` : path;
    (answers[name] ?? answers['other'] ?? jsonAnswer(404))(request, response);
  });
  tenant = {
    apiUrl: portal.url,
    apiKey: 'pk_secret',
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: portal.url,
  };
  answers = {
    '/api/user without a key': problemAnswer(401, 'invalid_api_key'),
    '/api/identity/url': problemAnswer(404, 'user_not_found'),
    [`/organizations/${tenant.organizationId} without a key`]: page(
      `frame-ancestors ${hostOrigin}`,
    ),
  };
});
afterEach(() => portal[Symbol.asyncDispose]());

const check = (options: Partial<CheckPortalOptions> = {}) =>
  checkPortal({ tenant, hostOrigin, ...options });
const failures = (findings: Finding[]) => findings.filter(({ ok }) => !ok);

describe('checkPortal', () => {
  it('passes a correct portal and changes nothing in it', async () => {
    const findings = await check();
    expect(findings.filter(({ warning }) => warning)).toEqual([]);
    expect(findings.map((each) => [each.check, each.ok])).toEqual([
      ['address', true],
      ['clock', true],
      ['key', true],
      ['embed origins', true],
    ]);
    expect(portal.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/user',
      'POST /api/identity/url',
      `GET /organizations/${tenant.organizationId}`,
    ]);
  });

  it('stops at an address where no API answers, before the key is sent', async () => {
    answers['/api/user without a key'] = jsonAnswer(404);
    const findings = await check();
    expect(findings).toMatchObject([{ check: 'address', ok: false }]);
    expect(findings[0]!.message).toContain('Set apiUrl to the address in front of /api');
    expect(portal.received).toHaveLength(1);
  });

  it('stops at an address where nothing answers', async () => {
    tenant.apiUrl = 'http://127.0.0.1:1';
    expect(await check()).toMatchObject([{ check: 'address', ok: false }]);
  });

  it('resolves names as Node does, which calls the portal', async () => {
    const { port } = new URL(portal.url);
    tenant.apiUrl = `http://acme.portal.localhost:${port}`;
    const [address] = await check();
    const found = await lookup('acme.portal.localhost').then(
      () => true,
      () => false,
    );
    expect(address).toMatchObject({ check: 'address', ok: found });
  });

  it('reports a wrong clock', async () => {
    const refuse = problemAnswer(401, 'invalid_api_key', { Date: 'Tue, 01 Jan 2030 00:00:00 GMT' });
    answers['/api/user without a key'] = refuse;
    answers['/api/identity/url'] = problemAnswer(401, 'invalid_api_key');
    expect(failures(await check())).toMatchObject([{ check: 'clock' }, { check: 'key' }]);
  });

  it.each([
    [problemAnswer(401, 'invalid_api_key'), 'does not accept apiKey'],
    [problemAnswer(403, 'missing_permission'), 'lacks the permission identity:mint'],
    [problemAnswer(403, 'organization_mismatch'), 'organizationId is not the organization'],
    [
      jsonAnswer(400, {
        code: 'invalid_request',
        errors: [{ path: 'baseUrl', message: 'is not' }],
      }),
      'is not registered as an address',
    ],
    [problemAnswer(404, 'not_found'), 'Set apiUrl to the address in front of /api'],
    [problemAnswer(500, 'internal_error'), 'answered 500'],
  ])('reports a wrong key, organization or subdomain (%#)', async (answer, message) => {
    answers['/api/identity/url'] = answer;
    const findings = failures(await check());
    expect(findings).toMatchObject([{ check: 'key' }]);
    expect(findings[0]!.message).toContain(message);
    expect(JSON.stringify(findings)).not.toContain('pk_secret');
  });

  it('reports that the host may not frame the portal', async () => {
    answers[`/organizations/${tenant.organizationId} without a key`] = page(
      'frame-ancestors https://other.example',
    );
    const [finding] = failures(await check());
    expect(finding).toMatchObject({ check: 'embed origins' });
    expect(finding!.message).toContain("Add that origin to the organization's embed origins");
    expect(finding!.message).toContain('pass that with --origin');
  });

  it('mints for a given user, and reports a URL on a wrong origin', async () => {
    answers['/api/identity/url'] = mintAnswer();
    const findings = await check({ userEmail: 'west@acme.example' });
    expect(findings.find((each) => each.check === 'user')).toMatchObject({ ok: true });
    tenant.portalUrl = 'https://another.example';
    answers['/api/identity/url'] = jsonAnswer(200, {
      embedUrl: 'https://evil.example/?token=t',
      expiresAt: '2030-01-01T00:00:00Z',
    });
    const wrong = await check({ userEmail: 'west@acme.example' });
    expect(wrong.find((each) => each.check === 'user')).toMatchObject({ ok: false });
  });

  it('names the user whom a portal without error codes does not know', async () => {
    answers['/api/identity/url'] = jsonAnswer(404, 'User not found');
    const findings = await check({ userEmail: 'west@acme.example' });
    expect(findings.find((each) => each.check === 'user')).toMatchObject({
      ok: false,
      message: 'The portal does not know west@acme.example. Create the user in the portal.',
    });
  });

  it('does not report the user of a key that the portal refuses', async () => {
    answers['/api/identity/url'] = problemAnswer(403, 'organization_mismatch');
    const findings = await check({ userEmail: 'west@acme.example' });
    expect(failures(findings)).toMatchObject([{ check: 'key' }]);
    expect(findings.find((each) => each.check === 'user')).toMatchObject({ warning: true });
  });

  it('reports the permissions that provisioning lacks', async () => {
    answers['/api/user'] = problemAnswer(403, 'missing_permission');
    answers['/api/user/link-reports'] = problemAnswer(404, 'user_not_found');
    answers['/api/user/unlink-reports'] = problemAnswer(403, 'missing_permission');
    answers['/api/datasets/rls/unlink-users'] = problemAnswer(404, 'role_not_found');
    const [finding] = failures(await check({ provision: true }));
    expect(finding).toMatchObject({ check: 'provisioning' });
    expect(finding!.message).toContain('lacks users:read, report-access:write.');
  });

  it('reports the permissions that the guide names for provisioning', async () => {
    answers['other'] = problemAnswer(403, 'missing_permission');
    const findings = await check({ provision: true });
    const { message } = findings.find((each) => each.check === 'provisioning')!;
    const file = new URL('../../../docs/guides/host-backend.md', import.meta.url);
    const guide = fs.readFileSync(file, 'utf8');
    const named = /`provision` also needs a key with (.*?) \(/.exec(guide)?.[1] ?? '';
    const permissions = [...named.matchAll(/`(.+?)`/g)].map(([, permission]) => permission);
    expect(message).toContain(`lacks ${permissions.join(', ')}.`);
  });

  it('does not report missing permissions for a rejected key', async () => {
    const refuse = problemAnswer(401, 'invalid_api_key');
    Object.assign(answers, { '/api/user': refuse, '/api/identity/url': refuse });
    const findings = failures(await check({ provision: true }));
    expect(findings).toMatchObject([{ check: 'key' }, { check: 'provisioning' }]);
    for (const { message } of findings) expect(message).toContain('does not accept apiKey');
  });

  it('does not report a permission as granted without an answer', async () => {
    answers['/api/user/unlink-reports'] = jsonAnswer(503, undefined, { 'Retry-After': '0' });
    const [finding] = failures(await check({ provision: true }));
    expect(finding).toMatchObject({ check: 'provisioning' });
    expect(finding!.message).toContain('report-access:write is not known');
  });

  it.each([302, 404, 500])('does not accept a page of status %i as the portal', async (status) => {
    const head = {
      'X-Frame-Options': 'SAMEORIGIN',
      'Content-Security-Policy': "frame-ancestors 'self'",
    };
    answers[`/organizations/${tenant.organizationId} without a key`] = jsonAnswer(status, {}, head);
    const findings = await check();
    expect(failures(findings)).toEqual([]);
    const [warning, ...others] = findings.filter((each) => each.warning);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ check: 'embed origins' });
    expect(warning!.message).toContain('Could not be checked: ');
    expect(warning!.message).toContain(`answered ${status}`);
  });

  it('reads the policy of an answer 401', async () => {
    const page401 = (ancestors: string) =>
      jsonAnswer(401, {}, { 'Content-Security-Policy': `frame-ancestors ${ancestors}` });
    const name = `/organizations/${tenant.organizationId} without a key`;
    answers[name] = page401(hostOrigin);
    expect((await check()).filter(({ ok, warning }) => !ok || warning)).toEqual([]);
    answers[name] = page401('https://other.example');
    expect(failures(await check())).toMatchObject([{ check: 'embed origins' }]);
  });

  it('warns of an unknown clock if the portal sends no Date header', async () => {
    const refuse = problemAnswer(401, 'invalid_api_key');
    answers['/api/user without a key'] = (request, response) => {
      response.sendDate = false;
      return refuse(request, response);
    };
    const findings = await check();
    expect(failures(findings)).toEqual([]);
    const finding = findings.find(({ warning }) => warning);
    expect(finding).toMatchObject({ check: 'clock' });
    expect(finding!.message).toContain('without a Date header');
  });

  it.each(['acme.app.example', 'https://acme.app.example/'])(
    'throws for %s, which is no origin, before anything is sent',
    async (wrong) => {
      await expect(check({ hostOrigin: wrong })).rejects.toThrow('must be an origin such as');
      expect(portal.received).toHaveLength(0);
    },
  );

  it('checks a given endpoint last', async () => {
    await using host = await startFakePortal(jsonAnswer(404));
    const findings = await check({ hostOrigin: host.url, endpoint: '/portal-embed/url' });
    expect(findings.at(-1)).toMatchObject({ check: 'endpoint', ok: false });
    expect(host.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /portal-embed/url',
    ]);
  });

  it.each([
    [{ endpoint: 'mailto:a@acme.example' }, 'must be a path such as /portal-embed/url'],
    [{ endpoint: 'http://' }, 'must be a path such as /portal-embed/url'],
    [{ ancestorOrigins: ['teams.microsoft.com'] }, 'must be an origin such as'],
    [{ ancestorOrigins: ['https://teams.microsoft.com/'] }, 'must be an origin such as'],
  ])('throws for %o before anything is sent', async (wrong, message) => {
    await expect(check(wrong)).rejects.toThrow(message);
    expect(portal.received).toHaveLength(0);
  });

  it("reports that the host's own policy forbids the frame", async () => {
    await using host = await startFakePortal(page("default-src 'self'"));
    answers[`/organizations/${tenant.organizationId} without a key`] = jsonAnswer(200);
    const options = { hostOrigin: host.url, hostPage: '/reports' };
    const [finding] = failures(await check(options));
    expect(finding).toMatchObject({ check: 'host page' });
    expect(host.received[0]!.url).toBe('/reports');
    host.answer(page(`frame-src ${portal.url}`));
    expect(failures(await check(options))).toEqual([]);
    host.answer(page(`frame-src ${portal.url}; connect-src 'self'`));
    expect(failures(await check(options))[0]!.message).toContain('connect-src must name it');
    host.answer(page(`frame-src ${portal.url}, default-src 'self'`));
    expect(failures(await check(options))).toMatchObject([{ check: 'host page' }]);
  });

  it.each([302, 404, 500])("does not accept a page of status %i as the host's", async (status) => {
    const policy = { 'Content-Security-Policy': "default-src 'none'" };
    await using host = await startFakePortal(jsonAnswer(status, {}, policy));
    answers[`/organizations/${tenant.organizationId} without a key`] = jsonAnswer(200);
    const findings = await check({ hostOrigin: host.url, hostPage: '/reports' });
    expect(failures(findings)).toEqual([]);
    const finding = findings.find(({ warning }) => warning);
    expect(finding).toMatchObject({ check: 'host page' });
    expect(finding!.message).toContain(`answered ${status}`);
  });
});
