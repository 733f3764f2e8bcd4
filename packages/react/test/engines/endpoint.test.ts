import type { RequestListener } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startSite } from '../browser/sites.ts';
import { sendJson } from '../host-endpoint.ts';
import { causesOf, expectReport, frameCount, messagesOf, mount, setUpEngine } from './stage.ts';

const stage = setUpEngine();

const page =
  (status: number, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>Page</p>');
const redirect = (status: number, location = '/sign-in') => page(status, { location });

/** Starts an identity provider at another origin. Returns an answer that redirects to it. */
async function redirectToProvider(status: number, answer = page(200)) {
  const site = await startSite('sign-in', answer);
  onTestFinished(() => void site.stop());
  return redirect(status, `${site.origin}/authorize`);
}

/** Allows pages of the host to read an answer. */
const allowHost =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    response.setHeader('access-control-allow-origin', stage.host.origin);
    response.setHeader('access-control-allow-headers', 'content-type');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else answer(request, response);
  };

const mint: RequestListener = (_, response) =>
  sendJson(response, 200, {
    embedUrl: `${stage.portal.origin}/identity?token=1`,
    expiresAt: '',
    expiresIn: 300,
  });

/** Waits for the failure. Returns it, with the number of POSTs that the server has received. */
async function fail(answer: RequestListener, props = {}) {
  stage.host.answer = answer;
  await mount(stage, props);
  await expect.poll(() => causesOf(stage), { timeout: 25_000 }).toHaveLength(1);
  const [cause] = await causesOf(stage);
  const [message] = await messagesOf(stage);
  expect(message).toMatch(/^.{10,79}\.$/);
  expect(await frameCount(stage)).toBe(0);
  return { cause, message, posts: stage.host.mints };
}

const path = '/portal-embed/url';
const redirects = `${path} redirects: sign in, or exclude it from the redirect.`;

describe('an answer that is not retried', () => {
  it.each<[number, string, string]>([
    [401, 'not_signed_in', `401 from ${path}: sign in.`],
    [400, 'endpoint_invalid', `400 from ${path}: a middleware answered.`],
    [403, 'endpoint_invalid', `403 from ${path}: not mounted, or CSRF protection answered.`],
    [404, 'endpoint_invalid', `404 from ${path}: not mounted, or a middleware answered.`],
    [413, 'endpoint_invalid', `413 from ${path}: a server in front limits the size.`],
    [200, 'endpoint_invalid', `200 from ${path}: not an identity URL.`],
    // Redirects without a `Location` header.
    [302, 'endpoint_invalid', `302 from ${path}: a middleware answered.`],
    [304, 'endpoint_invalid', `304 from ${path}: a middleware answered.`],
  ])('a page with the status %s is one POST and %s', async (status, cause, message) => {
    expect(await fail(page(status))).toEqual({ cause, message, posts: 1 });
  });

  it('401 with a challenge of Basic authentication is not_signed_in', async ({ skip }) => {
    const { failAuthentication } = stage.page;
    if (!failAuthentication) skip();
    await failAuthentication!();
    // The browser sends the wrong password itself.
    let withoutPassword = 0;
    const { cause } = await fail((request, response) => {
      if (!request.headers.authorization) withoutPassword++;
      page(401, { 'www-authenticate': 'Basic realm="Host"' })(request, response);
    });
    expect({ cause, withoutPassword }).toEqual({ cause: 'not_signed_in', withoutPassword: 1 });
  });

  it('413 while the body is sent is endpoint_invalid', async () => {
    const customFilters = Array.from({ length: 100 }, () => ({
      key: 'k',
      value: 'x'.repeat(20_000),
    }));
    // Like nginx, which reads on before it closes, so that the browser gets the answer.
    const answer: RequestListener = (request, response) => {
      response.writeHead(413, { connection: 'close' }).write('too large');
      request.on('end', () => response.end()).resume();
    };
    const { cause, posts } = await fail(answer, { customFilters });
    expect({ cause, posts }).toEqual({ cause: 'endpoint_invalid', posts: 1 });
  });

  it('429 with a long Retry-After is one POST and rate_limited', async () => {
    const limited = await fail(page(429, { 'retry-after': '70' }));
    const message = `429 from ${path}: rate limited.`;
    expect(limited).toEqual({ cause: 'rate_limited', message, posts: 1 });
  });
});

describe('an answer that is retried', () => {
  it.each([500, 502, 503, 425])('a page with the status %s is four POSTs', async (status) => {
    const { cause, posts } = await fail(page(status));
    expect({ cause, posts }).toEqual({ cause: 'endpoint_unreachable', posts: 4 });
  });

  it('the embed retries 408, and so does the browser', async () => {
    const { cause, posts } = await fail(page(408));
    expect(cause).toBe('endpoint_unreachable');
    expect([4, 8]).toContain(posts);
  });

  it.each<[string, RequestListener]>([
    ['closed', (request) => request.socket.end()],
    ['reset', (request) => request.socket.resetAndDestroy()],
  ])('a connection that is %s counts as no answer and is retried', async (_, answer) => {
    const { posts, ...failure } = await fail(answer);
    expect(failure).toEqual({ cause: 'endpoint_unreachable', message: `No answer from ${path}.` });
    // Four attempts, one with a second request. A browser may repeat a request on a keep-alive connection.
    expect(posts).toBeGreaterThanOrEqual(5);
    expect(posts).toBeLessThanOrEqual(6);
  });

  it('a connection that breaks during the answer counts as no answer and is retried', async () => {
    const { posts, ...failure } = await fail((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{', () => response.destroy());
    });
    expect(failure).toEqual({ cause: 'endpoint_unreachable', message: `No answer from ${path}.` });
    expect(posts).toBeGreaterThanOrEqual(4);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '%s to a page is one POST and not_signed_in',
    async (status) => {
      const failure = await fail(redirect(status));
      expect(failure).toEqual({ cause: 'not_signed_in', message: redirects, posts: 1 });
    },
  );

  it.each([302, 307])(
    '%s to another origin without CORS is one more POST and not_signed_in',
    async (status) => {
      const failure = await fail(await redirectToProvider(status));
      expect(failure).toEqual({ cause: 'not_signed_in', message: redirects, posts: 2 });
    },
  );

  it.each([302, 307])(
    '%s to another origin with CORS is one POST and not_signed_in',
    async (status) => {
      const failure = await fail(await redirectToProvider(status, allowHost(page(200))));
      expect(failure).toEqual({ cause: 'not_signed_in', message: redirects, posts: 1 });
    },
  );

  it('to another origin that does not answer is not_signed_in', async () => {
    const failure = await fail(redirect(302, 'http://closed.localhost:9/'));
    expect(failure).toEqual({ cause: 'not_signed_in', message: redirects, posts: 2 });
  });

  it.each([307, 308])('%s to the endpoint shows the report', async (status) => {
    stage.host.answer = redirect(status, `${path}/`);
    stage.host.answerOthers = (request, response) =>
      request.method === 'POST' ? mint(request, response) : page(404)(request, response);
    await mount(stage);
    await expectReport(stage, 1);
    expect(stage.host.mints).toBe(1);
  });

  it('to an endpoint of another origin with CORS shows the report', async () => {
    stage.host.answer = await redirectToProvider(308, allowHost(mint));
    await mount(stage);
    await expectReport(stage, 1);
  });
});
