import { emptyPage, jsonAnswer, pageOfUser, problemAnswer } from 'testing/fake-portal';
import type { FakeAnswer } from 'testing/fake-portal';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { calls, healthy, id, setProvisioningStage, start } from '../test/provisioning-stage.ts';
import { portal } from '../test/stage.ts';
import type { Logger } from './index.ts';

let unknownUser: FakeAnswer;
beforeEach(() => {
  unknownUser = problemAnswer(404, 'user_not_found');
});
setProvisioningStage((request, response) => unknownUser(request, response));

describe('a user whom the portal does not know', () => {
  it('may be one of a portal that says no more than 404', async () => {
    unknownUser = jsonAnswer(404, { message: 'not found' });
    const { mint } = await start();
    expect((await mint()).status).toBe(200);
  });

  it('is not whoever asks a portal that says no more than 404 for a report it does not have', async () => {
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

  it('is let in by a portal that says no more than 404, if it lists them nowhere', async () => {
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
  ])('is not refused because looking for them fails for the moment: %i', async (status, code) => {
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
  ])(
    'is not whoever asks%s at an address that the portal says it does not have',
    async (_, body) => {
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
    },
  );

  it('is not told to be unknown where users cannot be created: 404 without a word', async () => {
    portal.answer(jsonAnswer(404));
    const error = vi.fn<Logger['error']>();
    const { mint } = await start({ logger: { info() {}, warn() {}, error } });
    expect((await mint()).json).toMatchObject({ code: 'portal_unavailable' });
    expect(calls()).toEqual(['/api/identity/url', '/api/user']);
    const reason = expect.stringContaining('check that apiUrl is the address') as string;
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ reason }), 'portal URL failed');
  });

  it('is not made up where the portal does not let us look', async () => {
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
