import { gzipSync } from 'node:zlib';

import express from 'express';
import type { Request, RequestHandler } from 'express';
import { problemAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { organizationId, portal, setStage, start } from '../test/host-app.ts';

setStage();

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';

describe('POST {mount}/url', () => {
  it.each([
    ['express.json()', () => express.json()],
    ['express.urlencoded()', () => express.urlencoded({ extended: false })],
    ['express.text() for everything', () => express.text({ type: 'text/*' })],
  ])('works behind %s of the application', async (_, parser) => {
    const { mint } = await start({}, (host) => host.use(parser()));
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ reportId });
  });

  it('uses a body that other middleware has read', async () => {
    const { mint } = await start({}, (host) => {
      host.use(async (req, _, next) => {
        let text = '';
        for await (const chunk of req) text += String(chunk);
        req.body = JSON.parse(text);
        next();
      });
    });
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ reportId });
  });

  it('refuses a body that other middleware has read and not kept', async () => {
    const reasons: unknown[] = [];
    const { mint } = await start(
      { onError: ({ error }) => void reasons.push((error as Error).message) },
      (host) => host.use((req, _, next) => void req.resume().once('end', next)),
    );
    expect((await mint({ body: { reportId } })).status).toBe(503);
    expect(portal.received).toEqual([]);
    expect(reasons).toEqual([expect.stringContaining('without setting `req.body`')]);
  });

  it.each(['/portal-embed/', '/portal-embed/url/x', '/portal-embed/URL'])(
    'leaves %s to the application',
    async (path) => {
      const { send } = await start();
      expect((await send({ method: 'POST', path })).status).toBe(404);
    },
  );
});

describe('authorize', () => {
  it('receives the request of Express as req', async () => {
    let seen: unknown;
    const { mint } = await start({
      user: () => ({ email: 'west@acme.example', department: 'Sales' }),
      authorize: ({ req, ...rest }) => {
        seen = rest;
        return req.method === 'POST';
      },
    });
    expect((await mint({ body: { reportId } })).status).toBe(200);
    expect(seen).toEqual({
      user: { email: 'west@acme.example', department: 'Sales' },
      tenant: {
        hostName: 'acme.localhost',
        apiUrl: portal.url,
        organizationId,
        portalUrl: 'http://acme.portal.localhost:4000',
      },
      request: { reportId },
    });
  });
});

describe('provision', () => {
  it('receives the request of Express as req', async () => {
    let seen: unknown;
    portal.answer(problemAnswer(404, 'user_not_found'));
    const { mint } = await start({
      provision: ({ req }) => {
        seen = req.path;
        return null;
      },
    });
    expect((await mint()).status).toBe(403);
    expect(seen).toBe('/url');
  });
});

