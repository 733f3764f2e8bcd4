import axios from 'axios';
import { emptyPage, jsonAnswer } from 'testing/fake-portal';
import type { FakeAnswer } from 'testing/fake-portal';
import { describe, expect, it } from 'vitest';

import { apiKey, client, failureOf, id, portal, setStage, userEmail } from '../test/stage.ts';
import { createPortalClient } from './index.ts';

setStage();

describe('a portal that is not ours', () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };

  it('may answer writes with 200 and an empty body', async () => {
    portal.answer(jsonAnswer(200));
    expect(await client.users.create({ email: userEmail, name: 'W', role: 3 })).toBeUndefined();
    await client.users.delete({ userEmail });
    await client.users.linkReports({ userEmail, reports: [] });
  });

  it.each<[string, FakeAnswer]>([
    ['a list', jsonAnswer(200, [1])],
    ['nothing, of any type', (_, response) => response.writeHead(200, html).end()],
    ['white space', (_, response) => response.writeHead(201, html).end('\n')],
    ['204 and a type', (_, response) => response.writeHead(204, html).end()],
    ['text', jsonAnswer(200, 'done')],
    ['plain text', (_, response) => response.end('OK')],
  ])('may answer writes with %s', async (_, answer) => {
    portal.answer(answer);
    await client.users.linkReports({ userEmail, reports: [] });
    expect(portal.received).toHaveLength(1);
  });

  it.each([
    ['by its type', { 'Content-Type': 'Text/HTML; charset=utf-8' }, 'Please sign in'],
    ['by its content', {}, '\n<!doctype html><title>Sign in</title>'],
  ])(
    'is not mistaken for the page of a proxy that answers a write, known %s',
    async (_, head, page) => {
      portal.answer((__, response) => response.writeHead(200, head).end(page));
      for (const each of [
        client,
        createPortalClient({ apiUrl: portal.url, apiKey, axios: axios.create() }),
      ]) {
        portal.received.length = 0;
        const error = await failureOf(each.users.delete({ userEmail }));
        expect(error).toMatchObject({
          code: 'portal_answer_invalid',
          status: 200,
          retryable: false,
        });
        expect(error.message).toContain('Check that apiUrl');
        expect(portal.received).toHaveLength(1);
      }
    },
  );

  it('may answer with fields that we do not know', async () => {
    const report = {
      id,
      name: 'Sales',
      description: null,
      datasetId: id,
      embedUrl: 'https://x.test',
    };
    const rest = { workspaceId: id, reportType: 1, folderId: 7, workspaceName: 'W', userOwner: {} };
    portal.answer(
      jsonAnswer(200, { ...emptyPage, total: 1, data: [{ ...report, ...rest, colour: 'red' }] }),
    );
    expect((await client.reports.list()).data).toEqual([{ ...report, ...rest }]);
  });

  it('gets no paging parameters unless asked for', async () => {
    portal.answer(jsonAnswer(200, emptyPage));
    await client.users.list();
    await client.users.list({ name: '' });
    expect(portal.received.map((each) => each.url)).toEqual([
      '/prefix/api/user',
      '/prefix/api/user',
    ]);
  });

  it('is told apart from a page that answers in its place', async () => {
    portal.answer((_, response) => response.end('<html>Welcome</html>'));
    const error = await failureOf(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({ code: 'portal_answer_invalid', retryable: false });
    expect(error.message).toContain('Check that apiUrl');
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'user_exists'],
    [418, 'invalid_request'],
  ])('has its status %i read as %s when its errors carry no code', async (status, code) => {
    portal.answer(jsonAnswer(status, { message: 'no' }));
    expect(await failureOf(client.identity.mintUrl({ userEmail }))).toMatchObject({ code, status });
  });
});
