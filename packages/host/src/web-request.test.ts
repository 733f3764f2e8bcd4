import { Readable } from 'node:stream';

import { problemAnswer } from 'test-support/fake-portal';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { acme, createOptions } from '../test/host-app.ts';
import { portal, setStage } from '../test/stage.ts';
import { createMinter, isCrossSite } from './index.ts';
import type { MinterOptions, PortalUser } from './index.ts';

setStage();

const url = 'http://acme.localhost/portal-embed/url';
const json = { 'Content-Type': 'application/json' };
const createRequest = (init: RequestInit = {}, address = url) =>
  new Request(address, { method: 'POST', headers: json, body: '{}', ...init });
const options = () => createOptions(portal);
const readCode = async (answer: Response) => ((await answer.json()) as { code?: string }).code;

/** A framework's request, as Hono's or Fastify's. */
interface Context {
  session: PortalUser | null;
  body?: unknown;
}

describe('the context', () => {
  it('is what user, tenants and authorize receive', async () => {
    const seen: unknown[] = [];
    const context: Context = { session: { email: 'west@acme.example' } };
    const mint = createMinter({
      ...options(),
      tenants: (given: Context) => {
        seen.push(given);
        return acme(portal);
      },
      user: (given) => {
        seen.push(given);
        return given.session;
      },
      authorize: (given) => {
        seen.push(given.context);
        return true;
      },
    });
    expect((await mint(createRequest(), context)).status).toBe(200);
    expect(seen).toEqual([context, context, context]);
    // @ts-expect-error a context of its own type must be given
    void (() => mint(createRequest()));
    // @ts-expect-error a context of its own type must be given
    void (() => mint.open(createRequest()));
    expect((await mint.endSessions(context.session!, createRequest(), context)).status).toBe(
      'ended',
    );
  });

  it('is what provision receives', async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const seen: unknown[] = [];
    const context: Context = { session: { email: 'west@acme.example' } };
    const mint = createMinter({
      ...options(),
      user: (given: Context) => given.session,
      provision: (given) => {
        seen.push(given.context);
        return null;
      },
    });
    await mint(createRequest(), context);
    expect(seen).toEqual([context]);
  });

  it('is the web request by default', async () => {
    const mint = createMinter({
      ...options(),
      user: (request) => {
        expectTypeOf(request).toEqualTypeOf<Request>();
        return { email: request.headers.get('x-user')! };
      },
    });
    const headers = { ...json, 'X-User': 'east@acme.example' };
    expect((await mint(createRequest({ headers }))).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ userEmail: 'east@acme.example' });
  });
});

describe('the host name', () => {
  it.each([
    ['http://acme.localhost:3000/x', 200],
    ['https://ACME.localhost./x', 200],
    ['http://evil.localhost/x', 404],
    ['http://acme.localhost.evil.example/x', 404],
    ['http://127.0.0.1/x', 404],
    ['http://acme.localhost,globex.localhost/x', 404],
  ])('comes from the URL of the request: %s answers %i', async (address, status) => {
    expect((await createMinter(options())(createRequest({}, address))).status).toBe(status);
  });

  it('does not come from a header', async () => {
    const mint = createMinter(options());
    const headers = { ...json, 'X-Forwarded-Host': 'acme.localhost', Host: 'acme.localhost' };
    const answer = await mint(createRequest({ headers }, 'http://evil.localhost/'));
    expect(await readCode(answer)).toBe('unknown_tenant');
  });

  it.each([
    'globex.localhost',
    'acme.localhost, globex.localhost',
    'acme.localhost#',
    'acme.localhost:81',
  ])('is unknown where the URL names acme.localhost and the header Host %s', async (host) => {
    const answer = await createMinter(options())(createRequest({ headers: { ...json, host } }));
    expect(await readCode(answer)).toBe('unknown_tenant');
  });

  it('comes from the option origin, which also decides the own origin', async () => {
    const origin = () => 'https://acme.localhost:8443';
    const mint = createMinter({ ...options(), origin });
    const internal = 'http://10.0.0.5:3000/portal-embed/url';
    const from = (page: string) =>
      mint(createRequest({ headers: { ...json, Origin: page } }, internal));
    expect((await from('https://acme.localhost:8443')).status).toBe(200);
    expect(await readCode(await from('http://10.0.0.5:3000'))).toBe('cross_site');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no address', 'acme.localhost'],
    ['an address with a path', 'https://acme.localhost/path'],
    ['an address that a URL parser corrects', 'https://acme.localhost#'],
    ['two hosts', 'https://acme.localhost,globex.localhost'],
  ])('is unknown where origin returns %s', async (_, origin) => {
    const mint = createMinter({ ...options(), origin: () => origin });
    expect(await readCode(await mint(createRequest()))).toBe('unknown_tenant');
  });
});

