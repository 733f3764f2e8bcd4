import { createPortalClient, hasUser, provisionUser, syncUsers } from '@portal-embed/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inviteOperator } from '../src/sign-in/operators.ts';
import { openAdminBrowser, signInAs, testPassword, type AdminBrowser } from './support/admin.ts';
import { createGlobex, ofGlobex, runForResult, runInProcess } from './support/command-line.ts';
import type { TestDatabase } from './support/database.ts';
import { dumpTables } from './support/dump.ts';
import { expectProblem } from './support/http.ts';
import type { TestOrganization } from './support/organization.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const query = (path: string, name: string, value: string) =>
  `${path}?${new URLSearchParams({ [name]: value }).toString()}`;

describe.each([
  ['jürgen@acme.example', 'JÜRGEN@Acme.Example'.normalize('NFD')],
  ['用户@例子.广告', '用户@例子.广告'],
  ['"west/east?#%"@acme.example', '"WEST/east?#%"@ACME.example'],
])('the user %s', (email, spelling) => {
  it('every endpoint accepts any spelling of the e-mail', async () => {
    const { api, acme } = portal;
    const { id: organizationId, reportId, datasetId } = acme;
    const created = await api('POST', '/api/user', {
      json: { email: spelling, name: 'U', role: 3 },
    });
    expect(created.status).toBe(201);
    expect(created.json().email).toBe(spelling.normalize('NFC'));
    const again = await api('POST', '/api/user', { json: { email, name: 'U', role: 3 } });
    expect(again.json().code).toBe('user_exists');

    const links = { userEmail: email, reports: [reportId] };
    expect((await api('PUT', '/api/user/link-reports', { json: links })).status).toBe(204);
    const role = { usersEmails: [spelling], datasetId, role: 'West' };
    for (const change of ['link', 'unlink', 'link'])
      expect((await api('PUT', `/api/datasets/rls/${change}-users`, { json: role })).status).toBe(
        204,
      );
    const mint = { userEmail: spelling, organizationId, reportId };
    expect((await api('POST', '/api/identity/url', { json: mint })).status).toBe(200);

    for (const text of [email, spelling, email.slice(0, 4)]) {
      const { data } = (await api('GET', query('/api/user', 'email', text))).json();
      expect(data).toMatchObject([{ id: created.json().id, reports: [reportId] }]);
    }
    for (const userEmail of [email, spelling]) {
      const { data } = (
        await api('GET', query('/api/report-audit', 'userEmail', userEmail))
      ).json();
      expect(data).toMatchObject([{ userEmail: spelling.normalize('NFC') }]);
    }

    const path = `/api/user/${encodeURIComponent(spelling)}`;
    expect((await api('DELETE', path)).status).toBe(204);
    expect((await api('DELETE', path)).json().code).toBe('user_not_found');
  });

  it('the client treats all spellings of the e-mail as one user', async () => {
    const { apiKey, reportId } = portal.acme;
    const client = createPortalClient({ apiUrl: portal.publicUrl, apiKey });
    const state = { name: 'U', role: 3, reports: [reportId] };
    await provisionUser(client, { ...state, email });
    expect(await hasUser(client, spelling)).toBe(true);
    const { steps } = await syncUsers(client, [{ ...state, email: spelling }], { dryRun: true });
    expect(steps).toEqual([]);
    await client.users.delete({ userEmail: spelling });
    expect(await hasUser(client, email)).toBe(false);
    await client.close();
  });
});

const stored = 'kelvin@acme.example';
const lookalike = stored.replace('k', '\u212a');
const detail = /must not contain the character U\+212A, which can be taken for "k"/;

describe('an e-mail whose KELVIN SIGN would become an ASCII letter', () => {
  let ada: AdminBrowser;
  beforeAll(async () => {
    const { acme } = portal;
    ada = await signInAs(portal, acme, 1, stored);
    await inviteOperator(portal.db, { email: stored, name: 'Kelvin' });
  });

  const calls: [string, string, (organization: TestOrganization) => object | undefined][] = [
    ['POST', '/api/user', () => ({ email: lookalike, name: 'K', role: 3 })],
    ['GET', query('/api/user', 'email', lookalike), () => undefined],
    ['DELETE', `/api/user/${encodeURIComponent(lookalike)}`, () => undefined],
    ['DELETE', `/api/user/${encodeURIComponent(lookalike)}/sessions`, () => undefined],
    ['PUT', '/api/user/link-reports', (of) => ({ userEmail: lookalike, reports: [of.reportId] })],
    ['PUT', '/api/user/unlink-reports', (of) => ({ userEmail: lookalike, reports: [of.reportId] })],
    ...['link', 'unlink'].map((change): (typeof calls)[number] => [
      'PUT',
      `/api/datasets/rls/${change}-users`,
      ({ datasetId }) => ({ usersEmails: [lookalike], datasetId, role: 'West' }),
    ]),
    ['GET', query('/api/report-audit', 'userEmail', lookalike), () => undefined],
    ['POST', '/api/identity/url', () => ({ userEmail: lookalike })],
  ];

  it.each(calls)('is refused by %s %s, and nothing is changed', async (method, path, bodyOf) => {
    const before = await dumpTables(portal.db);
    const json = bodyOf(portal.acme);
    const answer = await portal.api(method, path, json ? { json } : {});
    expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
    expect(answer.json().detail).toMatch(detail);
    expect(await dumpTables(portal.db)).toEqual(before);
  });

  it('is refused by the administration', async () => {
    const json = { email: lookalike, name: 'K', role: 3, reports: [] };
    const created = await ada.send('POST', `/organizations/${portal.acme.id}/users`, { json });
    const credentials = { organization: 'acme', email: lookalike, password: testPassword };
    const signedIn = await openAdminBrowser(portal).send('POST', '/session', { json: credentials });
    for (const answer of [created, signedIn]) {
      expectProblem(answer, 'invalid_request');
      expect(answer.json().detail).toMatch(detail);
    }
  });
});

describe('an e-mail with a KELVIN SIGN at the command line', () => {
  let database: TestDatabase;
  let globex: TestOrganization;
  beforeAll(async () => {
    ({ database, globex } = await createGlobex());
    const names = ['--name', 'Kelvin'];
    await runForResult(database, ['users', 'create', stored, ...names, ...ofGlobex]);
    await runForResult(database, ['operators', 'invite', stored, ...names]);
  });
  afterAll(() => database.remove());

  it.each([
    ['users', 'create', lookalike, '--name', 'K', ...ofGlobex],
    ['users', 'update', lookalike, '--name', 'K', ...ofGlobex],
    ['users', 'delete', lookalike, ...ofGlobex],
    ['users', 'list', '--email', lookalike, ...ofGlobex],
    ['groups', 'create', 'New', '--member', lookalike, ...ofGlobex],
    ['groups', 'add', 'Leads', lookalike, ...ofGlobex],
    ['roles', 'link-users', 'DATASET', 'West', lookalike, ...ofGlobex],
    ['sessions', 'list', '--email', lookalike, ...ofGlobex],
    ['sessions', 'end', lookalike, ...ofGlobex],
    ['audit', 'export', '--user', lookalike, ...ofGlobex],
    ['administrators', 'invite', lookalike, ...ofGlobex],
    ['operators', 'invite', lookalike, '--name', 'K'],
    ['operators', 'delete', lookalike],
  ])('is refused by portal %s %s', async (...args) => {
    const named = args.map((each) => (each === 'DATASET' ? globex.datasetId : each));
    const { code, stderr } = await runInProcess(database, named);
    expect([code, stderr]).toEqual([2, expect.stringMatching(detail)]);
  });
});
