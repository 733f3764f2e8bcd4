// @vitest-environment node
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ValuesRequest } from '../requests/reader-view.ts';
import type { FavoriteRequest } from '../requests/viewer.ts';
import { createPortalApi } from './portal-api.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
const server = createServer((request, response) => answer(request, response));
const api = createPortalApi('the-bearer');
const { signal } = new AbortController();

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  // The client requests relative URLs, which Node's fetch rejects.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(origin + path, init));
});

afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const answerWith = (status: number, body: string) => {
  answer = (_request, response) => void response.writeHead(status).end(body);
};
const listReports = () => api.listReports(signal);

describe('an API call', () => {
  it('a call sends the bearer in a header and the request in the body', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers;
        seen.push(request.method, request.url, authorization, type, JSON.parse(body));
        response.end('{"rowCount":1}');
      });
    };
    await api.viewReport('a/b', { intent: 'open' }, signal);
    expect(seen).toEqual([
      'POST',
      '/viewer/reports/a%2Fb/view',
      'Bearer the-bearer',
      'application/json',
      { intent: 'open' },
    ]);
  });

  it('a failed call throws the code, reason and request id of the response', async () => {
    const problem = { code: 'report_failed', title: 'No data', detail: 'No data. Wait.' };
    answerWith(502, JSON.stringify({ ...problem, requestId: 'r-1', reason: 'unavailable' }));
    await expect(listReports()).rejects.toMatchObject({
      code: 'report_failed',
      requestId: 'r-1',
      reason: 'unavailable',
      filters: [],
    });
  });

  it('refused filters are named by the error', async () => {
    const errors = [
      { path: 'Planet', message: 'names no column of the report' },
      { path: 'Orders/Moon', message: 'names no column of the report' },
    ];
    answerWith(422, JSON.stringify({ code: 'filters_not_applied', errors }));
    await expect(listReports()).rejects.toMatchObject({ filters: ['Planet', 'Orders/Moon'] });
  });

  it.each([
    [502, '<html>Bad gateway</html>', 'internal_error'],
    [401, '', 'session_required'],
    [200, '{"cut', 'unreachable'],
  ])('a %d response of a proxy (%s) has the code %s', async (status, body, code) => {
    answerWith(status, body);
    await expect(listReports()).rejects.toMatchObject({ code });
  });

  it('a connection that closes without a response is unreachable', async () => {
    answer = (request) => request.socket.destroy();
    await expect(listReports()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('the list of reports is a GET with the bearer', async () => {
    const seen: unknown[] = [];
    answer = ({ method, url, headers }, response) => {
      seen.push(method, url, headers.authorization);
      response.end('{"reports":[]}');
    };
    expect(await listReports()).toEqual({ reports: [] });
    expect(seen).toEqual(['GET', '/viewer/reports', 'Bearer the-bearer']);
  });

  it.each([
    ['POST', 'values', (body: object) => api.listValues('a/b', body as ValuesRequest, signal)],
    ['PUT', 'favorite', (body: object) => api.setFavorite('a/b', body as FavoriteRequest, signal)],
    ['POST', 'export', (body: object) => api.send('a/b', 'export', body)],
    ['POST', 'print', (body: object) => api.send('a/b', 'print', body)],
  ] as const)('sends %s to `/%s` of its report', async (method, path, call) => {
    const seen = new Promise((resolve) => {
      answer = (request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += chunk));
        request.on('end', () => {
          resolve([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
          response.end('{}');
        });
      };
    });
    await call({ field: 'Region' });
    expect(await seen).toEqual([
      method,
      `/viewer/reports/a%2Fb/${path}`,
      'Bearer the-bearer',
      { field: 'Region' },
    ]);
  });

  it.each([
    ['listReports', (aborted: AbortSignal) => api.listReports(aborted)],
    ['viewReport', (aborted: AbortSignal) => api.viewReport('a', { intent: 'open' }, aborted)],
    ['listValues', (aborted: AbortSignal) => api.listValues('a', { field: 'Region' }, aborted)],
    ['setFavorite', (aborted: AbortSignal) => api.setFavorite('a', { isFavorite: true }, aborted)],
  ])('an aborted call of %s closes its connection', async (_, call) => {
    const aborting = new AbortController();
    const closed = new Promise((resolve) => {
      answer = (request) => {
        request.socket.once('close', resolve);
        aborting.abort();
      };
    });
    await expect(call(aborting.signal)).rejects.toMatchObject({ code: 'unreachable' });
    await closed;
  });

  it('an error never includes the bearer', async () => {
    answer = (request) => request.socket.destroy();
    const error = await listReports().catch((reason: unknown) => reason);
    expect(JSON.stringify(error) + String(error)).not.toContain('the-bearer');
  });
});
