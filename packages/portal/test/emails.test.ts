import { createPortalClient, hasUser, provisionUser, syncUsers } from '@portal-embed/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
