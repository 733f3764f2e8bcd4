import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { listActivity } from '../../src/activity-log/service.ts';
import { createUser } from '../../src/users/service.ts';
import { listNewest } from '../support/activity.ts';
import { openAdminBrowser, signInAs } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { setProviderOf, signInWith } from '../support/oidc-sign-in.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import {
  createTokens,
  scriptedClientId as clientId,
  startScriptedProvider,
} from '../support/scripted-provider.ts';

const tenant = '0f6a1c2e-7a41-4a6e-9a53-0d5d2f7c1b11';
let portal: TestPortal;
let entra: IdentityProvider;
beforeAll(async () => {
  portal = await startTestPortal();
  const redirectUri = `${portal.adminUrl}/admin/oidc`;
  entra = await startIdentityProvider({ redirectUri, clientId, tenant });
});
afterAll(async () => {
  entra.close();
  await portal.close();
});

let people = 0;
beforeEach(async () => {
  people += 1;
  const email = `work-${people}@acme.example`;
  const claims = { email_verified: undefined, xms_edov: undefined };
  Object.assign(entra.person, { sub: `entra-${people}`, email, ...claims });
  await createUser(portal.acme.ctx, { email, name: 'Ada', role: 1 });
});

const setProvider = (change: { issuer?: string; trustEmails?: boolean } = {}) =>
  setProviderOf(portal, entra, change);

const signIn = () => signInWith(portal, entra);

/** Signs in at a provider that sends these claims in the ID token and at the userinfo endpoint. */
async function signInWithClaims(tokenClaims: object, userinfo?: object) {
  const { issuer, privateKey, document, ...scripted } = await startScriptedProvider();
  if (userinfo) {
    document['userinfo_endpoint'] = `${issuer}/userinfo`;
    Object.assign(scripted.userinfo, { sub: 'person' }, userinfo);
  }
  await setProvider({ issuer });
  const browser = openAdminBrowser(portal);
  const json = { organization: 'acme' };
  const { url } = (await browser.send('POST', '/oidc/start', { json })).json();
  const { searchParams } = new URL(url);
  const claims = { sub: 'person', nonce: searchParams.get('nonce'), ...tokenClaims };
  scripted.bodies.set('a-code', createTokens(issuer, privateKey, claims));
  const answer = { code: 'a-code', state: searchParams.get('state')! };
  return browser.send('POST', '/oidc/finish', { json: answer });
}

/** The reason of the newest refusal. Equal ones are one entry. */
async function newestReason(): Promise<string> {
  const [entry] = await listActivity(portal.acme.ctx, { refused: true, limit: 1 });
  return (entry!.details as { reason: string }).reason;
}

describe('a work account of Entra ID', () => {
  it.each([true, '1', 1, 'true'])('with xms_edov: %j signs in', async (value) => {
    entra.person.xms_edov = value;
    await setProvider();
    expect((await signIn()).status).toBe(200);
  });

  it.each([false, '0', 0, 'false', 'yes', null, {}])(
    'with xms_edov: %j is refused, even if its e-mails are trusted',
    async (value) => {
      entra.person.xms_edov = value;
      for (const trustEmails of [false, true]) {
        await setProvider({ trustEmails });
        expectProblem(await signIn(), 'sign_in_failed');
        expect(await newestReason()).toBe('unverified_email');
      }
    },
  );

  it('without a claim signs in if the e-mails are trusted', async () => {
    await setProvider();
    expectProblem(await signIn(), 'sign_in_failed');
    await setProvider({ trustEmails: true });
    expect((await signIn()).status).toBe(200);
  });

  it('an e-mail with email_verified: false is refused, even with trusted e-mails or xms_edov: true', async () => {
    Object.assign(entra.person, { email_verified: false, xms_edov: true });
    await setProvider({ trustEmails: true });
    expectProblem(await signIn(), 'sign_in_failed');
    expect(await newestReason()).toBe('unverified_email');
  });

  it('without an e-mail is refused, even if the e-mails are trusted', async () => {
    Object.assign(entra.person, { email: undefined });
    await setProvider({ trustEmails: true });
    expectProblem(await signIn(), 'sign_in_failed');
    expect(await newestReason()).toBe('no_email');
  });
});

