import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { checkFrames } from './check-frames.ts';

const hostOrigin = 'https://acme.app.example';
const teams = 'https://teams.microsoft.com';
const outlook = 'https://outlook.office.com';

let portal: FakePortal;
let host: FakePortal;
beforeEach(async () => {
  portal = await startFakePortal();
  host = await startFakePortal();
  sendFromPortal({ 'Content-Security-Policy': `frame-ancestors ${host.url} ${hostOrigin}` });
  sendFromHost({});
});
afterEach(async () => {
  await portal[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const sendFromPortal = (headers: Record<string, string>) =>
  portal.answer(jsonAnswer(401, {}, headers));
const sendFromHost = (headers: Record<string, string>) => host.answer(jsonAnswer(200, {}, headers));

const check = (ancestorOrigins: string[] = [], hostPage?: string) =>
  checkFrames({
    tenant: {
      apiUrl: portal.url,
      apiKey: 'pk_1',
      organizationId: '11111111-0000-4000-8000-000000000001',
      portalUrl: portal.url,
    },
    hostOrigin: hostPage === undefined ? hostOrigin : host.url,
    ancestorOrigins,
    hostPage,
  });

describe('the pages around a report', () => {
  it('a host without known ancestors passes, with a hint to check ancestors with --ancestor', async () => {
    const [finding] = await check();
    expect(finding).toMatchObject({ check: 'embed origins', ok: true, warning: false });
    expect(finding!.message).toContain('each of their origins must also be an embed origin');
    expect(finding!.message).toContain('--ancestor');
  });

  it('an ancestor that is not an embed origin is reported by its name', async () => {
    const [finding] = await check([teams]);
    expect(finding).toMatchObject({ check: 'embed origins', ok: false });
    expect(finding!.message).toContain(`does not let ${teams} frame it. Add that origin`);
    expect(finding!.message).not.toContain(hostOrigin);
  });

  it('every ancestor that is not an embed origin is reported', async () => {
    const [finding] = await check([teams, outlook]);
    expect(finding!.message).toContain(`${teams} and ${outlook} frame it. Add those origins`);
  });

  it('a host passes if every ancestor is an embed origin', async () => {
    sendFromPortal({
      'Content-Security-Policy': `frame-ancestors ${hostOrigin} ${teams} https://*.office.com`,
    });
    const [finding] = await check([teams, outlook]);
    expect(finding).toMatchObject({ ok: true, warning: false });
    expect(finding!.message).toBe(
      `The portal lets ${hostOrigin} and ${teams} and ${outlook} frame it.`,
    );
  });

  it.each<Record<string, string>>([
    { 'X-Frame-Options': 'SAMEORIGIN' },
    { 'Content-Security-Policy': "default-src *; frame-ancestors 'self'" },
  ])('a host page that its ancestor may not frame is reported: %o', async (headers) => {
    sendFromPortal({});
    sendFromHost(headers);
    const [, finding] = await check([teams], '/reports');
    expect(finding).toMatchObject({ check: 'host page', ok: false });
    expect(finding!.message).toContain(`does not let ${teams} frame it. Name that origin`);
    const [, alone] = await check([], '/reports');
    expect(alone).toMatchObject({ check: 'host page', ok: true });
  });
});

it('a page that needs a sign-in is not checked, and the warning says which page to name', async () => {
  host.answer(jsonAnswer(307, {}, { Location: '/sign-in' }));
  const [, finding] = await check([], '/reports');
  expect(finding).toMatchObject({ check: 'host page', ok: true, warning: true });
  expect(finding!.message).toContain('answered 307');
  expect(finding!.message).toContain('or a page with the same policy, such as your sign-in page');
});

describe('a host page with upgrade-insecure-requests', () => {
  const policy = () => ({
    'Content-Security-Policy': `default-src 'self' ${portal.url}; upgrade-insecure-requests`,
  });

  it('is warned of redirects if the portal is another vendor’s, on http', async () => {
    portal.answer(jsonAnswer(404));
    sendFromHost(policy());
    const [, , found] = await check([], '/reports');
    expect(found).toMatchObject({ check: 'host page', ok: true, warning: true });
    expect(found!.message).toContain('upgradeInsecureRequests: null');
  });

  it('is not warned if the portal is ours', async () => {
    sendFromHost(policy());
    expect(await check([], '/reports')).toHaveLength(2);
  });
});

describe('a host page with Cross-Origin-Embedder-Policy', () => {
  const name = 'Cross-Origin-Embedder-Policy';

  it.each(['require-corp', 'credentialless', 'require-corp; report-to="coep"'])(
    'a host page with the policy %s needs a portal that sends one',
    async (policy) => {
      sendFromHost({ [name]: policy });
      const found = (await check([], '/reports')).find((each) => each.check === 'isolation');
      expect(found).toMatchObject({ ok: false });
      expect(found!.message).toContain("but the portal's pages do not have it. Update the portal");
      sendFromPortal({ [name]: 'require-corp' });
      const fixed = (await check([], '/reports')).find((each) => each.check === 'isolation');
      expect(fixed).toMatchObject({ ok: true, warning: false });
    },
  );

  it.each<Record<string, string>>([
    {},
    { [name]: 'unsafe-none' },
    { [`${name}-Report-Only`]: 'require-corp' },
  ])('a host page with the headers %o needs none', async (headers) => {
    sendFromHost(headers);
    const findings = await check([], '/reports');
    expect(findings.map((each) => each.check)).toEqual(['embed origins', 'host page']);
  });

  it('the policy counts as unchecked, not as missing, if the pages of the portal are unknown', async () => {
    portal.answer(jsonAnswer(404));
    sendFromHost({ [name]: 'require-corp' });
    const found = (await check([], '/reports')).find((each) => each.check === 'isolation');
    expect(found).toMatchObject({ ok: true, warning: true });
  });
});
