import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startHostEndpoint, type Answer, type HostEndpoint } from '../../test/host-endpoint.ts';
import { requestUrl } from './endpoint.ts';
import type { EmbedError } from './error.ts';
import type { FetchIdentityUrl } from './options.ts';

const { signal } = new AbortController();

let host: HostEndpoint;
beforeEach(async () => {
  host = await startHostEndpoint();
});
afterEach(async () => {
  vi.restoreAllMocks();
  document.head.replaceChildren();
  await host.close();
});

const page =
  (status: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>Page</p>');
const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const redirect = (status = 307): Answer => page(status, { location: '/elsewhere' });

const minted = { embedUrl: 'https://portal.example/identity?token=1' };
const problem = (code: string, detail: string) => ({
  type: `urn:portal-embed:problem:${code}`,
  detail,
});

const request = (options = {}, isFirst = true) =>
  requestUrl({ endpoint: host.url, ...options }, '{}', signal, isFirst);

const requestFailure = (options = {}): Promise<EmbedError> =>
  request(options).then(
    () => expect.unreachable('the request has a URL'),
    (error: EmbedError) => error,
  );

describe('the answer of the endpoint', () => {
  it.each<[string, Answer[], string, string]>([
    ['401', [page(401)], 'not_signed_in', '401'],
    ['429', [page(429, { 'retry-after': '7' })], 'rate_limited', '429'],
    ['408', [page(408)], 'endpoint_unreachable', '408'],
    ['425', [page(425)], 'endpoint_unreachable', '425'],
    ['500', [page(500)], 'endpoint_unreachable', '500'],
    ['503', [page(503)], 'endpoint_unreachable', '503'],
    ['599', [page(599)], 'endpoint_unreachable', '599'],
    ['400', [page(400)], 'endpoint_invalid', '400'],
    ['403', [page(403)], 'endpoint_invalid', '403'],
    ['404', [page(404)], 'endpoint_invalid', '404'],
    ['405', [page(405)], 'endpoint_invalid', '405'],
    ['413', [page(413)], 'endpoint_invalid', '413'],
    ['404 with a foreign problem', [json(404, { type: 'about:blank' })], 'endpoint_invalid', '404'],
    ['403 with a foreign code', [json(403, { code: 'forbidden' })], 'endpoint_invalid', '403'],
    ['403 with a URL', [json(403, minted)], 'endpoint_invalid', '403'],
    ['200 with a page', [page(200)], 'endpoint_invalid', '200'],
    ['200 with null', [json(200, null)], 'endpoint_invalid', '200'],
    ['200 without a URL', [json(200, { embedUrl: 'nowhere' })], 'endpoint_invalid', '200'],
    ['204', [(response) => response.writeHead(204).end()], 'endpoint_invalid', '204'],
    ['a redirect to a page', [redirect(), page(200)], 'not_signed_in', 'redirects'],
    ['a redirect to a 404', [redirect(), page(404)], 'not_signed_in', 'redirects'],
    ['a redirect to a 500', [redirect(308), page(500)], 'not_signed_in', 'redirects'],
  ])('%s is the cause %s', async (_answer, answers, cause, text) => {
    host.answers.push(...answers);
    const error = await requestFailure();
    expect(error).toMatchObject({ name: 'EmbedError', cause });
    expect(error.message).toContain(text);
    expect(error.message).toMatch(/^.{10,79}\.$/);
    expect(error.retryAfter).toBe(cause === 'rate_limited' ? 7 : 0);
    expect(host.requests).toHaveLength(answers.length);
  });

  it('a redirect that ends at the endpoint is followed', async () => {
    host.answers.push(redirect(308), json(200, minted));
    expect(await request()).toEqual(minted);
  });

  it('a problem of the endpoint behind a redirect has its own code and text', async () => {
    host.answers.push(redirect(308), json(403, problem('forbidden', 'Not your report.')));
    expect(await requestFailure()).toMatchObject({
      cause: 'forbidden',
      message: 'Not your report.',
    });
  });

  it('an answer while the browser is offline counts as none', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    host.answers.push(page(200));
    expect(await requestFailure()).toMatchObject({
      cause: 'endpoint_unreachable',
      message: expect.stringMatching(/^No answer from /),
    });
  });
});

