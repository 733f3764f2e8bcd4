import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import {
  errorTable,
  hostErrorCodes,
  problemSchema,
  problemTypePrefix,
} from '@portal-embed/contract';
import type { HostErrorCode } from '@portal-embed/contract';
import { problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Options } from '../test/entry.ts';
import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp, SendInput } from '../test/running-app.ts';
import type { PortalUser } from './index.ts';

interface Failure {
  code: HostErrorCode;
  options?: Partial<Options> | (() => Partial<Options>);
  input?: Partial<SendInput>;
  /** Default: the status of the code. */
  status?: number;
}

const secret = 's3cret';
const fail = (): never => {
  throw new Error(`postgres://me:${secret}@db`);
};
const reject = () => Promise.reject(new Error(`postgres://me:${secret}@db`));
const throwText = () => {
  // eslint-disable-next-line typescript/only-throw-error -- The app's code may.
  throw secret;
};
const json = (head: Record<string, string> = {}) => ({
  headers: { 'Content-Type': 'application/json', ...head },
});

let portal: FakePortal;
let app: RunningApp;
beforeEach(async () => {
  portal = await startFakePortal();
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const broken = { info: fail, warn: fail, error: fail };
const unknownUser = (provision: unknown) => () => {
  portal.answer(problemAnswer(404, 'user_not_found'));
  return { provision } as Partial<Options>;
};

const failures: Record<string, Failure> = {
  'user throws': { options: { user: fail }, code: 'portal_unavailable' },
  'user rejects': { options: { user: reject }, code: 'portal_unavailable' },
  'user throws text': { options: { user: throwText }, code: 'portal_unavailable' },
  'user returns no e-mail': {
    options: { user: () => ({}) as PortalUser },
    code: 'portal_unavailable',
  },
  'user returns text': {
    options: { user: () => 'west@acme.example' as unknown as PortalUser },
    code: 'portal_unavailable',
  },
  'the tenant look-up throws': { options: { tenants: fail }, code: 'portal_unavailable' },
  'the tenant look-up rejects': { options: { tenants: reject }, code: 'portal_unavailable' },
  'the tenant look-up finds an invalid tenant': {
    options: () => ({ tenants: () => acme(portal, { apiUrl: 'nowhere' }) }),
    code: 'portal_unavailable',
  },
  'the tenant look-up finds nothing': {
    options: { tenants: () => null },
    code: 'unknown_tenant',
  },
  'authorize throws': { options: { authorize: fail }, code: 'portal_unavailable' },
  'authorize rejects': { options: { authorize: reject }, code: 'portal_unavailable' },
  'authorize returns no policy': {
    options: { authorize: () => ({ alow: {} }) as never },
    code: 'portal_unavailable',
  },
  'provision throws': { options: unknownUser(fail), code: 'portal_unavailable' },
  'provision rejects': { options: unknownUser(reject), code: 'portal_unavailable' },
  'provision returns no state': {
    options: unknownUser(() => ({ name: 'West' })),
    code: 'portal_unavailable',
  },
  'hooks and logger throw at a refusal': {
    options: { user: () => null, onRefuse: fail, logger: broken },
    code: 'not_signed_in',
  },
  'hooks and logger throw at a failure': {
    options: { user: fail, onError: reject, logger: broken },
    code: 'portal_unavailable',
  },
  'the body is no JSON': { input: { ...json(), text: '{' }, code: 'invalid_request' },
  'the body is JSON of something else': {
    input: { ...json(), text: 'null' },
    code: 'invalid_request',
  },
  'the body is too large': {
    input: { ...json(), text: `{${' '.repeat(300_000)}}` },
    code: 'invalid_request',
  },
  'the body is a bomb': {
    input: { ...json(), text: '['.repeat(50_000) },
    code: 'invalid_request',
  },
  'the body has an unknown charset': {
    input: { headers: { 'Content-Type': 'application/json; charset=x-none' }, text: '{}' },
    code: 'invalid_request',
  },
  'the body is a form': {
    input: { headers: { 'Content-Type': 'text/plain' }, text: '{}' },
    code: 'invalid_request',
  },
  'the method is not POST': {
    input: { method: 'GET', text: '' },
    code: 'invalid_request',
    status: 405,
  },
  'the host name is nonsense': { input: { host: 'a b' }, code: 'unknown_tenant' },
  'the page is of another site': {
    input: json({ 'Sec-Fetch-Site': 'cross-site' }),
    code: 'cross_site',
  },
  'time is up': {
    options: { user: () => new Promise<never>(() => {}), limits: { timeoutMs: 50 } },
    code: 'portal_timeout',
  },
};

describe('the answer is a problem of the closed union, with advice, if', () => {
  it.each(Object.entries(failures))('%s', async (_, { code, options, input, status }) => {
    const given = typeof options === 'function' ? options() : options;
    app = await startHostApp(portal, { onError() {}, ...given });
    const answer = await app.send({
      method: 'POST',
      path: '/portal-embed/url',
      ...json(),
      text: '{}',
      ...input,
    });
    const problem = problemSchema.parse(answer.json);
    expect(hostErrorCodes).toContain(problem.code);
    expect(problem).toMatchObject({
      code,
      type: problemTypePrefix + code,
      status: answer.status,
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.status).toBe(status ?? errorTable[code].status);
    expect(problem.detail).toMatch(/^[A-Z].*[^.]\.$/);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('application/problem+json') as string,
      'cache-control': 'no-store',
    });
    expect(answer.text).not.toContain(secret);
    expect(answer.text).not.toMatch(/\.[jt]s:\d|node_modules|Error:/);
  });
});

describe('a client that disconnects', () => {
  it('in the middle of its body causes no error', async () => {
    const errors: unknown[] = [];
    app = await startHostApp(portal, { onError: ({ error }) => errors.push(error) });
    for (const length of [2, 100]) {
      const socket = connect(app.port, '127.0.0.1');
      const head = `POST /portal-embed/url HTTP/1.1\r\nHost: acme.localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
      await new Promise((resolve) => socket.write(head, resolve));
      socket.destroy();
    }
    expect((await app.mint()).status).toBe(200);
    expect(errors).toEqual([]);
  });
});

describe('a compressed body', () => {
  const text = (bytes: Buffer) => bytes as unknown as string;
  const send = (encoding: string, bytes: Buffer) => {
    const length = String(bytes.length);
    const head = json({ 'Content-Encoding': encoding, 'Content-Length': length });
    return app.send({ method: 'POST', path: '/portal-embed/url', ...head, text: text(bytes) });
  };
  const body = Buffer.from('{"hideMenu":true}');

  it.each([
    ['gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(Buffer.from(`{${' '.repeat(32 * 1024 * 1024)}}`))],
    ['identity, br', brotliCompressSync(body)],
    ['x-none', body],
  ])('a body with Content-Encoding %s is refused', async (encoding, bytes) => {
    const reasons: string[] = [];
    const onRefuse = ({ code }: { code: string }) => reasons.push(code);
    app = await startHostApp(portal, { onRefuse });
    expect(await send(encoding, bytes)).toMatchObject({
      status: 415,
      json: { status: 415, code: 'unsupported_media_type' },
    });
    expect(reasons).toEqual(['unsupported_media_type']);
    expect(portal.received).toHaveLength(0);
  });

  it('a body with Content-Encoding identity is accepted', async () => {
    app = await startHostApp(portal);
    for (const encoding of ['identity', 'Identity'])
      expect((await send(encoding, body)).status).toBe(200);
    expect(portal.received[0]!.body).toMatchObject({ hideMenu: true });
  });

  it.each([
    ['whose user is signed out', { 'Sec-Fetch-Site': 'same-origin' }, 'not_signed_in'],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }, 'cross_site'],
  ])('of a request %s is refused with %j as %s', async (_, site, code) => {
    app = await startHostApp(portal, { user: () => null });
    const head = json({ 'Content-Encoding': 'gzip', ...site });
    const path = '/portal-embed/url';
    expect((await app.send({ method: 'POST', path, ...head, text: '{}' })).json).toMatchObject({
      code,
    });
  });
});
