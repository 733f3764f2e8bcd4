import { emptyPage, jsonAnswer, pageOfUser, problemAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { calls, healthy, id, setProvisioningStage, start } from '../test/provisioning-stage.ts';
import { portal } from '../test/stage.ts';
import type { Logger } from './index.ts';

let unknownUser: FakeAnswer;
beforeEach(() => {
  unknownUser = problemAnswer(404, 'user_not_found');
});
setProvisioningStage((request, response) => unknownUser(request, response));

describe('a 404', () => {
  it('means an unknown user, who is provisioned', async () => {
    unknownUser = jsonAnswer(404, { message: 'not found' });
    const { mint } = await start();
    expect((await mint()).status).toBe(200);
  });

  it('means a missing report if the portal lists the user', async () => {
    const listed = pageOfUser('west@acme.example');
    portal.answer((request, response) =>
      request.method === 'GET'
        ? jsonAnswer(200, listed)(request, response)
        : jsonAnswer(404, { message: 'not found' })(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({
      status: 403,
      json: { code: 'report_not_accessible' },
    });
    const writes = portal.received.filter(({ method }) => method !== 'GET').map(({ url }) => url);
    expect(new Set(writes)).toEqual(new Set(['/api/identity/url']));
  });

  it('means an unknown user if the portal lists no such user', async () => {
    unknownUser = jsonAnswer(404, { message: 'not found' });
    portal.answer((request, response) =>
      (request.method === 'GET' ? jsonAnswer(200, emptyPage) : healthy)(request, response),
    );
    const { mint } = await start();
    expect((await mint({ body: { reportId: id } })).status).toBe(200);
  });

  it.each([
    [503, 'portal_unavailable'],
    [429, 'rate_limited'],
  ])('is a temporary failure if the look-up of the user answers %i', async (status, code) => {
    portal.answer((request, response) =>
      jsonAnswer(
        request.method === 'GET' ? status : 404,
        {},
        { 'Retry-After': '60' },
      )(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({ json: { code } });
  });

  it.each([
    ['', {}],
    [' for a report', { reportId: id }],
  ])('means a wrong apiUrl if the portal has a code for it%s', async (_, body) => {
    unknownUser = problemAnswer(404, 'not_found');
    portal.answer(unknownUser);
    const error = vi.fn<Logger['error']>();
    const { mint } = await start({ logger: { info() {}, warn() {}, error } });
    expect(await mint({ body })).toMatchObject({
      status: 503,
      json: { code: 'portal_unavailable' },
    });
    expect(calls()).toEqual(['/api/identity/url']);
    const reason = expect.stringContaining('check that apiUrl is the address') as string;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ reason }), 'portal URL failed');
  });

  it('to the creation of a user means a wrong apiUrl', async () => {
    portal.answer(jsonAnswer(404));
    const error = vi.fn<Logger['error']>();
    const { mint } = await start({ logger: { info() {}, warn() {}, error } });
    expect((await mint()).json).toMatchObject({ code: 'portal_unavailable' });
    expect(calls()).toEqual(['/api/identity/url', '/api/user']);
    const reason = expect.stringContaining('check that apiUrl is the address') as string;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ reason }), 'portal URL failed');
  });

  it.each([
    ['/api/user/link-reports', { reports: [id] }],
    ['/api/datasets/rls/link-users', { rlsRoles: [{ datasetId: id, role: 'Wset' }] }],
  ])('to %s means an unknown report or role', async (refused, links) => {
    portal.answer((request, response) =>
      (request.url === refused ? jsonAnswer(404) : healthy)(request, response),
    );
    const error = vi.fn<Logger['error']>();
    const provision = () => ({ name: 'West', role: 3, ...links });
    const { mint } = await start({ provision, logger: { info() {}, warn() {}, error } });
    expect((await mint()).json).toMatchObject({ code: 'portal_unavailable' });
    const reason = `the portal answered 404 (not_found) to PUT ${refused}; check the reports and roles that provision returns`;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ reason }), 'portal URL failed');
  });

  it('means no portal user if the key may not read users', async () => {
    portal.answer((request, response) =>
      jsonAnswer(request.method === 'GET' ? 403 : 404)(request, response),
    );
    const { mint } = await start();
    expect(await mint({ body: { reportId: id } })).toMatchObject({
      json: { code: 'no_portal_user' },
    });
    expect(calls()).toHaveLength(2);
  });
});
