import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { findFreePort } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { findUserAccess } from '../../src/access/user-access.ts';
import { findOidc, removeOidc, setOidc } from '../../src/sign-in/oidc/provider-settings.ts';
import { findProvider } from '../../src/sign-in/oidc/store.ts';
import { inviteUser, startSession } from '../../src/sign-in/service.ts';
import { findAccountByEmail } from '../../src/sign-in/store.ts';
import { createUser, deleteUser, updateUser } from '../../src/users/service.ts';
import { findUserByEmail } from '../../src/users/store.ts';
import { listNewest } from '../support/activity.ts';
import { openAdminBrowser, signInAs, testPassword, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { createTokens, startScriptedProvider } from '../support/scripted-provider.ts';

const clientId = 'portal';
const secret = 'a secret: with + signs';
let portal: TestPortal;
let provider: IdentityProvider;
beforeAll(async () => {
  portal = await startTestPortal({ oidcSecrets: new Map([['acme', secret]]) });
  const redirectUri = `${portal.adminUrl}/admin/oidc`;
  provider = await startIdentityProvider({ redirectUri, clientId, secret });
});
afterAll(async () => {
  provider.close();
  await portal.close();
});

let people = 0;
beforeEach(async () => {
  await setProvider();
  people += 1;
  const email = `person-${people}@acme.example`;
  Object.assign(provider.person, { sub: `subject-${people}`, email, email_verified: true });
});

const settings = (change: { passwords?: boolean; issuer?: string; clientId?: string } = {}) => ({
  issuer: provider.issuer,
  clientId,
  passwords: true,
  trustEmails: false,
  ...change,
});

async function setProvider(change: Parameters<typeof settings>[0] = {}) {
  // Passwords can be refused only after a sign-in.
  if (change.passwords === false)
    await sql`UPDATE organization_oidc SET signed_in_at = now()`.execute(portal.db);
  return setOidc(portal.acme.ctx, settings(change));
}

const createPerson = (role: 1 | 2 | 3 | 4 = 1) =>
  createUser(portal.acme.ctx, { email: provider.person.email, name: 'Ada', role });

const start = (browser: AdminBrowser, organization = 'acme') =>
  browser.send('POST', '/oidc/start', { json: { organization } });

const finish = (browser: AdminBrowser, json: Record<string, string>) =>
  browser.send('POST', '/oidc/finish', { json });

/** Signs in, and lets `change` happen while the browser is at the provider. */
async function signIn(change: (answer: Record<string, string>) => unknown = () => {}) {
  const browser = openAdminBrowser(portal);
  const answer = await provider.visit((await start(browser)).json().url);
  await change(answer);
  return { browser, answer, finished: await finish(browser, answer) };
}

/** Expects the one answer of all refusals, its reason in the log, and no session. */
async function expectRefusal(signedIn: Awaited<ReturnType<typeof signIn>>, reason: string) {
  const { browser, finished } = signedIn;
  expectProblem(finished, 'sign_in_failed');
  expect(finished.json().detail).toBe(
    'The sign-in with the identity provider failed. Try again; if the problem persists, ask the operator of the portal.',
  );
  const line = portal.log.findLast((each) => each.includes('identity provider failed'));
  expect(line).toContain(reason);
  expect(line).not.toContain('@');
  expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
}

describe('a sign-in with an identity provider', () => {
  it.each([1, 2, 4] as const)('signs in a user with role %i, who has no password', async (role) => {
    await createPerson(role);
    const { browser, finished } = await signIn();
    expect(finished.json()).toEqual({ isConfirmation: false, organization: 'acme' });
    expect(browser.cookie()).toMatch(/^portal-admin=[\w-]{43}$/);
    const { email, sub } = provider.person;
    expect((await browser.send('GET', '/session')).json()).toMatchObject({
      email,
      role,
      hasPassword: false,
      provider: new URL(provider.issuer).host,
    });
    expect(await listNewest(portal, 1)).toMatchObject([{ action: 'signIn', subject: email }]);
    const user = await portal.api('GET', `/api/user?email=${encodeURIComponent(email)}`);
    expect(user.json().data[0].directoryAdUser).toBe(sub);
    const { west } = portal.acme.emails;
    const other = await portal.api('GET', `/api/user?email=${west}`);
    expect(other.json().data[0].directoryAdUser).toBeNull();
    expect((await signIn()).finished.status).toBe(200);
  });

  it('sends the browser with a cookie of its own, PKCE, state and nonce', async () => {
    const answer = await start(openAdminBrowser(portal));
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^portal-admin-oidc=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(Object.fromEntries(new URL(answer.json().url).searchParams)).toEqual({
      client_id: clientId,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${portal.adminUrl}/admin/oidc`,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it.each([
    ['header', 'client_secret_basic'],
    ['body', 'client_secret_post'],
  ] as const)(
    'sends the client secret in the %s if the provider asks for %s',
    async (place, authMethod) => {
      const redirectUri = `${portal.adminUrl}/admin/oidc`;
      const other = await startIdentityProvider({ redirectUri, clientId, secret, authMethod });
      onTestFinished(() => other.close());
      await setProvider({ issuer: other.issuer });
      await createPerson();
      Object.assign(other.person, provider.person);
      const browser = openAdminBrowser(portal);
      const answer = await other.visit((await start(browser)).json().url);
      expect((await finish(browser, answer)).status).toBe(200);
      expect(other.secretsSent).toEqual([place]);
    },
  );

  it('works at once with keys that the provider has rotated', async () => {
    await createPerson();
    expect((await signIn()).finished.status).toBe(200);
    provider.rotateKeys();
    expect((await signIn()).finished.status).toBe(200);
  });

  it('works once for each answer of the provider', async () => {
    await createPerson();
    const { answer, finished } = await signIn();
    expect(finished.status).toBe(200);
    const other = await signIn();
    expectProblem(await finish(other.browser, answer), 'sign_in_failed');
    // A code of the provider with the state of another flow.
    const mixed = await signIn((next) => Object.assign(next, { code: answer['code'] }));
    await expectRefusal(mixed, 'invalid_grant');
  });

  it('is finished by one of several simultaneous requests', async () => {
    await createPerson();
    const browser = openAdminBrowser(portal);
    const answer = await provider.visit((await start(browser)).json().url);
    const copies = Array.from({ length: 4 }, () => openAdminBrowser(portal, browser.cookie()));
    const answers = await Promise.all(copies.map((copy) => finish(copy, answer)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401,
    ]);
  });

  it.each(['another browser', 'no browser'])('is not finished by %s', async (which) => {
    await createPerson();
    const browser = openAdminBrowser(portal);
    const answer = await provider.visit((await start(browser)).json().url);
    const other = openAdminBrowser(portal);
    if (which === 'another browser') await start(other);
    expectProblem(await finish(other, answer), 'sign_in_failed');
    expect((await finish(browser, answer)).status).toBe(200);
  });

  it('ends ten minutes after it began', async () => {
    await createPerson();
    const late = await signIn(() =>
      sql`UPDATE admin_oidc_flows SET created_at = now() - interval '10 minutes'`.execute(
        portal.db,
      ),
    );
    await expectRefusal(late, 'expired_flow');
  });

  it('may take almost ten minutes', async () => {
    await createPerson();
    const { finished } = await signIn(() =>
      sql`UPDATE admin_oidc_flows SET created_at = now() - interval '590 seconds'`.execute(
        portal.db,
      ),
    );
    expect(finished.status).toBe(200);
  });

  it('does not depend on the letter case of the e-mail', async () => {
    await createPerson();
    provider.person.email = provider.person.email.toUpperCase();
    expect((await signIn()).finished.status).toBe(200);
  });

  it('starts at most a hundred times from one network', async () => {
    await createPerson();
    const { browser } = await signIn();
    await sql`UPDATE sign_in_attempts SET attempts = 99`.execute(portal.db);
    expect((await start(openAdminBrowser(portal))).status).toBe(200);
    const refused = [
      await start(openAdminBrowser(portal)),
      await browser.send('POST', '/oidc/confirm'),
    ];
    await sql`DELETE FROM sign_in_attempts`.execute(portal.db);
    for (const answer of refused) {
      expectProblem(answer, 'rate_limited');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(800);
    }
  });

  it.each([
    ['nonce', sql`nonce = 'another'`, 'nonce'],
    ['code verifier', sql`verifier = repeat('a', 43)`, 'invalid_grant'],
  ])('with another %s is refused', async (_, change, reason) => {
    await createPerson();
    const wrong = await signIn(() => sql`UPDATE admin_oidc_flows SET ${change}`.execute(portal.db));
    await expectRefusal(wrong, reason);
  });

  it('with the answer of another issuer is refused', async () => {
    await createPerson();
    const wrong = await signIn((answer) => (answer['iss'] = 'https://other.example'));
    await expectRefusal(wrong, 'issuer');
  });

  it('a sign-in fails if the sign-in methods change after the credentials were checked', async () => {
    const { db, acme } = portal;
    const { email } = provider.person;
    await signInAs(portal, acme, 1, email);
    const account = (await findAccountByEmail(db, { organization: 'acme', email }))!;
    const { id: providerId } = (await findProvider(db, acme.id))!;
    await setProvider({ passwords: false });
    const client = { network: '192.0.2.7', userAgent: '' };
    for (const proof of [{ providerId }, { passwordHash: account.passwordHash! }])
      await expect(startSession(db, client, account, proof)).rejects.toMatchObject({
        code: 'sign_in_failed',
      });
  });

  it('a sign-in is refused if the identity provider was set again after it began', async () => {
    await createPerson();
    await expectRefusal(await signIn(() => setProvider()), 'unknown_flow');
  });
});

describe('a person at the identity provider', () => {
  it.each([
    ['whose e-mail is not verified', 1, { email_verified: false }, 'unverified_email'],
    ['whose e-mail has a KELVIN SIGN', 1, { email: '\u212aelvin@acme.example' }, 'invalid_email'],
    ['whom the organization does not know', 1, { email: 'x@acme.example' }, 'unknown_user'],
    ['who is a viewer', 3, {}, 'not_allowed'],
  ] as const)('%s is refused, and nothing is changed', async (_, role, change, reason) => {
    await createPerson(role);
    const refused = await signIn(() => Object.assign(provider.person, change));
    await expectRefusal(refused, reason);
    const { rows } = await sql`
      SELECT FROM users WHERE directory_ad_user = ${provider.person.sub}`.execute(portal.db);
    expect(rows).toEqual([]);
  });

  it('whose user has expired is refused', async () => {
    await createPerson();
    const { email } = provider.person;
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date(0) });
    await expectRefusal(await signIn(), 'not_allowed');
  });

  it('with the e-mail of a user who has signed in as another subject is refused', async () => {
    await createPerson();
    expect((await signIn()).finished.status).toBe(200);
    provider.person.sub = 'somebody-else';
    await expectRefusal(await signIn(), 'other_subject');
  });

  it('whose e-mail changes to that of another user is refused, until the former user is deleted', async () => {
    const { db, acme } = portal;
    await createPerson();
    const { email: former, sub } = provider.person;
    expect((await signIn()).finished.status).toBe(200);
    provider.person.email = `next-${former}`;
    // Also before there is a user with the new e-mail.
    await expectRefusal(await signIn(), 'other_email');
    await createPerson();
    await expectRefusal(await signIn(), 'other_email');
    const next = await findUserByEmail(db, acme.id, provider.person.email);
    expect(next!.directory_ad_user).toBeNull();
    await deleteUser(acme.ctx, { userEmail: former });
    const { browser, finished } = await signIn();
    expect(finished.status).toBe(200);
    expect((await browser.send('GET', '/session')).json()).toMatchObject({
      email: provider.person.email,
    });
    const stored = await findUserByEmail(db, acme.id, provider.person.email);
    expect(stored!.directory_ad_user).toBe(sub);
  });

  it('the subject of a user is deleted with another issuer or client id, and kept if the same ones are set again', async () => {
    await createPerson();
    expect((await signIn()).finished.status).toBe(200);
    provider.person.sub = 'somebody-else';
    await setProvider();
    await expectRefusal(await signIn(), 'other_subject');
    await setProvider({ issuer: (await startScriptedProvider()).issuer });
    await setProvider();
    expect((await signIn()).finished.status).toBe(200);
    // Entra ID gives a person another subject for another client.
    provider.person.sub = 'somebody-new';
    await setProvider({ clientId: 'other' });
    await setProvider();
    expect((await signIn()).finished.status).toBe(200);
  });

  it('with the e-mail of an operator is refused', async () => {
    const email = 'operator@portal.example';
    await signInAs(portal, portal.acme, 'operator', email);
    provider.person.email = email;
    await expectRefusal(await signIn(), 'unknown_user');
  });

  it('does not sign in to another organization that knows the same e-mail', async () => {
    const { email } = provider.person;
    await createUser(portal.globex.ctx, { email, name: 'Ada', role: 1 });
    await expectRefusal(await signIn(), 'unknown_user');
  });
});

describe('an identity provider that fails', () => {
  const expectNoStart = async () => {
    const browser = openAdminBrowser(portal);
    expectProblem(await start(browser), 'identity_provider_failed');
    expect(browser.cookie()).toBe('');
    expect((await sql`SELECT FROM admin_oidc_flows`.execute(portal.db)).rows).toEqual([]);
  };

  const moveProvider = (issuer: string) =>
    sql`UPDATE organization_oidc SET issuer = ${issuer}`.execute(portal.db);

  it('an identity provider that is down starts no sign-in', async () => {
    await moveProvider(`http://localhost:${await findFreePort()}`);
    await expectNoStart();
  });

  it('an identity provider that names another issuer starts no sign-in', async () => {
    await moveProvider(provider.issuer.replace('localhost', '127.0.0.1'));
    await expectNoStart();
  });

  it('during a sign-in signs nobody in', async () => {
    const redirectUri = `${portal.adminUrl}/admin/oidc`;
    const other = await startIdentityProvider({ redirectUri, clientId, secret });
    await setProvider({ issuer: other.issuer });
    const browser = openAdminBrowser(portal);
    const answer = await other.visit((await start(browser)).json().url);
    other.close();
    expectProblem(await finish(browser, answer), 'identity_provider_failed');
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });
});

/** Starts an identity provider, and sets it for Acme. */
async function setScriptedProvider() {
  const scripted = await startScriptedProvider();
  await setProvider({ issuer: scripted.issuer });
  return scripted;
}

it.each([
  ['authorization_endpoint', 'javascript:alert(document.domain)//'],
  ['authorization_endpoint', undefined],
  ['token_endpoint', undefined],
  ['token_endpoint', 'http://token.acme.example/token'],
  ['token_endpoint', 7],
  ['jwks_uri', '/keys'],
  ['jwks_uri', 'file:///etc/passwd'],
  ['userinfo_endpoint', 'ftp://localhost/userinfo'],
])(
  'a discovery document with the %s %j starts no sign-in, and is read again after it was corrected',
  async (name, value) => {
    const { document } = await setScriptedProvider();
    const correct = { ...document };
    Object.assign(document, { [name]: value });
    expectProblem(await start(openAdminBrowser(portal)), 'identity_provider_failed');
    expect(portal.log.join('')).toContain(`the discovery document needs ${name}`);
    Reflect.deleteProperty(document, name);
    Object.assign(document, correct);
    expect((await start(openAdminBrowser(portal))).status).toBe(200);
  },
);

/** Starts a sign-in, and finishes it with any code. */
async function signInWithCode(prepare: (nonce: string) => void) {
  const browser = openAdminBrowser(portal);
  const { searchParams } = new URL((await start(browser)).json().url);
  prepare(searchParams.get('nonce')!);
  return finish(browser, { code: 'a-code', state: searchParams.get('state')! });
}

it.each([
  [500, 'application/json', '{"error":"server_error"}', 'identity_provider_failed'],
  [200, 'text/html', 'ready soon', 'identity_provider_failed'],
  [401, 'application/json', '{"error":"invalid_client"}', 'identity_provider_failed'],
  [400, 'application/json', '{"error":"invalid_grant"}', 'sign_in_failed'],
] as const)(
  'the answer %i %s %s of a token endpoint fails the sign-in with %s',
  async (status, type, body, code) => {
    const { answer } = await setScriptedProvider();
    expectProblem(await signInWithCode(() => Object.assign(answer, { status, type, body })), code);
  },
);

it.each([
  ['signed by the identity provider is accepted', 200, {}, true],
  ['signed with another key is refused', 401, {}, false],
  ['with the text "true" as `email_verified` is refused', 401, { email_verified: 'true' }, true],
])('a token %s', async (_, status, change, isSigned) => {
  await createPerson();
  const { email, sub } = provider.person;
  const { issuer, privateKey, answer } = await setScriptedProvider();
  const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const finished = await signInWithCode((nonce) => {
    const key = isSigned ? privateKey : otherKey;
    answer.body = createTokens(issuer, key, { sub, nonce, email, email_verified: true, ...change });
  });
  expect(finished.status).toBe(status);
});

it('a subject that signs in for the first time with two e-mails at once is stored for one user', async () => {
  const { db, acme } = portal;
  const { issuer, privateKey, bodies } = await setScriptedProvider();
  const { sub } = provider.person;
  const flows = await Promise.all(
    ['one', 'two'].map(async (code) => {
      const email = `${code}-${provider.person.email}`;
      await createUser(acme.ctx, { email, name: 'Ada', role: 1 });
      const browser = openAdminBrowser(portal);
      const { searchParams } = new URL((await start(browser)).json().url);
      const nonce = searchParams.get('nonce');
      bodies.set(
        code,
        createTokens(issuer, privateKey, { sub, nonce, email, email_verified: true }),
      );
      return { browser, answer: { code, state: searchParams.get('state')! } };
    }),
  );
  const finished = await Promise.all(flows.map(({ browser, answer }) => finish(browser, answer)));
  expect(finished.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  const { rows } = await sql`SELECT FROM users WHERE directory_ad_user = ${sub}`.execute(db);
  expect(rows).toHaveLength(1);
});

describe('the sign-in methods of an organization', () => {
  const readMethods = async (organization: string) =>
    (
      await openAdminBrowser(portal).send('POST', '/sign-in/methods', { json: { organization } })
    ).json();

  it('are shown before the sign-in, and an unknown organization has passwords', async () => {
    const host = new URL(provider.issuer).host;
    expect(await readMethods('ACME')).toEqual({ passwords: true, provider: host });
    await setProvider({ passwords: false });
    expect(await readMethods('acme')).toEqual({ passwords: false, provider: host });
    expect(await readMethods('nobody')).toEqual(await readMethods('globex'));
    expectProblem(await start(openAdminBrowser(portal), 'globex'), 'sign_in_failed');
    expectProblem(await start(openAdminBrowser(portal), 'nobody'), 'sign_in_failed');
  });

  it('are shown to administrators, without the secret', async () => {
    const ada = await signInAs(portal, portal.acme, 1, provider.person.email);
    const answer = await ada.send('GET', `/organizations/${portal.acme.id}/sign-in`);
    expect(answer.json()).toEqual({
      passwords: true,
      provider: {
        issuer: provider.issuer,
        clientId,
        redirectUri: `${portal.adminUrl}/admin/oidc`,
        trustEmails: false,
      },
    });
  });

  it('without an identity provider are passwords', async () => {
    const { globex } = portal;
    const gus = await signInAs(portal, globex, 1, `gus-${people}@globex.example`);
    const answer = await gus.send('GET', `/organizations/${globex.id}/sign-in`);
    expect(answer.json()).toEqual({ passwords: true, provider: null });
  });

  it('a user of a removed identity provider has no way to sign in', async () => {
    const { id } = await createPerson();
    expect((await signIn()).finished.status).toBe(200);
    const readSignIn = async () => (await findUserAccess(portal.acme.ctx, id)).signIn;
    expect(await readSignIn()).toBe('active');
    await removeOidc(portal.acme.ctx);
    expect(await readSignIn()).toBe('none');
  });

  it.each([
    'ftp://x.example',
    'http://login.example',
    'https://x.example?a',
    'https://x.example#a',
    'https://ada@x.example',
    'https://:secret@x.example',
    'nothing',
  ])('an identity provider with the issuer %s is not accepted', async (issuer) => {
    await expect(setProvider({ issuer })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('an organization that does not accept passwords', () => {
  it('ends sessions, and refuses passwords and invitations', async () => {
    const { email } = provider.person;
    const browser = await signInAs(portal, portal.acme, 1, email);
    const other = `other-${email}`;
    const { token } = await inviteUser(portal.acme.ctx, { email: other });
    await setProvider({ passwords: false });
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
    const json = { organization: 'acme', email, password: testPassword };
    const fresh = openAdminBrowser(portal);
    expectProblem(await fresh.send('POST', '/session', { json }), 'sign_in_failed');
    const accept = { token, password: testPassword };
    expectProblem(
      await fresh.send('POST', '/invitation/accept', { json: accept }),
      'invitation_ended',
    );
    await expect(inviteUser(portal.acme.ctx, { email: other })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const { browser: signedIn } = await signIn();
    const set = await signedIn.send('PUT', '/account/password', {
      json: { password: testPassword },
    });
    expectProblem(set, 'invalid_request');
    await removeOidc(portal.acme.ctx);
    expectProblem(await signedIn.send('GET', '/session'), 'sign_in_required');
    expect((await fresh.send('POST', '/session', { json })).status).toBe(200);
  });
});

it('only an operator sets and removes an identity provider', async () => {
  const actor = { kind: 'user', id: randomUUID(), email: 'ada@acme.example', role: 1 } as const;
  const ctx = { ...portal.acme.ctx, actor };
  for (const change of [setOidc(ctx, settings()), removeOidc(ctx)])
    await expect(change).rejects.toMatchObject({ code: 'missing_permission' });
});

it('the identity provider of an organization changes nothing in another one', async () => {
  const { acme, globex, db } = portal;
  const { issuer } = await startScriptedProvider();
  await setOidc(globex.ctx, settings({ issuer }));
  onTestFinished(() => removeOidc(globex.ctx));
  const email = 'gus@globex.example';
  const browser = await signInAs(portal, globex, 1, email);
  await sql`UPDATE users SET directory_ad_user = 'gus' WHERE email = ${email}`.execute(db);
  await removeOidc(acme.ctx);
  await setProvider();
  await setProvider({ passwords: false });
  expect((await browser.send('GET', '/session')).json()).toMatchObject({ hasPassword: true });
  expect(await findOidc(globex.ctx)).toMatchObject({ issuer });
  const user = await portal.api('GET', `/api/user?email=${email}`, { key: globex.apiKey });
  expect(user.json().data).toMatchObject([{ directoryAdUser: 'gus' }]);
  const { token } = await inviteUser(globex.ctx, { email });
  const check = await browser.send('POST', '/invitation/check', { json: { token } });
  expect(check.json()).toMatchObject({ email, organizationName: 'globex' });
});

it('a user whose organization does not accept passwords neither has nor may set one', async () => {
  await signInAs(portal, portal.acme, 1, provider.person.email);
  await setProvider({ passwords: false });
  const { browser } = await signIn();
  expect((await browser.send('GET', '/session')).json()).toMatchObject({
    hasPassword: false,
    mayHavePassword: false,
  });
});

it('a change of the identity provider is in the activity log', async () => {
  await setProvider({ passwords: false });
  const { issuer } = provider;
  expect(await listNewest(portal, 1)).toMatchObject([
    { action: 'setOidc', subject: portal.acme.id, actor: { kind: 'operator' } },
  ]);
  const [entry] = await listNewest(portal, 1);
  expect(entry?.details).toEqual({ issuer, clientId, passwords: false, trustEmails: false });
});

describe('a confirmation with the identity provider', () => {
  async function confirm(
    browser: AdminBrowser,
    change: (answer: Record<string, string>) => unknown = () => {},
  ) {
    const { url } = (await browser.send('POST', '/oidc/confirm')).json();
    const answer = await provider.visit(url);
    await change(answer);
    return { url, finished: await finish(browser, answer) };
  }

  const setPassword = (browser: AdminBrowser) =>
    browser.send('PUT', '/account/password', { json: { password: testPassword } });

  async function signInLongAgo() {
    await createPerson();
    const { browser } = await signIn();
    await sql`UPDATE admin_sessions SET authenticated_at = now() - interval '11 minutes'`.execute(
      portal.db,
    );
    expectProblem(await setPassword(browser), 'fresh_sign_in_required');
    return browser;
  }

  it('makes the person authenticate again, and renews the session', async () => {
    const browser = await signInLongAgo();
    const before = browser.cookie();
    const { url, finished } = await confirm(browser);
    expect(new URL(url).searchParams.get('max_age')).toBe('0');
    expect(new URL(url).searchParams.get('prompt')).toBe('login');
    expect(new URL(url).searchParams.get('login_hint')).toBe(provider.person.email);
    expect(finished.json()).toEqual({ isConfirmation: true, organization: 'acme' });
    expectProblem(
      await openAdminBrowser(portal, before).send('GET', '/session'),
      'sign_in_required',
    );
    expect((await setPassword(browser)).status).toBe(200);
  });

  it('of a person who has not authenticated again is refused', async () => {
    const browser = await signInLongAgo();
    const { finished } = await confirm(browser, () =>
      // As if the person had authenticated 31 seconds before.
      sql`UPDATE admin_oidc_flows SET created_at = now() + interval '32 seconds'`.execute(
        portal.db,
      ),
    );
    expectProblem(finished, 'sign_in_failed');
    expectProblem(await setPassword(browser), 'fresh_sign_in_required');
  });

  it('may come from a clock that is 25 seconds behind', async () => {
    const browser = await signInLongAgo();
    const { finished } = await confirm(browser, () =>
      sql`UPDATE admin_oidc_flows SET created_at = now() + interval '25 seconds'`.execute(
        portal.db,
      ),
    );
    expect(finished.status).toBe(200);
  });

  it('is refused to operators', async () => {
    const operator = await signInAs(portal, portal.acme, 'operator', `op-${people}@x.example`);
    expectProblem(await operator.send('POST', '/oidc/confirm'), 'sign_in_failed');
  });

  it('by another person is refused', async () => {
    const browser = await signInLongAgo();
    provider.person.sub = 'somebody-else';
    expectProblem((await confirm(browser)).finished, 'sign_in_failed');
    expectProblem(await setPassword(browser), 'fresh_sign_in_required');
  });

  it('of a session that has ended is refused', async () => {
    const browser = await signInLongAgo();
    const { finished } = await confirm(browser, () => browser.send('DELETE', '/session'));
    expectProblem(finished, 'sign_in_failed');
  });
});
