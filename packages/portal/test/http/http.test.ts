import { once } from 'node:events';
import { connect } from 'node:net';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { expectProblem, senderTo } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendBeginning, sendBytes, sendInTwo } from '../support/raw.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());
const send = senderTo(() => portal);

describe('an unknown path', () => {
  it.each([
    '/api',
    '/api/users',
    '/api/user/a/b',
    '/docs/x',
    '/viewer',
    '/assets/x.js',
    '/*',
    '/livez/',
    '/LIVEZ',
    '/readyz/',
    '/Readyz',
    '/openapi.json/',
    '/OpenAPI.json',
    '/DOCS',
    '/identity/',
    '/IDENTITY',
    '/organizations/x/',
    '/Organizations/x',
    '/viewer/reports/',
    '/Viewer/reports',
    '/viewer/reports/x/view/',
  ])('answers 404: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expectProblem(await send(method, path), 'not_found');
  });
});

describe('a browser', () => {
  const browse = (path: string) =>
    send('GET', path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

  it.each([
    ['/', 200, 'Reports portal'],
    ['/nowhere', 404, 'There is no page at this address'],
    ['/assets/none.js', 404, 'There is no page at this address'],
  ])('gets a page at the root and at an unknown path: %s', async (path, status, title) => {
    const answer = await browse(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(answer.headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
  });
});

it('a request other than GET and HEAD gets a problem document, even from a browser', async () => {
  const headers = { accept: 'text/html' };
  expectProblem(await send('POST', '/nowhere', { headers }), 'not_found');
});

it('the root has a page for every request that accepts one, such as a probe of the component', async () => {
  const head = await send('HEAD', '/', { headers: { accept: '*/*' } });
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const accept = 'application/json';
  expectProblem(await send('GET', '/', { headers: { accept } }), 'not_found');
});

it('a client that accepts any type gets a problem document, not a page', async () => {
  expectProblem(await send('GET', '/nowhere', { headers: { accept: '*/*' } }), 'not_found');
});

describe('an unsupported method', () => {
  const addresses: [string, string[]][] = [
    ['/api/user', ['GET', 'HEAD', 'POST']],
    ['/api/user/nobody@acme.example', ['DELETE']],
    ['/api/user/link-reports', ['PUT']],
    ['/api/report', ['GET', 'HEAD']],
    ['/api/datasets/rls', ['GET', 'HEAD']],
    ['/api/datasets/rls/unlink-groups', ['PUT']],
    ['/api/report-audit', ['GET', 'HEAD']],
    ['/api/identity/url', ['POST']],
    ['/embed', ['GET', 'HEAD']],
    ['/identity', ['GET', 'HEAD', 'POST']],
    ['/organizations/x', ['GET', 'HEAD']],
    ['/organizations/x/reports/y', ['GET', 'HEAD']],
    ['/', ['GET', 'HEAD']],
    ['/logos/x/y', ['GET', 'HEAD']],
    ['/viewer/reports', ['GET', 'HEAD']],
    ['/viewer/reports/x/view', ['POST']],
    ['/viewer/reports/x/values', ['POST']],
    ['/viewer/reports/x/favorite', ['PUT']],
    ['/viewer/reports/x/export', ['POST']],
    ['/viewer/reports/x/print', ['POST']],
    ['/openapi.json', ['GET', 'HEAD']],
    ['/docs', ['GET', 'HEAD']],
    ['/docs/reference.js', ['GET', 'HEAD']],
    ['/livez', ['GET', 'HEAD']],
    ['/readyz', ['GET', 'HEAD']],
  ];
  it.each(addresses)('answers 405 with Allow: %s', async (path, supported) => {
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
    for (const method of all.filter((each) => !supported.includes(each))) {
      const answer = await send(method, path);
      expect([method, answer.headers.allow]).toEqual([method, supported.join(', ')]);
      expectProblem(answer, 'method_not_allowed');
      expect(answer.json().detail).toBe(
        `This address does not support ${method}. Use ${supported.join(', ')}.`,
      );
    }
  });
});

describe('a path', () => {
  it('with broken percent-encoding answers 400', async () => {
    for (const part of ['%', '%zz', '%c3%28', '%ff', 'a%2'])
      expectProblem(await send('DELETE', `/api/user/${part}`), 'invalid_request');
    const answer = await send('DELETE', '/api/user/%');
    expect(answer.json().detail).toBe(
      'The request could not be read. Check its path and its length.',
    );
  });

  it('with an invalid e-mail answers 400', async () => {
    for (const part of ['x', '%00', '%2e%2e', '@', 'a%40', 'a@b@c.example']) {
      const answer = await send('DELETE', `/api/user/${part}`);
      expectProblem(answer, 'invalid_request');
      expect(answer.json().detail).toMatch(/^The path is not valid: userEmail /);
    }
  });

  it('with an unknown query parameter answers 400 and names it', async () => {
    const answer = await send('DELETE', '/api/user/nobody@acme.example?dryRun=1');
    expectProblem(answer, 'invalid_request');
    expect(answer.json()).toMatchObject({
      detail: 'This endpoint takes no query parameters. Leave them out.',
      errors: [{ path: 'dryRun', message: 'is not a known field' }],
    });
  });
});

describe('bytes that are not HTTP', () => {
  it('answer 400 as a problem document and close the connection', async () => {
    for (const bytes of ['x\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\\ x HTTP/1.1\r\n\r\n']) {
      const answer = await sendBytes(portal.publicUrl, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
      expect(answer).toMatch(/X-Request-Id: [\w-]{36}\r\n/);
      expect(answer).toContain('"code":"invalid_request"');
    }
  });
});

it('a request whose body breaks after its response gets no second response', async () => {
  const head = [
    'POST /api/identity/url HTTP/1.1',
    `Host: ${new URL(portal.publicUrl).host}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    '',
    '',
  ].join('\r\n');
  const received = await sendInTwo(portal.publicUrl, head, 'no chunk\r\n');
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(received).toMatch(/^HTTP\/1\.1 401 /);
});

it('bytes that are not HTTP close a connection with pending requests, without a response', async () => {
  const list = `GET /api/report HTTP/1.1\r\nHost: x\r\nX-API-Key: ${portal.acme.apiKey}\r\n\r\n`;
  const bytes = `${list}BREW / HTTP/1.1\r\n\r\n`;
  expect(await sendBytes(portal.publicUrl, bytes, { keepOpen: true })).toBe('');
});

it('an error response waits for the responses to earlier requests', async () => {
  const list = `GET /api/report HTTP/1.1\r\nHost: x\r\nX-API-Key: ${portal.acme.apiKey}\r\n`;
  const bytes = `${list}\r\nGET /api/report HTTP/1.1\r\nHost: x\r\n\r\n${list}Connection: close\r\n\r\n`;
  const received = await sendBytes(portal.publicUrl, bytes, { keepOpen: true });
  expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '401', '200']);
});

it('CONNECT closes a connection with pending requests, without a response', async () => {
  const get = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
  const connectBehind = `${get}${get}CONNECT x.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`;
  // Sent together, so all three are read before the first response.
  const received = await sendInTwo(portal.publicUrl, get, connectBehind);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect((await send('GET', '/livez')).status).toBe(200);
});

it('an idle connection stays open longer than a load balancer keeps it', async () => {
  const answer = await sendBeginning(portal.publicUrl, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(answer).toContain('\r\nKeep-Alive: timeout=65\r\n');
});

it('every response has the security headers, and neither ETag nor X-Powered-By', async () => {
  for (const path of ['/livez', '/api/user', '/nowhere']) {
    const { headers } = await send('GET', path);
    for (const name of ['x-powered-by', 'etag', 'strict-transport-security'])
      expect(headers).not.toHaveProperty(name);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  }
});

it('the API page may load only its own files and keeps no key in the browser', async () => {
  const { headers, body } = await send('GET', '/docs');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  });
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  const configuration = JSON.parse(/data-configuration='([^']*)'/.exec(body)?.[1] ?? '{}');
  expect(configuration).toEqual({
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'apiKey' },
    agent: { disabled: true },
    mcp: { disabled: true },
  });
  for (const part of [
    '<!doctype html>\n<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    '<title>Portal Embed API</title>',
    '<script id="api-reference" data-url="/openapi.json"',
    '<script src="/docs/reference.js"></script>',
  ])
    expect(body).toContain(part);
});

it('the API description is never cached, its script for an hour', async () => {
  const cacheOf = async (path: string) => (await send('GET', path)).headers['cache-control'];
  expect(await cacheOf('/openapi.json')).toBe('no-store');
  expect(await cacheOf('/docs/reference.js')).toBe('public, max-age=3600');
});

it('an answer of the API is never stored', async () => {
  const { headers } = await portal.api('GET', '/api/report');
  expect(headers['cache-control']).toBe('no-store');
});

it('a probe of a running portal answers ok', async () => {
  for (const path of ['/livez', '/readyz'])
    expect((await send('GET', path)).json()).toEqual({ status: 'ok' });
});

it('an error names the part of the request that is not valid', async () => {
  const query = await send('GET', '/api/user?pageSize=0');
  expect(query.json().detail).toMatch(/^The query is not valid: pageSize /);
  const body = await portal.api('POST', '/api/user', { json: { name: 'x', role: 3 } });
  expect(body.json().detail).toMatch(/^The body is not valid: email /);
});

describe('a request that Node would answer itself', () => {
  const request = (lines: string[], options = {}) =>
    sendBytes(portal.publicUrl, [...lines, '', ''].join('\r\n'), options);
  const headOf = (answer: string) => answer.slice(0, answer.indexOf('\r\n'));
  const expectLogged = (answer: string) => {
    const id = /X-Request-Id: ([\w-]{36})\r\n/i.exec(answer)?.[1];
    expect(answer).toContain(`"requestId":"${id}"`);
    expect(portal.log.filter((line) => line.includes(`"id":"${id}"`))).toHaveLength(1);
  };

  it('answers 400 as a problem document if Host is missing', async () => {
    const answer = await request(['GET /livez HTTP/1.1', 'Connection: close']);
    expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).toContain('The request has no Host header. Send one.');
    expectLogged(answer);
    expect(headOf(await request(['GET /livez HTTP/1.0']))).toBe('HTTP/1.1 200 OK');
  });

  it('is served as usual with an unknown Expect header', async () => {
    const expecting = ['Host: x', 'Expect: miracles', 'Connection: close'];
    // Nothing is at this address, which is known only after several turns of the event loop.
    const answer = await request(['GET /nowhere HTTP/1.1', ...expecting], { keepOpen: true });
    expect(headOf(answer)).toBe('HTTP/1.1 404 Not Found');
    expectLogged(answer);
    expect(headOf(await request(['GET /livez HTTP/1.1', ...expecting]))).toBe('HTTP/1.1 200 OK');
  });

  it('answers 400 if its method is CONNECT', async () => {
    const answer = await request(['CONNECT x.example:443 HTTP/1.1', 'Host: x.example:443']);
    expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
    expect(answer).toContain(
      'This server is not a proxy. Send the request directly to its target.',
    );
    expectLogged(answer);
  });

  it('closes its connection even if the client does not', async () => {
    for (const line of ['BREW / HTTP/1.1', 'CONNECT x.example:443 HTTP/1.1']) {
      const { port } = new URL(portal.publicUrl);
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      socket.write(`${line}\r\nHost: x\r\n\r\n`);
      await once(socket.resume(), 'end');
      const writing = setInterval(() => socket.write('x'), 20);
      // once() rejects with the error of writing to a closed connection.
      await expect(once(socket, 'close')).rejects.toThrow(/ECONNRESET|EPIPE/);
      clearInterval(writing);
    }
  });

  it('logs one line with its ID if it cannot be parsed', async () => {
    for (const lines of [
      ['BREW / HTTP/1.1', 'Host: x'],
      ['GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`],
    ]) {
      const answer = await request(lines);
      expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
      expectLogged(answer);
    }
  });
});