describe('the userinfo endpoint', () => {
  const emailOf = () => entra.person.email;

  it('is read for claims that the ID token lacks', async () => {
    const email = emailOf();
    const upper = email.toUpperCase();
    expect((await signInWithClaims({}, { email, email_verified: true })).status).toBe(200);
    expect((await signInWithClaims({ email }, { email: upper, email_verified: true })).status).toBe(
      200,
    );
    expect((await signInWithClaims({ email }, { email, xms_edov: '1' })).status).toBe(200);
    expect(
      (await signInWithClaims({ email, xms_edov: true }, { email_verified: false })).status,
    ).toBe(200);
  });

  it.each([
    ['of another subject', {}, { sub: 'other', email_verified: true }, 'other_userinfo'],
    ['without a verification', {}, {}, 'unverified_email'],
    ['with a negative claim', {}, { email_verified: false }, 'unverified_email'],
    ['with the text "true"', {}, { email_verified: 'true' }, 'unverified_email'],
    ['of another e-mail', {}, { email: 'x@acme.example', email_verified: true }, 'two_emails'],
    ['that is ignored for a negative ID token', { email_verified: false }, {}, 'unverified_email'],
  ])('an answer of the userinfo endpoint %s is refused', async (_, claims, info, reason) => {
    const email = emailOf();
    expectProblem(
      await signInWithClaims({ email, ...claims }, { email, ...info }),
      'sign_in_failed',
    );
    expect(await newestReason()).toBe(reason);
  });

  it('a provider without a userinfo endpoint gets no userinfo request', async () => {
    expectProblem(await signInWithClaims({ email: emailOf() }), 'sign_in_failed');
    expect(await newestReason()).toBe('unverified_email');
  });
});

describe('an ID token with unusual claims', () => {
  it.each<[string, object, string]>([
    ['an e-mail with NUL', { email: 'a\0@acme.example' }, 'invalid_email'],
    ['half a character in the e-mail', { email: 'a\ud800@acme.example' }, 'invalid_email'],
    ['an e-mail of 1 MB', { email: `${'a'.repeat(500_000)}@acme.example` }, 'invalid_email'],
    ['an empty subject', { sub: '' }, 'protocol'],
    ['a subject with NUL', { sub: 'a\0' }, 'protocol'],
    ['a long subject', { sub: randomBytes(3_000).toString('hex') }, 'protocol'],
  ])('an ID token with %s is refused, and the log has the reason', async (_, claims, reason) => {
    const { email } = entra.person;
    const answer = await signInWithClaims({ email, email_verified: true, ...claims });
    expectProblem(answer, 'sign_in_failed');
    expect(await newestReason()).toBe(reason);
  });
});