describe('an answer with a body that cannot be read', () => {
  const breakOff =
    (status: number): Answer =>
    (response) => {
      response.writeHead(status, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    };

  it('a connection that breaks during the answer is endpoint_unreachable', async () => {
    host.answers.push(breakOff(200));
    expect(await requestFailure()).toMatchObject({
      cause: 'endpoint_unreachable',
      message: expect.stringMatching(/^No answer from /),
    });
  });

  it('a refusal keeps its status if the connection breaks during its body', async () => {
    host.answers.push(breakOff(401));
    expect(await requestFailure()).toMatchObject({ cause: 'not_signed_in' });
  });

  it('a response whose body the host has read is endpoint_invalid', async () => {
    const fetchIdentityUrl = async () => {
      const response = Response.json(minted);
      await response.text();
      return response;
    };
    expect(await requestFailure({ fetchIdentityUrl })).toMatchObject({
      cause: 'endpoint_invalid',
      message: '200 from fetchIdentityUrl: not an identity URL.',
    });
  });

  it('a problem without a text is described by its code', async () => {
    host.answers.push(json(403, { type: 'urn:portal-embed:problem:no_portal_user' }));
    const { cause, message } = await requestFailure({ endpoint: host.url });
    expect({ cause, message }).toEqual({
      cause: 'no_portal_user',
      message: expect.stringMatching(/^403 from http:.*: no portal user\.$/),
    });
  });
});

describe('fetchIdentityUrl', () => {
  it('gets the request and the signal that aborts it', async () => {
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(async () => minted);
    await requestUrl({ fetchIdentityUrl }, '{"reportId":"r"}', signal, true);
    const [[sent, init]] = fetchIdentityUrl.mock.calls as [Parameters<FetchIdentityUrl>];
    expect(sent).toEqual({ reportId: 'r' });
    expect(init.signal).toBe(signal);
  });

  it.each([
    ['with a status', { status: 401 }, 'not_signed_in'],
    ['with a response', { response: { status: 429, headers: {} } }, 'rate_limited'],
  ])('an error of a library %s has the cause of that answer', async (_, fields, cause) => {
    const fetchIdentityUrl = () => Promise.reject(Object.assign(new Error('failed'), fields));
    expect(await requestFailure({ fetchIdentityUrl })).toMatchObject({ cause, retryAfter: 0 });
  });
});

describe('a request that fails', () => {
  const failure = new TypeError('Failed to fetch');
  const opaque = { type: 'opaqueredirect', status: 0, ok: false } as Response;

  it('because of a redirect to another origin means: not signed in', async () => {
    const sent = vi.spyOn(globalThis, 'fetch');
    sent.mockRejectedValueOnce(failure).mockResolvedValueOnce(opaque);
    expect(await requestFailure({ endpoint: '/url' })).toMatchObject({
      cause: 'not_signed_in',
      message: '/url redirects: sign in, or exclude it from the redirect.',
    });
    expect(sent.mock.calls.map(([, init]) => init?.redirect)).toEqual([undefined, 'manual']);
  });

  it('again had no answer', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(failure);
    expect(await requestFailure({ endpoint: '/url' })).toMatchObject({
      cause: 'endpoint_unreachable',
      message: 'No answer from /url.',
    });
  });

  it('a retry is one request', async () => {
    const sent = vi.spyOn(globalThis, 'fetch').mockRejectedValue(failure);
    await expect(request({}, false)).rejects.toMatchObject({ cause: 'endpoint_unreachable' });
    expect(sent).toHaveBeenCalledOnce();
  });
});

describe('the address of the request', () => {
  it.each([
    [
      'https://user:pass@host.example/app/',
      '/portal-embed/url',
      'https://host.example/portal-embed/url',
    ],
    ['https://host.example/app/', 'embed/url', 'https://host.example/app/embed/url'],
    ['https://host.example/', 'https://api.example/url', 'https://api.example/url'],
  ])('in the page %s the endpoint %s is %s', async (base, endpoint, address) => {
    vi.spyOn(document, 'baseURI', 'get').mockReturnValue(base);
    const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(minted));
    await request({ endpoint });
    expect(sent.mock.calls[0]![0]).toBe(address);
  });

  it('a long address is shortened in messages', async () => {
    host.answers.push(page(404));
    const { message } = await requestFailure({ endpoint: `${host.url}/${'x'.repeat(200)}` });
    expect(message).toMatch(/^404 from http:\/\/.*…: not mounted, or a middleware answered\.$/);
    expect(message.length).toBeLessThanOrEqual(80);
  });
});
