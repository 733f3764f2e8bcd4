import axios from 'axios';
import { emptyPage, jsonAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  apiKey,
  client,
  catchError,
  id,
  portal,
  startPortalForEachTest,
  userEmail,
} from '../test/stage.ts';
import { createPortalClient } from './index.ts';

startPortalForEachTest();

describe('another portal', () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };

  it('writes accept 200 with an empty body', async () => {
    portal.answer(jsonAnswer(200));
    expect(await client.users.create({ email: userEmail, name: 'W', role: 3 })).toBeUndefined();
    await client.users.delete({ userEmail });
    await client.users.linkReports({ userEmail, reports: [] });
  });

  it.each<[string, FakeAnswer]>([
    ['a list', jsonAnswer(200, [1])],
    ['an empty body of type HTML', (_, response) => response.writeHead(200, html).end()],
    ['white space', (_, response) => response.writeHead(201, html).end('\n')],
    ['204 with a type', (_, response) => response.writeHead(204, html).end()],
    ['text', jsonAnswer(200, 'done')],
    ['plain text', (_, response) => response.end('OK')],
  ])('writes accept an answer with %s', async (_, answer) => {
    portal.answer(answer);
    await client.users.linkReports({ userEmail, reports: [] });
    expect(portal.received).toHaveLength(1);
  });

  it.each([
    ['its type', { 'Content-Type': 'Text/HTML; charset=utf-8' }, 'Please sign in'],
    ['its content', {}, '\n<!doctype html><title>Sign in</title>'],
  ])('a write that a page answers fails, recognized by %s', async (_, head, page) => {
    portal.answer((__, response) => response.writeHead(200, head).end(page));
    for (const each of [
      client,
      createPortalClient({ apiUrl: portal.url, apiKey, axios: axios.create() }),
    ]) {
      portal.received.length = 0;
      const error = await catchError(each.users.delete({ userEmail }));
      expect(error).toMatchObject({
        code: 'portal_answer_invalid',
        status: 200,
        retryable: false,
      });
      expect(error.message).toContain('Check that apiUrl');
      expect(portal.received).toHaveLength(1);
    }
  });

  it('unknown fields of an answer are dropped', async () => {
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

  it('paging parameters are sent only if given', async () => {
    portal.answer(jsonAnswer(200, emptyPage));
    await client.users.list();
    await client.users.list({ name: '' });
    expect(portal.received.map((each) => each.url)).toEqual([
      '/prefix/api/user',
      '/prefix/api/user',
    ]);
  });

  it('fieldNames rename the page parameter of lists other than the log, and the groups of a role', async () => {
    const fieldNames = { pageNumber: 'page', groups: 'groupIds' };
    const own = createPortalClient({ apiUrl: portal.url, apiKey, fieldNames });
    portal.answer(jsonAnswer(200, emptyPage));
    await own.users.list({ pageNumber: 2, name: 'w' });
    await own.reports.list({ pageNumber: 2 });
    await own.rls.list({ pageNumber: 2 });
    await own.audit.list({ pageNumber: 2 });
    await own.rls.linkGroups({ groups: [id], datasetId: id, role: 'West' });
    await own.rls.unlinkGroups({ groups: [id], datasetId: id, role: 'West' });
    expect(portal.received.map(({ url, body }) => body ?? url)).toEqual([
      '/api/user?name=w&page=2',
      '/api/report?page=2',
      '/api/datasets/rls?page=2',
      '/api/report-audit?pageNumber=2',
      { groupIds: [id], datasetId: id, role: 'West' },
      { groupIds: [id], datasetId: id, role: 'West' },
    ]);
    await own.close();
  });

  it('fieldNames with an unknown or an empty name are refused', () => {
    for (const fieldNames of [{ page: 'x' }, { groups: '' }, 'page'])
      expect(() => createPortalClient({ apiUrl: portal.url, apiKey, fieldNames } as never)).toThrow(
        /fieldNames/,
      );
  });

  it('the error of a portal that ignores pageNumber names the option for another parameter', async () => {
    portal.answer(jsonAnswer(200, { ...emptyPage, totalPages: 2, hasNextPage: true }));
    const error = await catchError(client.users.iterate().next());
    expect(error.code).toBe('portal_answer_invalid');
    expect(error.message).toContain('Set fieldNames.pageNumber');
  });

  it('an error has the message of the answer, and ignores one that is no text', async () => {
    portal.answer(jsonAnswer(400, { message: 'groupsIds is required.' }));
    const error = await catchError(client.users.linkReports({ userEmail, reports: [] }));
    expect(error.message).toMatch(/400 invalid_request: groupsIds is required\.$/);
    portal.answer(jsonAnswer(400, { message: ['no'], detail: 'Odd.' }));
    const other = await catchError(client.users.linkReports({ userEmail, reports: [] }));
    expect(other.message).toMatch(/400 invalid_request: Odd\.$/);
  });

  it('an error has the plain text of the answer, and no page', async () => {
    const answer = (type: string, text: string) =>
      portal.answer((_, response) => response.writeHead(404, { 'Content-Type': type }).end(text));
    answer('text/plain; charset=utf-8', 'Role not found\n');
    const error = await catchError(client.users.linkReports({ userEmail, reports: [] }));
    expect(error.message).toMatch(/404 not_found: Role not found$/);
    expect(error.endpoint).toBe('PUT /api/user/link-reports');
    answer('text/html', '<h1>Page not found</h1>');
    const other = await catchError(client.users.list());
    expect(other.message).toBe(
      "GET /api/user was answered 404 not_found with an HTML page. Check that apiUrl is the address of the portal's API, before /api.",
    );
    const addition = await catchError(client.identity.endSessions({ userEmail }));
    expect(addition.message).toContain('is not in the specification, and this portal does not');
  });

  it('a mint that a page answers fails', async () => {
    portal.answer((_, response) => response.end('<html>Welcome</html>'));
    const error = await catchError(client.identity.mintUrl({ userEmail }));
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
  ])('the status %i without a code is the error %s', async (status, code) => {
    portal.answer(jsonAnswer(status, { message: 'no' }));
    expect(await catchError(client.identity.mintUrl({ userEmail }))).toMatchObject({
      code,
      status,
    });
  });
});
