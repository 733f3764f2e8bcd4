import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { createTemporaryFolder, findFreePort } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  findOidc,
  removeOidc,
  type ProviderSettings,
} from '../../src/sign-in/oidc/provider-settings.ts';
import { createUser } from '../../src/users/service.ts';
import { signInAs } from '../support/admin.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { setProviderOf, signInWith } from '../support/oidc-sign-in.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';

const clientId = 'portal';
let portal: TestPortal;
let provider: IdentityProvider;
beforeAll(async () => {
  portal = await startTestPortal();
  const redirectUri = `${portal.adminUrl}/admin/oidc`;
  provider = await startIdentityProvider({ redirectUri, clientId });
  const { email } = provider.person;
  await createUser(portal.acme.ctx, { email, name: 'Ada', role: 1 });
});
afterAll(async () => {
  provider.close();
  await portal.close();
});
beforeEach(() => removeOidc(portal.acme.ctx));

const setProvider = (change: Partial<ProviderSettings> = {}) =>
  setProviderOf(portal, provider, change);

const signIn = async () => expect((await signInWith(portal, provider)).status).toBe(200);

const expectRefused = async (change: Partial<ProviderSettings>, text: RegExp | string) =>
  expect(setProvider(change)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(text),
  });

describe('an issuer that cannot be used', () => {
  it.each([
    ['answers 404', { status: 404 }, 'answered with the status 404'],
    ['redirects', { status: 302 }, 'answered with the status 302'],
    ['answers with a page', { type: 'text/html', body: '<p>' }, 'did not answer with JSON'],
    ['answers with broken JSON', { body: '{' }, 'did not answer with JSON'],
    ['answers with a list', { body: '[]' }, 'the discovery document'],
    ['names no issuer', { body: '{}' }, 'the discovery document is not valid'],
    ['names no address', { body: '{"issuer":"x"}' }, 'the discovery document'],
    [
      'names another issuer',
      { body: '{"issuer":"https://login.other.example/"}' },
      'names another issuer, https://login.other.example/',
    ],
  ])('an issuer that %s is refused, and nothing is changed', async (_, change, text) => {
    await setProvider();
    const ada = await signInAs(portal, portal.acme, 1, `${randomUUID()}@acme.example`);
    const scripted = await startScriptedProvider();
    scripted.discovery = { status: 200, type: 'application/json', body: '', ...change };
    await expectRefused({ issuer: scripted.issuer }, text);
    await expectRefused(
      { issuer: scripted.issuer },
      /Nothing was changed\. Check that http.*\/\.well-known\/openid-configuration can be read/,
    );
    expect(await findOidc(portal.acme.ctx)).toMatchObject({ issuer: provider.issuer });
    expect((await ada.send('GET', '/session')).status).toBe(200);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'an issuer without %s is refused',
    async (name) => {
      const { issuer, document } = await startScriptedProvider();
      Reflect.deleteProperty(document, name);
      await expectRefused({ issuer }, `the discovery document needs ${name}`);
    },
  );

  it('an issuer that cannot be reached is refused', async () => {
    await expectRefused({ issuer: `http://localhost:${await findFreePort()}` }, 'ECONNREFUSED');
    expect(await findOidc(portal.acme.ctx)).toBeUndefined();
  });

  it('an issuer whose authority the portal does not know is refused, with how to add it', async () => {
    const folder = createTemporaryFolder('portal-issuer-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    execFileSync(
      'openssl',
      'req -x509 -nodes -newkey rsa:2048 -subj /CN=localhost -keyout issuer.key -out issuer.pem'.split(
        ' ',
      ),
      { cwd: folder, stdio: 'pipe' },
    );
    const [key, cert] = ['key', 'pem'].map((end) =>
      fs.readFileSync(path.join(folder, `issuer.${end}`)),
    );
    const server = https.createServer({ key, cert }).listen(0, 'localhost');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expectRefused(
      { issuer: `https://localhost:${port}` },
      /self-signed certificate.*Nothing was changed\. .*Set NODE_EXTRA_CA_CERTS=FILE/,
    );
  });

  it('an issuer with plain http beyond this machine is refused', async () => {
    await expectRefused(
      { issuer: 'http://login.acme.example' },
      'Plain http is for localhost only',
    );
  });
});

describe('trusted e-mails', () => {
  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/Organizations/v2.0',
    'https://login.microsoftonline.com//consumers/v2.0',
    'https://login.microsoftonline.com/%63ommon/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://accounts.google.com',
  ])('are refused for %s, whose accounts belong to many companies', async (issuer) => {
    await expectRefused(
      { issuer, trustEmails: true },
      /^Anybody can have an account at .*single tenant/,
    );
  });

  it('are accepted for one tenant, and stored', async () => {
    const { issuer } = await startScriptedProvider('/0f6a1c2e-7a41-4a6e-9a53-0d5d2f7c1b11/v2.0');
    await setProvider({ issuer, trustEmails: true });
    expect(await findOidc(portal.acme.ctx)).toMatchObject({ issuer, trustEmails: true });
  });

  it('the issuer of all tenants, whose document names another issuer, is refused with an example of a valid one', async () => {
    const { issuer, document } = await startScriptedProvider('/common/v2.0');
    document['issuer'] = 'https://login.microsoftonline.com/{tenantid}/v2.0';
    await expectRefused({ issuer }, /names another issuer.*Use the issuer of a single tenant/);
  });
});

describe('passwords', () => {
  const refused = /^Nobody has signed in with these settings yet.*without --no-passwords/;

  it('are refused only after somebody has signed in with the provider', async () => {
    await expectRefused({ passwords: false }, refused);
    await setProvider();
    await expectRefused({ passwords: false }, refused);
    await signIn();
    await setProvider({ passwords: false });
    await setProvider({ passwords: false });
    await setProvider();
    expect(await setProvider({ passwords: false })).toMatchObject({ passwords: false });
  });

  it('need another sign-in after a change of issuer, client id or trust', async () => {
    const other = await startScriptedProvider();
    await setProvider({ trustEmails: true });
    await signIn();
    await setProvider({ passwords: false, trustEmails: true });
    await expectRefused({ passwords: false, issuer: other.issuer, trustEmails: true }, refused);
    await expectRefused({ passwords: false, clientId: 'other', trustEmails: true }, refused);
    // Its sign-ins may have worked only because of the trust.
    await expectRefused({ passwords: false }, /present settings have --trust-emails: add it/);
    expect(await findOidc(portal.acme.ctx)).toMatchObject({ passwords: false, trustEmails: true });
    await setProvider({ clientId: 'other' });
    await setProvider();
    await expectRefused({ passwords: false }, refused);
  });

  it('need no other sign-in after e-mails become trusted', async () => {
    await setProvider();
    await signIn();
    const settings = { passwords: false, trustEmails: true };
    expect(await setProvider(settings)).toMatchObject(settings);
  });

  it('an organization that already refuses passwords may keep refusing them', async () => {
    const { db, acme } = portal;
    await db
      .insertInto('organization_oidc')
      .values({
        organization_id: acme.id,
        issuer: provider.issuer,
        client_id: clientId,
        passwords: false,
      })
      .execute();
    await setProvider({ passwords: false });
    await setProvider();
    await expectRefused({ passwords: false }, refused);
  });
});
