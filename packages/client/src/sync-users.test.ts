import { emptyPage, jsonAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createPortalClient, syncUsers } from './index.ts';
import type { PortalClient, SyncStep, UserState } from './index.ts';

const datasetId = '6a1f4c1e-0000-4000-8000-000000000009';
const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
const wanted: UserState[] = ['a', 'bad', 'c'].map((name) => ({
  email: `${name}@x.test`,
  name,
  role: 3,
  reports: [reportId],
  rlsRoles: [{ datasetId, role: 'West' }],
}));

let portal: FakePortal;
let client: PortalClient;
beforeEach(async () => {
  portal = await startFakePortal((request, response) => {
    const { email } = (request.body ?? {}) as { email?: string };
    const failure = email?.startsWith('bad') && problemAnswer(400, 'invalid_request');
    (failure || jsonAnswer(200, request.method === 'GET' ? emptyPage : undefined))(
      request,
      response,
    );
  });
  client = createPortalClient({ apiUrl: portal.url, apiKey: 'pk_1' });
});
afterEach(async () => {
  await client.close();
  await portal[Symbol.asyncDispose]();
});

describe('a synchronization', () => {
  it('syncUsers continues without a user who cannot be created', async () => {
    const progress: string[] = [];
    const { steps, failures } = await syncUsers(client, wanted, {
      onProgress: ({ done, step }) => progress.push(`${done} ${step.kind}`),
    });
    const kinds: SyncStep['kind'][] = [
      'create-user',
      'create-user',
      'link-role',
      'link-reports',
      'link-reports',
    ];
    expect(steps.map(({ kind }) => kind)).toEqual(kinds);
    expect(steps[2]).toMatchObject({ emails: ['a@x.test', 'c@x.test'] });
    expect(failures).toMatchObject([
      { step: { email: 'bad@x.test' }, error: { code: 'invalid_request' } },
    ]);
    expect(progress.map((line) => line.split(' ')[0])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it('syncUsers changes nothing if a user is declared differently twice', async () => {
    const twice = [...wanted, { ...wanted[0]!, email: 'A@x.test', role: 1 }];
    await expect(syncUsers(client, twice)).rejects.toThrow(TypeError);
    expect(new Set(portal.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('syncUsers links a user whom another process has created', async () => {
    portal.answer((request, response) => {
      const isCreation = request.url === '/api/user' && request.method === 'POST';
      const success = jsonAnswer(200, request.method === 'GET' ? emptyPage : undefined);
      (isCreation ? problemAnswer(409, 'user_exists') : success)(request, response);
    });
    const { steps, failures } = await syncUsers(client, [wanted[0]!]);
    expect(failures).toMatchObject([{ error: { code: 'user_exists' } }]);
    expect(steps.map(({ kind }) => kind)).toEqual(['link-role', 'link-reports']);
  });

  it('syncUsers with dryRun changes nothing', async () => {
    const { steps } = await syncUsers(client, wanted, { dryRun: true });
    expect(steps).toHaveLength(7);
    expect(new Set(portal.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('syncUsers ends when its signal aborts', async () => {
    const controller = new AbortController();
    const run = syncUsers(client, wanted, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(portal.received.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });

  it('syncUsers ends with portal_timeout when its signal times out', async () => {
    const controller = new AbortController();
    portal.answer((request, response) => {
      if (request.method === 'GET') jsonAnswer(200, emptyPage)(request, response);
      // The reason of AbortSignal.timeout, during a step.
      else controller.abort(new DOMException('time is up', 'TimeoutError'));
    });
    const run = syncUsers(client, wanted, { signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'portal_timeout' });
    expect(portal.received.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});
