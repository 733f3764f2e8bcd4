import { inspect } from 'node:util';

import { jsonAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { apiKey, organizationId, portalUrl, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/running-app.ts';
import type { ErrorEvent, Logger, MintEvent, PortalUser, RefuseEvent } from './index.ts';

let portal: FakePortal;
let app: RunningApp;
let lines: { level: string; fields: Record<string, unknown>; message: string }[];
let events: { hook: string; event: object }[];

const writeLine = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, fields: { ...fields }, message });
const logger: Logger = {
  info: writeLine('info'),
  warn: writeLine('warn'),
  error: writeLine('error'),
};
const hooks = {
  onMint: (event: MintEvent<PortalUser>) => events.push({ hook: 'onMint', event }),
  onRefuse: (event: RefuseEvent<PortalUser>) => events.push({ hook: 'onRefuse', event }),
  onError: (event: ErrorEvent<PortalUser>) => events.push({ hook: 'onError', event }),
};
const start = async (options: Parameters<typeof startHostApp>[1] = {}) => {
  app = await startHostApp(portal, { ...hooks, logger, ...options });
  return app;
};

beforeEach(async () => {
  portal = await startFakePortal();
  lines = [];
  events = [];
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const tenant = () => ({
  hostName: 'acme.localhost',
  apiUrl: portal.url,
  organizationId,
  portalUrl,
});
const user = { email: 'west@acme.example' };

const reject = () => Promise.reject(new RangeError('postgres://me:password@db'));
const hang = () => new Promise<never>(() => {});
const secret = 's3cret';
const row = { apiUrl: 'http://127.0.0.1:1', apiKey, organizationId, portalUrl };
const locked = { lockedFilters: [{ key: 'Region', values: [secret] }] };

describe('a mint', () => {
  it("is reported to onMint and logged with the portal's request id", async () => {
    const { mint } = await start();
    await mint({ headers: { 'X-Request-Id': 'edge-1' }, body: { embed: true } });
    expect(portal.received[0]!.headers['x-request-id']).toBe('edge-1');
    expect(events).toEqual([
      {
        hook: 'onMint',
        event: {
          requestId: 'edge-1',
          durationMs: expect.any(Number) as number,
          tenant: tenant(),
          user,
          request: { embed: true },
          expiresAt: expect.any(String) as string,
        },
      },
    ]);
    expect(lines).toMatchObject([
      { level: 'info', fields: { requestId: 'edge-1', tenant: 'acme.localhost' } },
    ]);
  });
});

describe('a refusal', () => {
  it.each([
    ['no user is signed in', { user: () => null }, {}, 'not_signed_in'],
    ['authorize says no', { authorize: () => false }, {}, 'forbidden'],
    ['the host name is unknown', {}, { host: 'x.localhost' }, 'unknown_tenant'],
    ['another site asks', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 'cross_site'],
    ['the body is wrong', {}, { body: { x: 1 } }, 'invalid_request'],
  ])('is reported to onRefuse when %s', async (_, options, input, code) => {
    const { mint } = await start(options);
    await mint(input);
    expect(events).toMatchObject([{ hook: 'onRefuse', event: { code } }]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { code } }]);
  });

  it("by the portal is logged by its code; only hooks get the portal's text, which may name the user", async () => {
    const detail = `There is no ${user.email}.`;
    portal.answer(jsonAnswer(404, { code: 'user_not_found', detail }));
    const { mint } = await start();
    const answer = await mint();
    expect(lines[0]!.fields['reason']).toBe('the portal answered 404 (user_not_found)');
    expect(JSON.stringify(lines)).not.toContain(user.email);
    expect(events).toMatchObject([
      { hook: 'onRefuse', event: { reason: expect.stringContaining(detail) as string } },
    ]);
    expect(answer.text).not.toContain(user.email);
  });
});

