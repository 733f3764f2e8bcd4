import { describe, expect, it } from 'vitest';

import { acme } from '../test/host-app.ts';
import { portal, setStage, start as startApp } from '../test/stage.ts';

setStage();

const listed = 'https://www.acme.example';
const path = '/portal-embed/url';
const start = (allowedOrigins: string[] | undefined = [listed]) =>
  startApp({ tenants: { 'acme.localhost': acme(portal, { allowedOrigins }) } });
const preflight = (origin: string, requested = 'content-type') => ({
  method: 'OPTIONS',
  path,
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': requested,
    'Sec-Fetch-Site': 'cross-site',
  },
});
const selectCorsHeaders = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a preflight request', () => {
  it('of a listed origin is answered for that origin, with credentials', async () => {
    const { send } = await start();
    const answer = await send(preflight(listed, 'content-type,x-csrf-token'));
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': listed,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,x-csrf-token',
      vary: 'Origin, Access-Control-Request-Headers',
      'cache-control': 'no-store',
    });
  });

  it.each(['https://evil.example', 'null', 'https://www.acme.example.evil.example'])(
    'of the origin %s gets no CORS headers',
    async (origin) => {
      const { send } = await start();
      const answer = await send(preflight(origin));
      expect(answer.status).toBe(405);
      expect(selectCorsHeaders(answer.headers)).toEqual([]);
      expect(answer.headers['vary']).toBe('Origin');
    },
  );

  it('to a tenant without listed origins gets no CORS headers', async () => {
    const { send } = await start([]);
    const answer = await send(preflight(listed));
    expect(answer.status).toBe(405);
    expect(selectCorsHeaders(answer.headers)).toEqual([]);
  });

  it('to an unknown tenant answers 404', async () => {
    const { send } = await start();
    const answer = await send({ ...preflight(listed), host: 'unknown.localhost' });
    expect(answer).toMatchObject({ status: 404, json: { code: 'unknown_tenant' } });
    expect(selectCorsHeaders(answer.headers)).toEqual([]);
  });
});

describe('the answer to a page of a listed origin', () => {
  const headers = { Origin: listed, 'Sec-Fetch-Site': 'cross-site' };
  const readable = {
    'access-control-allow-origin': listed,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    vary: 'Origin',
  };

  it('a page of a listed origin can read the answer', async () => {
    const { mint } = await start();
    expect(await mint({ headers })).toMatchObject({ status: 200, headers: readable });
  });

  it('a page of a listed origin can read a refusal', async () => {
    const { mint } = await start();
    expect(await mint({ headers, body: { x: 1 } })).toMatchObject({
      status: 400,
      headers: readable,
    });
  });
});

describe('the answer to any other page', () => {
  it('has no CORS headers', async () => {
    const { mint } = await start();
    for (const origin of ['https://evil.example', 'http://acme.localhost']) {
      const answer = await mint({ headers: { Origin: origin } });
      expect(selectCorsHeaders(answer.headers)).toEqual([]);
      expect(answer.headers['vary']).toBe('Origin');
    }
  });
});