describe('the activity log of a refused sign-in', () => {
  const advice = expect.stringMatching(/\w+ .*\./) as string;

  it('has the reason, what to do, and no token', async () => {
    await setProvider();
    await signIn();
    const [entry] = await listNewest(portal, 1);
    expect(entry).toMatchObject({
      action: 'signIn',
      actor: { kind: 'anonymous', name: null },
      subject: entra.person.email,
      refusal: 'sign_in_failed',
      details: { reason: 'unverified_email', advice: expect.stringContaining('xms_edov') },
    });
    expect(JSON.stringify(entry)).not.toMatch(/[\w-]{43}|eyJ/);
  });

  it('a refused sign-in is only in the activity log of its organization, which names only its own users', async () => {
    const { acme, globex } = portal;
    const email = 'gus@globex.example';
    await createUser(globex.ctx, { email, name: 'Gus', role: 1 });
    await setProvider({ trustEmails: true });
    entra.person.email = email;
    await signIn();
    const [entry] = await listNewest(portal, 1);
    expect(entry).toMatchObject({
      subject: '',
      details: { reason: 'unknown_user', advice },
    });
    expect(JSON.stringify(entry)).not.toContain('gus');
    const ada = await signInAs(portal, acme, 1, `admin-${people}@acme.example`);
    const path = `/organizations/${acme.id}/activity-log?refused=true`;
    expect((await ada.send('GET', path)).json().entries[0]).toMatchObject({ id: entry!.id });
    const other = await signInAs(portal, globex, 1, `admin-${people}@globex.example`);
    const theirs = await other.send(
      'GET',
      `/organizations/${globex.id}/activity-log?refused=true&action=signIn`,
    );
    expect(theirs.json().entries).toEqual([]);
  });

  it('names the former user of a person whose e-mail has changed', async () => {
    const former = entra.person.email;
    await setProvider({ trustEmails: true });
    expect((await signIn()).status).toBe(200);
    entra.person.email = `new-${former}`;
    await signIn();
    expect(await listNewest(portal, 1)).toMatchObject([
      { subject: former, details: { reason: 'other_email', advice } },
    ]);
  });

  it('the activity log has a sign-in that took too long, and one that the provider refused', async () => {
    await setProvider();
    const browser = openAdminBrowser(portal);
    const begin = async () => {
      const json = { organization: 'acme' };
      const { url } = (await browser.send('POST', '/oidc/start', { json })).json();
      return new URL(url).searchParams.get('state')!;
    };
    const finish = (json: object) => browser.send('POST', '/oidc/finish', { json });
    const denied = { error: 'access_denied', state: await begin() };
    expectProblem(await finish(denied), 'sign_in_failed');
    expect(await listNewest(portal, 1)).toMatchObject([
      { subject: '', details: { reason: 'denied', advice, detail: 'access_denied' } },
    ]);
    const state = await begin();
    await sql`UPDATE admin_oidc_flows SET created_at = now() - interval '10 minutes'`.execute(
      portal.db,
    );
    expectProblem(await finish({ code: 'c', state }), 'sign_in_failed');
    expect(await newestReason()).toBe('expired_flow');
    expectProblem(await finish({ error: '<b>', state: await begin() }), 'sign_in_failed');
    const [entry] = await listNewest(portal, 1);
    expect(entry!.details).toEqual({ reason: 'denied', advice });
  });

  it('the activity log has a provider that refuses the client, without the tokens of its answer', async () => {
    const { issuer, answer } = await startScriptedProvider();
    await setProvider({ issuer });
    const token = `eyJ${'a'.repeat(60)}`;
    const browser = openAdminBrowser(portal);
    const fail = async (status: number, body: string) => {
      Object.assign(answer, { status, body });
      const json = { organization: 'acme' };
      const { url } = (await browser.send('POST', '/oidc/start', { json })).json();
      const state = new URL(url).searchParams.get('state')!;
      await browser.send('POST', '/oidc/finish', { json: { code: 'c', state } });
      const [entry] = await listNewest(portal, 1);
      expect(JSON.stringify(entry)).not.toContain('eyJ');
      expect(portal.log.join('')).not.toContain('eyJ');
      return entry;
    };
    expect(
      await fail(401, `{"error":"invalid_client","error_description":"${token}"}`),
    ).toMatchObject({
      refusal: 'identity_provider_failed',
      details: {
        reason: 'provider_failed',
        advice: expect.stringContaining('renew the client secret'),
        detail: 'the provider answered invalid_client',
      },
    });
    expect(await fail(200, token)).toMatchObject({ refusal: 'identity_provider_failed' });
  });

  it.each([
    ['a control character', 'https://x.example/\u001b[31m', 'https://x.example/%1B[31m'],
    ['NUL', 'https://x.example/\0x', 'https://x.example/%00x'],
    [
      'a character at the limit of its length',
      `https://x.example/${'x'.repeat(481)}😀`,
      `https://x.example/${'x'.repeat(481)}%`,
    ],
  ])(
    'the activity log has a provider that names another issuer with %s',
    async (_, issuer, text) => {
      const { document, ...scripted } = await startScriptedProvider();
      await setProvider({ issuer: scripted.issuer });
      document['issuer'] = issuer;
      const json = { organization: 'acme' };
      const answer = await openAdminBrowser(portal).send('POST', '/oidc/start', { json });
      expectProblem(answer, 'identity_provider_failed');
      const detail = `the discovery document names another issuer, ${text}`;
      expect(await listNewest(portal, 1)).toMatchObject([{ details: { detail } }]);
      await expect(setProvider({ issuer: scripted.issuer })).rejects.toThrow(detail);
    },
  );

  it('the activity log has a confirmation by another person', async () => {
    Object.assign(entra.person, { xms_edov: true });
    await setProvider();
    const browser = openAdminBrowser(portal);
    const json = { organization: 'acme' };
    const { url } = (await browser.send('POST', '/oidc/start', { json })).json();
    await browser.send('POST', '/oidc/finish', { json: await entra.visit(url) });
    const confirm = (await browser.send('POST', '/oidc/confirm')).json();
    const { sub } = entra.person;
    entra.person.sub = 'somebody-else';
    onTestFinished(() => void (entra.person.sub = sub));
    const answer = await entra.visit(confirm.url);
    expectProblem(await browser.send('POST', '/oidc/finish', { json: answer }), 'sign_in_failed');
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'confirmWithOidc', details: { reason: 'other_person', advice } },
    ]);
  });
});