describe('a body', () => {
  it('that the framework has parsed is taken from the option body', async () => {
    const mint = createMinter({
      ...options(),
      user: ({ session }: Context) => session,
      body: (context) => context.body,
    });
    const context = { session: { email: 'west@acme.example' }, body: { hideMenu: true } };
    const request = createRequest();
    await request.text();
    expect((await mint(request, context)).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ hideMenu: true });
  });

  it('that is compressed is refused even where the framework has parsed it', async () => {
    const mint = createMinter({ ...options(), body: () => ({}) });
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    expect((await mint(createRequest({ headers }))).status).toBe(415);
    expect(portal.received).toHaveLength(0);
  });

  it('that was read before, without the option body, is an error of the application', async () => {
    const errors: unknown[] = [];
    const mint = createMinter({ ...options(), onError: ({ error }) => errors.push(error) });
    const request = createRequest();
    await request.text();
    expect(await readCode(await mint(request))).toBe('portal_unavailable');
    expect(String(errors[0])).toContain('Return it from the option `body`');
    expect(portal.received).toHaveLength(0);
  });

  it('is not read for a request without a user', async () => {
    const mint = createMinter({ ...options(), user: () => null });
    const request = createRequest();
    expect((await mint(request)).status).toBe(401);
    expect(request.bodyUsed).toBe(false);
  });

  it('that is endless is refused at its limit', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield new TextEncoder().encode(' '.repeat(1_024));
      })(),
    );
    const body = Readable.toWeb(endless) as ReadableStream;
    const answer = await createMinter(options())(createRequest({ body, duplex: 'half' }));
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { detail: string }).detail).toContain('256 kB at most');
    endless.destroy();
  });
});

describe('a callback that fails', () => {
  const fail = (): never => {
    throw new Error('no');
  };
  it.each(['origin', 'body'] as const)('answers portal_unavailable: %s', async (name) => {
    const lines: object[] = [];
    const log = (fields: object) => void lines.push(fields);
    const logger = { info: log, warn: log, error: log };
    const given: MinterOptions<PortalUser, Request> = { ...options(), logger, [name]: fail };
    expect(await readCode(await createMinter(given)(createRequest()))).toBe('portal_unavailable');
    expect(lines).toMatchObject([{ callback: name }]);
  });
});

it('a request that its client has given up is not reported as a failure', async () => {
  const events: unknown[] = [];
  portal.answer(() => {});
  const closed = new AbortController();
  const mint = createMinter({ ...options(), onError: (event) => events.push(event) });
  const answer = mint(createRequest({ signal: closed.signal }));
  await expect.poll(() => portal.received.length).toBe(1);
  closed.abort();
  expect((await answer).ok).toBe(false);
  expect(events).toEqual([]);
});

it('a sign-out goes on after its client has closed the connection', async () => {
  const mint = createMinter(options());
  const request = createRequest({ signal: AbortSignal.abort() });
  const result = await mint.endSessions({ email: 'west@acme.example' }, request);
  expect(result).toEqual({ status: 'ended' });
  expect(portal.received).toHaveLength(1);
});

it('open without allowOpen says in the log how to switch it on', async () => {
  const reasons: string[] = [];
  const mint = createMinter({ ...options(), onRefuse: ({ reason }) => reasons.push(reason) });
  const answer = await mint.open(new Request('http://acme.localhost/portal-embed/open'));
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(reasons).toEqual([expect.stringContaining('Set allowOpen: true')]);
});

it.each([
  [undefined, 'needs an object with tenants and user'],
  [{ origin: 'https://acme.example' }, 'createMinter: origin must be a function'],
  [{ users: () => null }, 'createMinter: '],
])('createMinter refuses the options %o', (given, message) => {
  const create = () => createMinter(given as unknown as MinterOptions<PortalUser, Request>);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

describe('isCrossSite', () => {
  const from = (headers: Record<string, string>) => createRequest({ headers });
  it('accepts pages of the own and of allowed origins, and no others', () => {
    const evil = from({ Origin: 'https://evil.example' });
    expect(isCrossSite(from({}))).toBe(false);
    expect(isCrossSite(from({ Origin: 'http://acme.localhost' }))).toBe(false);
    expect(isCrossSite(from({ 'Sec-Fetch-Site': 'same-site' }))).toBe(true);
    expect(isCrossSite(evil)).toBe(true);
    const allowedOrigins = new Set(['https://evil.example']);
    expect(isCrossSite(evil, { allowedOrigins })).toBe(false);
    expect(isCrossSite(evil, { origin: 'https://evil.example' })).toBe(false);
  });
});