describe('a body that a parser of the application left as text or bytes', () => {
  const bodies: [string, RequestHandler][] = [
    ['text', express.text({ type: () => true })],
    ['bytes', express.raw({ type: () => true })],
  ];

  it.each(bodies)('JSON that a parser left as %s is read', async (_, parser) => {
    const { send } = await start({}, (host) => host.use(parser));
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', path: '/portal-embed/url', headers };
    expect(await send({ ...request, text: '{"hideMenu":true}' })).toMatchObject({ status: 200 });
    expect(portal.received[0]!.body).toMatchObject({ hideMenu: true });
    expect(await send({ ...request, text: '{"hideMenu"' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_request', detail: 'Send a body that is valid JSON in UTF-8.' },
    });
  });

  it.each(bodies)(
    'UTF-8 with a BOM and a charset that a parser left as %s is read',
    async (_, parser) => {
      const { send } = await start({}, (host) => host.use(parser));
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
      const text = '\uFEFF{"customFilters":[{"key":"Straße","value":"Größe"}]}';
      const request = { method: 'POST', path: '/portal-embed/url', headers, text };
      expect(await send(request)).toMatchObject({ status: 200 });
      expect(portal.received[0]!.body).toMatchObject({
        customFilters: [{ key: 'Straße', value: 'Größe' }],
      });
    },
  );

  it.each(bodies)('no body that a parser left as %s is an empty request', async (_, parser) => {
    const { send } = await start({}, (host) => host.use(parser));
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', path: '/portal-embed/url', headers, text: '' };
    expect(await send(request)).toMatchObject({ status: 200 });
  });

  it.each(['Straße', '[', 'null', '"text"', '{"hideMenu":true}}', '{"reportId":7}'])(
    'the body %s that a parser left as text or bytes is refused',
    async (text) => {
      for (const [, parser] of bodies) {
        const { send } = await start({}, (host) => host.use(parser));
        const headers = { 'Content-Type': 'application/json' };
        const request = { method: 'POST', path: '/portal-embed/url', headers, text };
        expect(await send(request)).toMatchObject({
          status: 400,
          json: { code: 'invalid_request' },
        });
      }
      expect(portal.received).toHaveLength(0);
    },
  );

  it('bytes that are not UTF-8 are refused', async () => {
    const { send } = await start({}, (host) => host.use(express.raw({ type: () => true })));
    const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' };
    const text = Buffer.from('{"reportId":"é"}', 'latin1') as unknown as string;
    expect(await send({ method: 'POST', path: '/portal-embed/url', headers, text })).toMatchObject({
      status: 400,
      json: { detail: 'Send a body that is valid JSON in UTF-8.' },
    });
  });

  it('a parsed body of more than 256 kB is refused as text and as bytes', async () => {
    for (const parser of [express.text, express.raw]) {
      const { send } = await start({}, (host) =>
        host.use(parser({ type: () => true, limit: '1mb' })),
      );
      const headers = { 'Content-Type': 'application/json' };
      const text = JSON.stringify({ reportId: 'é'.repeat(140_000) });
      const request = { method: 'POST', path: '/portal-embed/url', headers, text };
      expect(await send(request)).toMatchObject({
        status: 400,
        json: { detail: 'Send a smaller body: 256 kB at most.' },
      });
    }
  });

  it.each(bodies)('another content type is refused, also as %s', async (_, parser) => {
    const { send } = await start({}, (host) => host.use(parser));
    const headers = { 'Content-Type': 'text/plain' };
    const request = { method: 'POST', path: '/portal-embed/url', headers };
    expect(await send({ ...request, text: '{"hideMenu":true}' })).toMatchObject({ status: 400 });
    expect(portal.received).toHaveLength(0);
  });
});

it('a compressed body that an earlier parser inflated is accepted', async () => {
  const { send } = await start({}, (host) => host.use(express.json()));
  const bytes = gzipSync('{"hideMenu":true}');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Encoding': 'gzip',
    'Content-Length': String(bytes.length),
  };
  const text = bytes as unknown as string;
  expect(await send({ method: 'POST', path: '/portal-embed/url', headers, text })).toMatchObject({
    status: 200,
  });
  expect(portal.received[0]!.body).toMatchObject({ hideMenu: true });
});

it('an answer that the application has begun is left alone', async () => {
  const events: unknown[] = [];
  const { mint } = await start({
    user: ({ res }: Request) => {
      res!.write('too ');
      setTimeout(() => res!.end('late'), 50);
      throw new Error('session store down');
    },
    onError: ({ code }) => void events.push(code),
  });
  expect(await mint()).toMatchObject({ status: 200, text: 'too late' });
  expect(events).toEqual([undefined]);
});

describe('the request id', () => {
  it('that is not text or a number is replaced', async () => {
    const { mint } = await start({}, (host) => {
      host.use((req, _, next) => {
        Object.assign(req, { id: Object.create(null) as object });
        next();
      });
    });
    const answer = await mint();
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of the logger of the application comes first', async () => {
    const { mint } = await start({}, (host) =>
      host.use((req, _, next) => {
        Object.assign(req, { id: 7 });
        next();
      }),
    );
    expect((await mint({ headers: { 'X-Request-Id': 'edge-42' } })).headers['x-request-id']).toBe(
      '7',
    );
  });
});
