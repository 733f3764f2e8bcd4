import {
  emptyPage,
  jsonAnswer,
  pageOfUser,
  problemAnswer,
  startFakePortal,
} from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createPortalClient, provisionUser } from './index.ts';
import type { PortalClient, UserState } from './index.ts';

const id = (n: number) => `6a1f4c1e-0000-4000-8000-00000000000${n}`;
const west: UserState = {
  email: 'west@acme.example',
  name: 'West',
  role: 3,
  reports: [id(1), id(2)],
  rlsRoles: [{ datasetId: id(9), role: 'West' }],
};

let portal: FakePortal;
let client: PortalClient;
let answers: Record<string, FakeAnswer>;

beforeEach(async () => {
  answers = {};
  portal = await startFakePortal((request, response) => {
    const { pathname } = new URL(request.url, portal.url);
    const answer = answers[`${request.method} ${pathname}`] ?? jsonAnswer(204);
    answer(request, response);
  });
  client = createPortalClient({ apiUrl: portal.url, apiKey: 'pk_1', maxAttempts: 1 });
});
afterEach(async () => {
  await client.close();
  await portal[Symbol.asyncDispose]();
});

const calls = () => portal.received.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
const all = ['POST /api/user', 'PUT /api/datasets/rls/link-users', 'PUT /api/user/link-reports'];

describe('provisioning a user', () => {
  it('takes one call to create, one for each role, one for all reports', async () => {
    await provisionUser(client, west);
    expect(calls()).toEqual(all);
    expect(portal.received.map(({ body }) => body)).toEqual([
      { email: west.email, name: 'West', role: 3 },
      { usersEmails: [west.email], datasetId: id(9), role: 'West' },
      { userEmail: west.email, reports: [id(1), id(2)] },
    ]);
  });

  it('makes no calls for what is not declared', async () => {
    await provisionUser(client, { email: 'west@acme.example', name: 'West', role: 3, reports: [] });
    expect(calls()).toEqual(['POST /api/user']);
  });

  it('goes on where somebody else has created the user', async () => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    await provisionUser(client, west);
    expect(calls()).toEqual(all);
  });

  it('goes on where the answer to the creation was lost', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(200, pageOfUser(west.email));
    await provisionUser(client, west);
    expect(calls()).toEqual([all[0], 'GET /api/user', all[1], all[2]]);
  });

  it('fails where the creation was lost itself', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(200, emptyPage);
    await expect(provisionUser(client, west)).rejects.toMatchObject({
      code: 'portal_unavailable',
      // What was lost may still be carried out.
      leftBehind: true,
    });
    expect(calls()).toHaveLength(2);
  });

  it('leaves nobody half provisioned', async () => {
    answers[all[2]!] = problemAnswer(422, 'unknown_references');
    await expect(provisionUser(client, west)).rejects.toMatchObject({ code: 'unknown_references' });
    expect(calls()).toEqual([...all, 'DELETE /api/user/west%40acme.example']);
  });

  it('says when the portal went down in the middle, and the user could not be deleted', async () => {
    const down = jsonAnswer(503);
    Object.assign(answers, { [all[1]!]: down, 'DELETE /api/user/west%40acme.example': down });
    await expect(provisionUser(client, west)).rejects.toMatchObject({
      code: 'portal_unavailable',
      status: 503,
      leftBehind: true,
    });
    delete answers['DELETE /api/user/west%40acme.example'];
    await expect(provisionUser(client, west)).rejects.toMatchObject({ leftBehind: false });
  });

  it('says when it is not known whether the user was created', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(503);
    await expect(provisionUser(client, west)).rejects.toMatchObject({ leftBehind: true });
  });

  it.each<[string, FakeAnswer]>([
    ['502', jsonAnswer(502)],
    ['503', jsonAnswer(503)],
    ['nothing', (_, response) => response.destroy()],
    ['a page', (_, response) => response.writeHead(201).end('<html>Done</html>')],
  ])(
    'deletes nobody whom somebody else may have created, where the creation was answered %s',
    async (_, answer) => {
      answers['POST /api/user'] = answer;
      answers['GET /api/user'] = jsonAnswer(200, pageOfUser(west.email));
      answers[all[2]!] = problemAnswer(422, 'unknown_references');
      await expect(provisionUser(client, west)).rejects.toMatchObject({
        code: 'unknown_references',
        leftBehind: true,
      });
      expect(calls()).toEqual([all[0], 'GET /api/user', all[1], all[2]]);
    },
  );

  it('deletes nobody whom somebody else has created', async () => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    answers[all[2]!] = problemAnswer(403, 'missing_permission');
    await expect(provisionUser(client, west)).rejects.toMatchObject({
      code: 'missing_permission',
      leftBehind: true,
    });
    expect(calls()).toEqual(all);
  });

  it.each([
    [422, 'unknown_references'],
    [404, 'user_not_found'],
  ])(
    'begins anew, once, where somebody else has deleted the user again: %i',
    async (status, code) => {
      answers['POST /api/user'] = problemAnswer(409, 'user_exists');
      answers[all[1]!] = (request, response) => {
        answers = {};
        problemAnswer(status, code)(request, response);
      };
      await provisionUser(client, west);
      expect(calls()).toEqual([...all.slice(0, 2), ...all]);
    },
  );

  it('does not begin anew for ever', async () => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    answers[all[1]!] = problemAnswer(422, 'unknown_references');
    await expect(provisionUser(client, west)).rejects.toMatchObject({ code: 'unknown_references' });
    expect(calls()).toEqual([...all.slice(0, 2), ...all.slice(0, 2)]);
  });
});