describe('oversized headers or URLs', () => {
  it('answer 400 as a problem document', async () => {
    const long = 'x'.repeat(20_000);
    for (const answer of [
      await send('GET', '/api/user', { headers: { 'x-long': long } }),
      await send('GET', `/api/user?name=${long}`),
    ])
      expect([answer.status, answer.json().detail]).toEqual([
        400,
        'The headers or the address are too long. Shorten them.',
      ]);
  });
});

describe('HEAD', () => {
  it('answers like GET, without a body', async () => {
    for (const path of [
      '/api/user',
      '/api/report',
      '/openapi.json',
      '/docs',
      '/livez',
      '/readyz',
    ]) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect([path, head.status, head.body]).toEqual([path, get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });
});

it('an unknown address, an invalid key and a defect have a detail that says what to do', async () => {
  expect((await send('GET', '/nowhere')).json().detail).toBe(
    'There is nothing at this address. Check the path; letter case and slashes matter.',
  );
  expect((await portal.api('GET', '/api/user', { key: 'x' })).json().detail).toBe(
    'The API key is missing or not valid. Send a valid key in the header X-API-Key, or ask an administrator of the portal for one.',
  );
  await sql`ALTER TABLE users RENAME TO users_away`.execute(portal.db);
  const defect = await send('GET', '/api/user');
  await sql`ALTER TABLE users_away RENAME TO users`.execute(portal.db);
  const advice = 'Try again; if the problem persists, send the requestId to your administrator.';
  expect(defect.json()).toMatchObject({
    detail: `Something went wrong on our side. ${advice}`,
    advice,
  });
});
