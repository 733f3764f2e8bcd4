import { request } from 'node:http';

import { hostErrorCodes, problemSchema } from '@portal-embed/contract';
import { jsonAnswer, problemAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { portal, setStage, start } from '../test/stage.ts';
import type { Limits } from './index.ts';

setStage();

const reset: FakeAnswer = (_, response) => response.destroy();

describe("the portal's answer", () => {
  it.each([
    ['http://acme.portal.localhost:4001/identity?token=t', 'another port'],
    ['https://acme.portal.localhost:4000/identity?token=t', 'another protocol'],
    ['http://acme.portal.localhost:4000.evil.test/identity?token=t', 'a longer host name'],
    ['http://acme.portal.localhost:4000@evil.test/identity?token=t', 'a user name'],
    ['javascript:alert(1)', 'a script'],
  ])('%s is refused: %s', async (embedUrl) => {
    portal.answer(jsonAnswer(200, { embedUrl, expiresAt: new Date().toISOString() }));
    const { mint } = await start();
    const answer = await mint();
    expect(answer).toMatchObject({ status: 503, json: { code: 'portal_unavailable' } });
    expect(answer.text).not.toContain('token=t');
  });

  it.each([
    [true, true],
    [undefined, undefined],
    ['yes', undefined],
  ])('the frameChannel %s reaches the browser as %s', async (frameChannel, expected) => {
    const embedUrl = 'http://acme.portal.localhost:4000/identity?token=t';
    const expiresAt = new Date().toISOString();
    portal.answer(jsonAnswer(200, { embedUrl, expiresAt, frameChannel }));
    const { mint } = await start();
    const { status, json } = await mint();
    expect([status, json['frameChannel']]).toEqual([200, expected]);
  });

  it.each<[string, FakeAnswer, number, string, Partial<Limits>?]>([
    ['404 user_not_found', problemAnswer(404, 'user_not_found'), 403, 'no_portal_user'],
    ['403 user_expired', problemAnswer(403, 'user_expired'), 403, 'no_portal_user'],
    ['403 for a report', problemAnswer(403, 'report_not_accessible'), 403, 'report_not_accessible'],
    ['401', problemAnswer(401, 'invalid_api_key'), 502, 'portal_rejected_key'],
    ['403 for a key', problemAnswer(403, 'missing_permission'), 502, 'portal_rejected_key'],
    [
      '403 for an organization',
      problemAnswer(403, 'organization_mismatch'),
      502,
      'portal_rejected_key',
    ],
    ['429', problemAnswer(429, 'rate_limited', { 'Retry-After': '30' }), 429, 'rate_limited'],
    ['400', problemAnswer(400, 'invalid_request'), 400, 'invalid_request'],
    ['413', problemAnswer(413, 'body_too_large'), 400, 'invalid_request'],
    ['413 without a code', jsonAnswer(413), 400, 'invalid_request'],
    ['422', problemAnswer(422, 'unknown_references'), 400, 'invalid_request'],
    ['422 without a code', jsonAnswer(422, { detail: [] }), 400, 'invalid_request'],
    ['500', problemAnswer(500, 'internal_error'), 503, 'portal_unavailable'],
    ['overload', problemAnswer(503, 'overloaded'), 503, 'portal_unavailable'],
    [
      'a redirect',
      jsonAnswer(302, undefined, { Location: 'http://x.test' }),
      503,
      'portal_unavailable',
    ],
    ['nonsense', jsonAnswer(200, 'hello'), 503, 'portal_unavailable'],
    ['a reset', reset, 503, 'portal_unavailable'],
    ['silence', () => {}, 504, 'portal_timeout', { timeoutMs: 200 }],
  ])('%s reaches the browser as its own error', async (_, portalAnswer, status, code, limits) => {
    portal.answer(portalAnswer);
    const { mint } = await start({ limits: limits ?? {} });
    const answer = await mint();
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(problemSchema.parse(answer.json).detail).toMatch(/\w{3,}.*\.$/);
    expect(hostErrorCodes).toContain(code);
    expect(answer.text).not.toMatch(/pk_secret|about |127\.0\.0\.1/);
  });

  it('the hooks get the reason and the error, which the browser does not', async () => {
    const seen: unknown[] = [];
    const { mint } = await start({
      onRefuse: ({ code, reason }) => seen.push([code, reason]),
      onError: ({ code, error }) => seen.push([code, error]),
    });
    portal.answer(problemAnswer(403, 'user_expired'));
    await mint();
    portal.answer(problemAnswer(401, 'invalid_api_key'));
    await mint();
    const said = expect.stringMatching(/403 user_expired: about user_expired$/) as string;
    const error = { name: 'PortalApiError', status: 401, code: 'invalid_api_key' };
    expect(seen).toEqual([
      ['no_portal_user', said],
      ['portal_rejected_key', expect.objectContaining(error)],
    ]);
  });

  it('a portal answer 400 becomes a problem that points to the log, without fields', async () => {
    portal.answer(
      jsonAnswer(400, { code: 'invalid_request', errors: [{ path: 'x', message: 'y' }] }),
    );
    const { mint } = await start();
    const { json } = await mint();
    expect(json['detail']).toBe(
      'The portal does not accept this request. The log of the application says why.',
    );
    expect(json).not.toHaveProperty('errors');
  });

  it('413 says to send fewer or shorter filters', async () => {
    portal.answer(problemAnswer(413, 'body_too_large'));
    const { mint } = await start();
    expect((await mint()).json['detail']).toContain('fewer or shorter filters');
  });

  it.each([
    ['userEmail', 403, 'no_portal_user'],
    ['baseUrl', 503, 'portal_unavailable'],
    ['organizationId', 503, 'portal_unavailable'],
    ['customFilters', 400, 'invalid_request'],
  ])('about %s becomes an error for the party that can correct it', async (path, status, code) => {
    const errors = [{ path, message: 'is odd' }];
    portal.answer(jsonAnswer(400, { code: 'invalid_request', errors }));
    const { mint } = await start();
    expect(await mint()).toMatchObject({ status, json: { code } });
  });

  it('is not requested for a user without an e-mail address', async () => {
    const { mint } = await start({ user: () => ({ email: 'admin' }) });
    expect(await mint()).toMatchObject({ status: 403, json: { code: 'no_portal_user' } });
    expect(portal.received).toHaveLength(0);
  });

  it('passes Retry-After on', async () => {
    portal.answer(problemAnswer(429, 'rate_limited', { 'Retry-After': '30' }));
    const { mint } = await start();
    expect((await mint()).headers['retry-after']).toBe('30');
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['none', {}, undefined],
    ['nonsense', { 'Retry-After': 'soon' }, undefined],
    ['eternity', { 'Retry-After': '9'.repeat(400) }, '86400'],
  ])('429 with %s for Retry-After says what to do', async (_, head, handedOn) => {
    portal.answer(problemAnswer(429, 'rate_limited', head));
    const { mint } = await start();
    const answer = await mint();
    expect(answer).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(answer.headers['retry-after']).toBe(handedOn);
    expect(answer.json['detail']).toContain('Wait a moment');
  });

  it('is not awaited after the browser has gone', async () => {
    const given = new Promise<string>((resolve) => {
      portal.answer((_, response) => response.once('close', () => resolve('up')));
    });
    const { port } = await start({ limits: { timeoutMs: 3_600_000 } });
    const headers = { Host: 'acme.localhost', 'Content-Type': 'application/json' };
    const path = '/portal-embed/url';
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers });
    outgoing.on('error', () => {});
    outgoing.end('{}');
    await expect.poll(() => portal.received.length).toBe(1);
    outgoing.destroy();
    expect(await given).toBe('up');
  });
});
