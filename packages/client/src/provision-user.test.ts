import {
  emptyPage,
  jsonAnswer,
  pageOfUser,
  problemAnswer,
  startFakePortal,
} from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
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
  it('provisioning makes one call for the user, one per role and one for all reports', async () => {
    await provisionUser(client, west);
    expect(calls()).toEqual(all);
    expect(portal.received.map(({ body }) => body)).toEqual([
      { email: west.email, name: 'West', role: 3 },
      { usersEmails: [west.email], datasetId: id(9), role: 'West' },
      { userEmail: west.email, reports: [id(1), id(2)] },
    ]);
  });

  it('provisioning makes no calls for absent or empty fields', async () => {
    await provisionUser(client, { email: 'west@acme.example', name: 'West', role: 3, reports: [] });
    expect(calls()).toEqual(['POST /api/user']);
  });

  it('provisioning continues if another process has created the user', async () => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    await provisionUser(client, west);
    expect(calls()).toEqual(all);
  });

  it('provisioning continues if the answer to the creation was lost', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(200, pageOfUser(west.email));
    await provisionUser(client, west);
    expect(calls()).toEqual([all[0], 'GET /api/user', all[1], all[2]]);
  });

  it('provisioning fails if the request to create the user was lost', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(200, emptyPage);
    await expect(provisionUser(client, west)).rejects.toMatchObject({
      code: 'portal_unavailable',
      // The portal may still execute the request.
      leftBehind: true,
    });
    expect(calls()).toHaveLength(2);
  });

  it('a failed provisioning deletes its user', async () => {
    answers[all[2]!] = problemAnswer(422, 'unknown_references');
    await expect(provisionUser(client, west)).rejects.toMatchObject({ code: 'unknown_references' });
    expect(calls()).toEqual([...all, 'DELETE /api/user/west%40acme.example']);
  });

  it('leftBehind is true if the user could not be deleted', async () => {
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

  it('leftBehind is true if the creation is not confirmed', async () => {
    answers['POST /api/user'] = (_, response) => response.destroy();
    answers['GET /api/user'] = jsonAnswer(503);
    await expect(provisionUser(client, west)).rejects.toMatchObject({ leftBehind: true });
  });

  it.each<[string, FakeAnswer]>([
    ['502', jsonAnswer(502)],
    ['503', jsonAnswer(503)],
    ['no answer', (_, response) => response.destroy()],
    ['a page', (_, response) => response.writeHead(201).end('<html>Done</html>')],
  ])(
    'a failed provisioning does not delete a user after an unconfirmed creation: %s',
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

  it('a failed provisioning does not delete a user that another process created', async () => {
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
  ])('provisioning restarts if another process has deleted the user: %i', async (status, code) => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    answers[all[1]!] = (request, response) => {
      answers = {};
      problemAnswer(status, code)(request, response);
    };
    await provisionUser(client, west);
    expect(calls()).toEqual([...all.slice(0, 2), ...all]);
  });

  it('provisioning restarts only once', async () => {
    answers['POST /api/user'] = problemAnswer(409, 'user_exists');
    answers[all[1]!] = problemAnswer(422, 'unknown_references');
    await expect(provisionUser(client, west)).rejects.toMatchObject({ code: 'unknown_references' });
    expect(calls()).toEqual([...all.slice(0, 2), ...all.slice(0, 2)]);
  });
});