describe('a failure', () => {
  it("of the portal is reported to onError with the client's error", async () => {
    portal.answer(problemAnswer(401, 'invalid_api_key'));
    const { mint } = await start();
    await mint();
    const error = expect.objectContaining({ name: 'PortalApiError', status: 401 }) as Error;
    expect(events).toMatchObject([
      { hook: 'onError', event: { code: 'portal_rejected_key', user, error } },
    ]);
    expect(lines).toMatchObject([{ level: 'error', fields: { code: 'portal_rejected_key' } }]);
  });

  it('of a callback is reported to onError, and its text is not logged', async () => {
    const error = new Error('postgres://me:password@db');
    const { mint } = await start({ user: () => Promise.reject(error) });
    expect((await mint()).status).toBe(503);
    expect(events).toMatchObject([{ hook: 'onError', event: { code: undefined, error } }]);
    expect(JSON.stringify(lines)).not.toContain('password');
  });

  it.each<[string, NonNullable<Parameters<typeof start>[0]>]>([
    ['tenants', { tenants: reject }],
    ['user', { user: reject }],
    ['authorize', { authorize: reject }],
    ['provision', { provision: reject }],
  ])('of a callback is logged with its name: %s', async (callback, options) => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const { mint } = await start(options);
    await mint();
    expect(lines).toMatchObject([{ level: 'error', fields: { callback, error: 'RangeError' } }]);
    expect(lines[0]!.fields).not.toHaveProperty('reason');
    expect(events).toMatchObject([{ event: { error: expect.any(RangeError) as Error } }]);
  });

  it.each<[string, string, object]>([
    ['tenants', 'apiKye is not a known field', { tenants: () => ({ apiKye: secret }) }],
    ['tenants', 'apiUrl must be', { tenants: () => ({ ...row, apiUrl: secret }) }],
    [
      'tenants',
      'allowedOrigins.1 must be an origin',
      { tenants: () => ({ ...row, allowedOrigins: ['https://a.test', secret] }) },
    ],
    ['user', 'an object with an email', { user: () => ({ mail: secret }) }],
    ['authorize', 'lockedFilters.0.values', { authorize: () => locked }],
    ['provision', 'role', { provision: () => ({ name: 'West', role: secret }) }],
  ])('of what %s returns is logged without values: %s', async (callback, reason, options) => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const { mint } = await start(options);
    expect((await mint()).status).toBe(503);
    expect(lines).toMatchObject([
      { fields: { callback, reason: expect.stringContaining(reason) as string } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it.each(['tenants', 'user', 'authorize', 'provision'])(
    'by timeout names %s if the mint was waiting for it',
    async (callback) => {
      portal.answer(problemAnswer(404, 'user_not_found'));
      const { mint } = await start({ [callback]: hang, limits: { timeoutMs: 200 } });
      expect((await mint()).json).toMatchObject({ code: 'portal_timeout' });
      const reason = expect.stringMatching(`while waiting for .*${callback}`) as string;
      expect(lines).toMatchObject([{ fields: { code: 'portal_timeout', reason } }]);
    },
  );

  it('of a callback is printed without onError and logger', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('session store down');
    const failing = { user: () => Promise.reject(error), onError: undefined };
    await (await start({ ...failing, logger: undefined })).mint();
    expect(print).toHaveBeenCalledExactlyOnceWith(error);
    await app[Symbol.asyncDispose]();
    await (await start(failing)).mint();
    expect(print).toHaveBeenCalledTimes(1);
    print.mockRestore();
  });

  it('of the portal is printed without onError and logger, without the user and the key', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    portal.answer(jsonAnswer(503, { detail: `${user.email} ${apiKey}` }));
    const { mint } = await start({ onError: undefined, logger: undefined });
    await mint({ headers: { 'X-Request-Id': 'edge-1' } });
    await mint({ body: { x: 1 } });
    expect(print).toHaveBeenCalledExactlyOnceWith(
      'portal URL failed',
      expect.objectContaining({ requestId: 'edge-1', code: 'portal_unavailable' }),
    );
    expect(inspect(print.mock.calls)).not.toMatch(new RegExp(`${user.email}|${apiKey}`));
    print.mockRestore();
  });

  it('of the logger changes no answer', async () => {
    const broken = () => {
      throw new Error('disk full');
    };
    const { mint } = await start({ logger: { info: broken, warn: broken, error: broken } });
    expect((await mint()).status).toBe(200);
    expect((await mint({ body: { x: 1 } })).status).toBe(400);
    expect(events).toMatchObject([{ hook: 'onMint' }, { hook: 'onRefuse' }]);
  });

  it('a logger whose promise rejects changes no answer and does not end the process', async () => {
    const rejections = vi.fn<() => void>();
    process.on('unhandledRejection', rejections);
    const { mint } = await start({ logger: { info: reject, warn: reject, error: reject } });
    expect((await mint()).status).toBe(200);
    expect((await mint({ body: { x: 1 } })).status).toBe(400);
    await new Promise(setImmediate);
    process.off('unhandledRejection', rejections);
    expect(rejections).not.toHaveBeenCalled();
  });

  it('of a hook changes no answer', async () => {
    const failing = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('metrics down'));
    const { mint } = await start({
      onMint: failing,
      onRefuse: () => {
        throw new Error('metrics down');
      },
    });
    expect((await mint()).status).toBe(200);
    expect((await mint({ body: { x: 1 } })).status).toBe(400);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(lines.filter(({ message }) => message.includes('hook failed'))).toHaveLength(2);
  });
});

it('no log line, event or failed answer contains the key or a token', async () => {
  const { mint } = await start();
  const answers: string[] = [];
  const failures = [
    problemAnswer(401, 'invalid_api_key'),
    jsonAnswer(400, { code: 'invalid_request', detail: `bad key ${apiKey}`, requestId: apiKey }),
    jsonAnswer(302, undefined, { Location: `http://${apiKey}.test/` }),
    jsonAnswer(200, { embedUrl: 'http://evil.test/?token=t0ken', expiresAt: '2100-01-01' }),
    jsonAnswer(200, { embedUrl: `${portalUrl}/?token=t0ken`, expiresAt: 't0ken' }),
    jsonAnswer(200, { embedUrl: 't0ken', expiresAt: 'soon' }),
  ];
  for (const failure of failures) {
    portal.answer(failure);
    answers.push((await mint({ headers: { Cookie: 'sid=c00kie' } })).text);
  }
  portal.answer(() => {});
  const seen = inspect({ answers, lines, events }, { depth: 20, showHidden: true });
  expect(events).toHaveLength(failures.length);
  expect(seen).not.toContain(apiKey);
  expect(seen).not.toMatch(/t0ken|c00kie/);
});
