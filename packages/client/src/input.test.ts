import { jsonAnswer, pageOfUser } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  client,
  catchError,
  id,
  portal,
  startPortalForEachTest,
  userEmail,
} from '../test/stage.ts';
import { provisionUser, syncUsers } from './index.ts';
import type { UserState } from './index.ts';

startPortalForEachTest();

const sent = () => portal.received.map(({ url, body }) => [url.replace('/prefix', ''), body]);

describe('input', () => {
  it('with an unknown field, or that is not an object, is not sent', async () => {
    const user = { userEmail, admin: true } as never;
    const error = await catchError(client.identity.mintUrl(user));
    expect(error.message).toContain('admin is not a known field');
    for (const input of [undefined, null, 'x', [userEmail]])
      expect((await catchError(client.users.delete(input as never))).code).toBe('invalid_request');
    expect(portal.received).toHaveLength(0);
  });

  it('ids are sent in their original letter case', async () => {
    portal.answer(jsonAnswer(204));
    const reports = [id.toUpperCase()];
    await client.users.linkReports({ userEmail, reports });
    expect(sent()).toEqual([['/api/user/link-reports', { userEmail, reports }]]);
  });
});

describe('the state of a user', () => {
  const state: UserState = { email: 'west@acme.example', name: 'West', role: 3 };

  it('provisionUser ignores changes to the state while it runs', async () => {
    const row = { ...state, reports: [id] };
    portal.answer((request, response) => {
      Object.assign(row, { email: 'admin@acme.example', reports: [] });
      const isLink = request.url.includes('link-reports');
      jsonAnswer(isLink ? 400 : 204)(request, response);
    });
    await catchError(provisionUser(client, row));
    expect(sent().at(-1)).toEqual(['/api/user/west%40acme.example', undefined]);
  });

  it('syncUsers ignores changes to the state while it runs', async () => {
    const row = { ...state };
    portal.answer((request, response) => {
      row.email = 'admin@acme.example';
      jsonAnswer(200, pageOfUser('other@acme.example'))(request, response);
    });
    const { steps } = await syncUsers(client, [row], { dryRun: true });
    expect(steps).toMatchObject([{ kind: 'create-user', email: 'west@acme.example' }]);
  });
});
