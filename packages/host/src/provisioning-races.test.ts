import { setImmediate } from 'node:timers/promises';

import { jsonAnswer, mintAnswer, pageOfUser, problemAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  calls,
  healthy,
  id,
  linked,
  provisioned,
  setProvisioningStage,
  start,
  unknownUser,
  users,
} from '../test/provisioning-stage.ts';
import { portal } from '../test/stage.ts';

setProvisioningStage();

describe('a user whom the portal does not know', () => {
  it('is provisioned once by concurrent requests', async () => {
    const { mint } = await start();
    const minting: ReturnType<typeof mint>[] = [];
    // Some arrive when the user exists and the links do not.
    for (let n = 0; n < 40; n += 1) {
      minting.push(mint({ body: { reportId: id } }));
      await setImmediate();
    }
    const answers = await Promise.all(minting);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    expect(calls().filter((url) => url !== '/api/identity/url')).toEqual(provisioned);
  });

  it('whose mint overtakes the links gets a URL once the links exist', async () => {
    const { mint } = await start();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let mints = 0;
    portal.answer(async (request, response) => {
      if (request.url === '/api/user/link-reports') await held;
      if (request.url !== '/api/identity/url') return jsonAnswer(204)(request, response);
      mints += 1;
      // Two mints of an unknown user; the second answer is slow, and the user is known by then.
      if (mints === 1) return unknownUser(request, response);
      if (mints > 2) return mintAnswer()(request, response);
      await expect.poll(() => calls()).toContain('/api/user/link-reports');
      response.once('finish', release);
      return problemAnswer(403, 'report_not_accessible')(request, response);
    });
    const body = { reportId: id };
    const answers = await Promise.all([mint({ body }), mint({ body })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(mints).toBe(4);
  });

  it.each([
    [404, 'user_not_found'],
    [403, 'report_not_accessible'],
  ])('gets a URL if %i %s arrives after another request has provisioned', async (status, code) => {
    const { mint } = await start();
    let isHeld = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    portal.answer(async (request, response) => {
      if (request.url !== '/api/identity/url') return healthy(request, response);
      if (request.headers['x-request-id'] === 'second' && !isHeld) {
        isHeld = true;
        await held;
        return problemAnswer(status, code)(request, response);
      }
      await expect.poll(() => isHeld).toBe(true);
      return healthy(request, response);
    });
    const mintAs = (name: string) =>
      mint({ body: { reportId: id }, headers: { 'X-Request-Id': name } });
    const [first, second] = [mintAs('first'), mintAs('second')];
    expect((await first).status).toBe(200);
    release();
    expect((await second).status).toBe(200);
    expect(calls().filter((url) => url !== '/api/identity/url')).toEqual(provisioned);
  });

  it('gets revoked access not granted again', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    expect((await mint({ body })).status).toBe(200);
    linked.clear();
    const before = calls().length;
    expect(await mint({ body })).toMatchObject({
      status: 403,
      json: { code: 'report_not_accessible' },
    });
    expect(calls().slice(before)).toEqual(['/api/identity/url']);
  });

  it('gets a URL from a later request after the portal failed in between', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    let isDown = false;
    portal.answer((request, response) => {
      if (request.url === '/api/identity/url' && !isDown) return unknownUser(request, response);
      if (request.url !== '/api/user' || isDown) return jsonAnswer(503)(request, response);
      isDown = true;
      users.add('west@acme.example');
      return jsonAnswer(204)(request, response);
    });
    expect((await mint({ body })).status).toBe(503);
    portal.answer(healthy);
    expect((await mint({ body })).status).toBe(200);
    expect(linked).toEqual(users);
    const before = calls().length;
    expect((await mint({ body })).status).toBe(200);
    expect(calls().slice(before)).toEqual(['/api/identity/url']);
  });

  it('whose creation is in doubt is not deleted, and gets a URL from a later request', async () => {
    const { mint } = await start();
    const body = { reportId: id };
    const email = 'west@acme.example';
    portal.answer((request, response) => {
      if (request.method === 'GET') return jsonAnswer(200, pageOfUser(email))(request, response);
      if (request.url === '/api/identity/url') return healthy(request, response);
      if (request.url === '/api/user') users.add(email);
      return jsonAnswer(request.url === '/api/user' ? 502 : 422)(request, response);
    });
    expect((await mint({ body })).status).toBe(503);
    portal.answer(healthy);
    expect((await mint({ body })).status).toBe(200);
    expect(portal.received.map(({ method }) => method)).not.toContain('DELETE');
  });
});
