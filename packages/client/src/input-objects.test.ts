import { emptyPage, jsonAnswer, pageOfUser } from 'testing/fake-portal';
import { describe, expect, it } from 'vitest';

import { client, failureOf, id, portal, setStage, userEmail } from '../test/stage.ts';
import { provisionUser, syncUsers } from './index.ts';
import type { UserState } from './index.ts';

setStage();

/** Has none of its fields as its own, like an instance of a class that has them as getters. */
const asRow = <Fields extends object>(fields: Fields) => Object.create(fields) as Fields;

const sent = () => portal.received.map(({ url, body }) => [url.replace('/prefix', ''), body]);

describe('input whose fields are getters', () => {
  it('is sent whole, with what is in its lists', async () => {
    portal.answer(jsonAnswer(200, { embedUrl: 'https://x.test', expiresAt: '2100-01-01' }));
    const filter = { key: 'Orders/Region', value: 'West' };
    const customFilters = [asRow(filter)];
    await client.identity.mintUrl(asRow({ userEmail, embed: true, customFilters }));
    expect(sent()).toEqual([
      ['/api/identity/url', { userEmail, embed: true, customFilters: [filter] }],
    ]);
  });

  it('filters each page of a list', async () => {
    portal.answer((request, response) => {
      const isFirst = !request.url.includes('pageNumber');
      jsonAnswer(200, { ...emptyPage, pageIndex: isFirst ? 1 : 2, hasNextPage: isFirst })(
        request,
        response,
      );
    });
    await client.users.list(asRow({ email: 'west' }));
    for await (const _ of client.users.iterate(asRow({ email: 'west' })));
    expect(sent().map(([url]) => url)).toEqual([
      '/api/user?email=west',
      '/api/user?email=west',
      '/api/user?email=west&pageNumber=2',
    ]);
  });

  it('is refused for an unknown field, and where it is none at all', async () => {
    const user = Object.assign(asRow({ userEmail }), { organizationId: id, admin: true });
    const error = await failureOf(client.identity.mintUrl(user));
    expect(error.message).toContain('admin is not a known field');
    for (const input of [undefined, null, 'x', [userEmail]])
      expect((await failureOf(client.users.delete(input as never))).code).toBe('invalid_request');
    expect(portal.received).toHaveLength(0);
  });

  it('keeps the letter case of ids', async () => {
    portal.answer(jsonAnswer(204));
    const reports = [id.toUpperCase()];
    await client.users.linkReports({ userEmail, reports });
    expect(sent()).toEqual([['/api/user/link-reports', { userEmail, reports }]]);
  });
});

describe('a state of a user', () => {
  const state: UserState = { email: 'west@acme.example', name: 'West', role: 3 };

  it('whose fields are getters is told from another of the same e-mail', async () => {
    portal.answer(jsonAnswer(200, emptyPage));
    const roles = (role: string) => [asRow({ datasetId: id, role })];
    const users = [
      [asRow(state), asRow({ ...state, name: 'East' })],
      [asRow({ ...state, rlsRoles: roles('West') }), asRow({ ...state, rlsRoles: roles('East') })],
    ];
    for (const each of users)
      await expect(syncUsers(client, each)).rejects.toThrow('declared differently');
    await syncUsers(client, [asRow(state), asRow(state)], { dryRun: true });
  });

  it('that is changed while calls are under way stays what it was', async () => {
    const row = { ...state, reports: [id] };
    portal.answer((request, response) => {
      Object.assign(row, { email: 'admin@acme.example', reports: [] });
      const isLink = request.url.includes('link-reports');
      jsonAnswer(isLink ? 400 : 204)(request, response);
    });
    await failureOf(provisionUser(client, row));
    expect(sent().at(-1)).toEqual(['/api/user/west%40acme.example', undefined]);
  });

  it('that is changed while the portal is read stays what it was', async () => {
    const row = { ...state };
    portal.answer((request, response) => {
      row.email = 'admin@acme.example';
      jsonAnswer(200, pageOfUser('other@acme.example'))(request, response);
    });
    const { steps } = await syncUsers(client, [row], { dryRun: true });
    expect(steps).toMatchObject([{ kind: 'create-user', email: 'west@acme.example' }]);
  });
});
