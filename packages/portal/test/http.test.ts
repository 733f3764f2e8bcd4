import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

import {
  endpoints,
  errorTable,
  limits,
  type Endpoint,
  type EndpointName,
  type ErrorCode,
} from '@portal-embed/contract';
import { send as sendRequest, type Answer } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { harmlessCalls } from './support/calls.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { sendBeginning, sendBytes, sendInTwo } from './support/raw.ts';
import { startSession } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const rows: [string, Endpoint][] = Object.entries(endpoints);
const rowsWithBody = rows.filter(([, row]) => row.body);

const pathOf = (row: Endpoint) => row.path.replace('{userEmail}', 'nobody@acme.example');

/** The answer is a problem as RFC 9457 has it, with what our table says of the code. */
function expectProblem(answer: Answer, code: ErrorCode): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([
    errorTable[code].status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(answer.json()).toMatchObject({
    type: `urn:portal-embed:problem:${code}`,
    title: errorTable[code].title,
    status: errorTable[code].status,
    detail: expect.stringMatching(/\.$/),
    code,
    requestId: answer.headers['x-request-id'],
  });
  expect(answer.headers['cache-control']).toBe('no-store');
}

const send = (
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
) =>
  sendRequest(portal.publicUrl, {
    ...options,
    method,
    path,
    headers: { 'x-api-key': portal.acme.apiKey, ...options.headers },
  });

const json = { 'content-type': 'application/json' };

describe('an address that does not exist', () => {
  it.each(['/', '/api', '/api/users', '/api/user/a/b', '/docs/x', '/viewer', '/assets/x.js', '/*'])(
    'answers 404: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE'])
        expectProblem(await send(method, path), 'not_found');
    },
  );
});

describe('a method that an address does not support', () => {
  const addresses: [string, string[]][] = [
    ['/api/user', ['GET', 'HEAD', 'POST']],
    ['/api/user/nobody@acme.example', ['DELETE']],
    ['/api/user/link-reports', ['PUT']],
    ['/api/report', ['GET', 'HEAD']],
    ['/api/datasets/rls', ['GET', 'HEAD']],
    ['/api/datasets/rls/unlink-groups', ['PUT']],
    ['/api/report-audit', ['GET', 'HEAD']],
    ['/api/identity/url', ['POST']],
    ['/identity', ['GET', 'HEAD']],
    ['/organizations/x', ['GET', 'HEAD']],
    ['/organizations/x/reports/y', ['GET', 'HEAD']],
    ['/viewer/reports', ['GET', 'HEAD']],
    ['/viewer/reports/x/view', ['POST']],
    ['/openapi.json', ['GET', 'HEAD']],
    ['/docs', ['GET', 'HEAD']],
    ['/livez', ['GET', 'HEAD']],
    ['/readyz', ['GET', 'HEAD']],
  ];
  it.each(addresses)('answers 405 with Allow: %s', async (path, supported) => {
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
    for (const method of all.filter((each) => !supported.includes(each))) {
      const answer = await send(method, path);
      expect([method, answer.headers.allow]).toEqual([method, supported.join(', ')]);
      expectProblem(answer, 'method_not_allowed');
    }
  });
});

describe('a body', () => {
  it.each(rowsWithBody)('that is not JSON answers 415: %s', async (_name, row) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      '*/*',
      '',
    ]) {
      const answer = await send(row.method, pathOf(row), {
        headers: type ? { 'content-type': type } : {},
        body: '{}',
      });
      expectProblem(answer, 'unsupported_media_type');
    }
  });

  it('of a viewer page is held to the same, once its session is known', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const ask = (type: string, body: string, session = bearer) =>
      sendRequest(`${acme.address}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session}`, 'content-type': type },
        body,
      });
    expectProblem(await ask('text/plain', '{}'), 'unsupported_media_type');
    expectProblem(await ask('application/json', '{'), 'invalid_json');
    expectProblem(await ask('application/json', '{}'), 'invalid_request');
    expectProblem(await ask('application/json', 'null'), 'invalid_request');
    expectProblem(await ask('application/json', `"${'x'.repeat(200_000)}"`), 'body_too_large');
    expectProblem(await ask('text/plain', '{', 'none'), 'session_required');
  });

  it.each(rowsWithBody)('that is broken JSON answers 400: %s', async (_name, row) => {
    for (const body of ['{', '{"a":}', "{'a':1}", '{"a":1}}', 'x', '\0'])
      expectProblem(await send(row.method, pathOf(row), { headers: json, body }), 'invalid_json');
  });

  it.each(rowsWithBody)('that is missing or no object answers 400: %s', async (_name, row) => {
    for (const body of ['', '[]', '[{}]', '{}', 'null', '"text"', '1', 'true'])
      expectProblem(
        await send(row.method, pathOf(row), { headers: json, body }),
        'invalid_request',
      );
  });

  it.each(rowsWithBody)(
    'that is too large answers 413, and one byte less does not: %s',
    async (_name, row) => {
      const limit = row.bodyLimit ?? limits.body;
      expect(limit).toBe(row.path.includes('link') ? 1_000_000 : 100_000);
      const bodyOf = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
      const fitting = await send(row.method, pathOf(row), { headers: json, body: bodyOf(limit) });
      expectProblem(fitting, 'invalid_request');
      const answer = await send(row.method, pathOf(row), {
        headers: json,
        body: bodyOf(limit + 1),
      });
      expectProblem(answer, 'body_too_large');
    },
  );

  describe('that is too large', () => {
    const head = (...rest: string[]) =>
      [
        'POST /api/user HTTP/1.1',
        'Host: x',
        `X-API-Key: ${portal.acme.apiKey}`,
        'Content-Type: application/json',
        ...rest,
        '',
        '',
      ].join('\r\n');
    const size = 200_000_000;
    const firstLine = (bytes: string) => bytes.slice(0, bytes.indexOf('\r\n'));

    it('is refused by its length alone, before any of it has come', async () => {
      const received = await sendBeginning(portal.publicUrl, head(`Content-Length: ${size}`));
      expect(received).toContain('"code":"body_too_large"');
    });

    it('is refused where it becomes that, if it does not tell its length', async () => {
      const chunk = `${(limits.body + 1).toString(16)}\r\n${'x'.repeat(limits.body + 1)}\r\n`;
      const bytes = head('Transfer-Encoding: chunked') + chunk;
      expect(await sendBeginning(portal.publicUrl, bytes)).toContain('"code":"body_too_large"');
    });

    it('is not asked for if its caller asks first, and neither is one without a key', async () => {
      const expecting = ['Expect: 100-continue', 'Connection: close'];
      const tooLarge = head(`Content-Length: ${size}`, ...expecting);
      for (const [bytes, status] of [
        [tooLarge, 413],
        [tooLarge.replace(portal.acme.apiKey, 'none'), 401],
      ] as const)
        expect(firstLine(await sendBytes(portal.publicUrl, bytes, { keepOpen: true }))).toContain(
          ` ${status} `,
        );
      const fitting = head('Content-Length: 2', ...expecting);
      const received = await sendInTwo(portal.publicUrl, fitting, '{}');
      expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['100', '400']);
    });
  });

  it('that is no UTF-8 answers 400, and nothing is stored in its place', async () => {
    const body = Buffer.from('{"email":"bad@x.example","name":"M\u00fcller","role":3}', 'latin1');
    expectProblem(await send('POST', '/api/user', { headers: json, body }), 'invalid_json');
  });

  it('of a thousand unknown members is refused with each of them named, and a short sentence', async () => {
    const reports = Array.from({ length: 1_000 }, () => randomUUID());
    const answer = await portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail: portal.acme.emails.west, reports },
    });
    expectProblem(answer, 'unknown_references');
    expect(answer.json().errors).toEqual(
      reports.map((id, index) => ({
        path: `reports.${index}`,
        message: `there is no report ${id}`,
      })),
    );
    expect(answer.json().detail).toContain('and 995 more');
    expect(answer.json().detail.length).toBeLessThan(500);
  });

  it('that is nested forty thousand levels deep is refused', async () => {
    const deep = '['.repeat(40_000) + ']'.repeat(40_000);
    for (const body of [deep, `{"email":${deep},"name":"x","role":1}`]) {
      const answer = await send('POST', '/api/user', { headers: json, body });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        400,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  it.each(
    (['linkReports', 'linkRlsUsers', 'linkRlsGroups'] as const).flatMap((name) => [
      name,
      name.replace('link', 'unlink') as EndpointName,
    ]),
  )('of 10,000 items is taken, and of one more answers 413: %s', async (name) => {
    const { body } = harmlessCalls[name].call(portal.acme);
    const list = Object.keys(body!).find((field) => Array.isArray(body![field]))!;
    const ask = (length: number) => {
      const [member] = body![list] as string[];
      const { method, path } = endpoints[name];
      return portal.api(method, path, {
        json: { ...body, [list]: Array.from({ length }, () => member) },
      });
    };
    expect((await ask(10_000)).status).toBe(harmlessCalls[name].status);
    const answer = await ask(10_001);
    expectProblem(answer, 'body_too_large');
    expect(answer.json().errors).toMatchObject([{ path: list }]);
  });

  it('with too many filters answers 400: only long lists of links are to be split', async () => {
    const customFilters = Array.from({ length: 101 }, () => ({ key: 'Region', value: 'West' }));
    const answer = await portal.api('POST', '/api/identity/url', {
      json: { userEmail: portal.acme.emails.west, customFilters },
    });
    expectProblem(answer, 'invalid_request');
  });

  it('that is compressed counts by what it unpacks to', async () => {
    const body = gzipSync(`{"x":"${'a'.repeat(2_000_000)}"}`);
    expect(body.length).toBeLessThan(limits.body);
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = await send('POST', '/api/user', { headers, body });
    expectProblem(answer, 'body_too_large');
  });

  it('in an unknown encoding or character set answers 415', async () => {
    const body = '{}';
    for (const headers of [
      { ...json, 'content-encoding': 'x' },
      { 'content-type': 'application/json; charset=latin1' },
    ])
      expectProblem(await send('POST', '/api/user', { headers, body }), 'unsupported_media_type');
  });
});

describe('a path', () => {
  it('with broken percent-encoding answers 400', async () => {
    for (const part of ['%', '%zz', '%c3%28', '%ff', 'a%2'])
      expectProblem(await send('DELETE', `/api/user/${part}`), 'invalid_request');
  });

  it('with an e-mail that is none answers 400', async () => {
    for (const part of ['x', '%00', '%2e%2e', '@', 'a%40b', 'a@b@c.example'])
      expectProblem(await send('DELETE', `/api/user/${part}`), 'invalid_request');
  });
});

describe('bytes that are no HTTP request', () => {
  it('answer 400 as a problem too, and close the connection', async () => {
    for (const bytes of ['x\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\\ x HTTP/1.1\r\n\r\n']) {
      const answer = await sendBytes(portal.publicUrl, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
      expect(answer).toMatch(/X-Request-Id: [\w-]{36}\r\n/);
      expect(answer).toContain('"code":"invalid_request"');
    }
  });
});

it('a request whose body breaks after its answer gets no second answer', async () => {
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

describe('behind requests that are not answered yet', () => {
  const ask = (line: string, ...rest: string[]) =>
    [line, 'Host: x', `X-API-Key: ${portal.acme.apiKey}`, ...rest].join('\r\n');
  const listReports = () => ask('GET /api/report HTTP/1.1', '', '');

  it.each([
    ['what is no request', () => 'BREW / HTTP/1.1\r\n\r\n'],
    [
      'a broken body',
      () =>
        ask(
          'POST /api/user HTTP/1.1',
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
          '',
          'zz',
        ),
    ],
  ])('%s is refused, after their answers', async (_name, broken) => {
    const bytes = listReports() + listReports() + broken() + '\r\nmore\r\n';
    const received = await sendBytes(portal.publicUrl, bytes, { keepOpen: true });
    expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '200', '400']);
  });
});

it('CONNECT behind requests that are not answered yet is answered in the place of none', async () => {
  const get = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
  const bytes = `${get}${get}CONNECT x.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const received = await sendBytes(portal.publicUrl, bytes, { keepOpen: true });
  expect(received).not.toContain(' 400 ');
});

describe('what Node would answer by itself', () => {
  const request = (lines: string[]) => sendBytes(portal.publicUrl, [...lines, '', ''].join('\r\n'));
  const headOf = (answer: string) => answer.slice(0, answer.indexOf('\r\n'));
  const isLogged = (answer: string) => {
    const id = /X-Request-Id: ([\w-]{36})\r\n/i.exec(answer)?.[1];
    expect(answer).toContain(`"requestId":"${id}"`);
    expect(portal.log.filter((line) => line.includes(`"id":"${id}"`))).toHaveLength(1);
  };

  it('answers 400 to a request without Host, as a problem', async () => {
    const answer = await request(['GET /livez HTTP/1.1', 'Connection: close']);
    expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
    expect(answer).toContain('"code":"invalid_request"');
    isLogged(answer);
    expect(headOf(await request(['GET /livez HTTP/1.0']))).toBe('HTTP/1.1 200 OK');
  });

  it('treats a request with an expectation that it does not know as any other', async () => {
    const expecting = ['Host: x', 'Expect: miracles', 'Connection: close'];
    const answer = await request(['GET /nowhere HTTP/1.1', ...expecting]);
    expect(headOf(answer)).toBe('HTTP/1.1 404 Not Found');
    isLogged(answer);
    expect(headOf(await request(['GET /livez HTTP/1.1', ...expecting]))).toBe('HTTP/1.1 200 OK');
  });

  it('answers 400 to CONNECT', async () => {
    const answer = await request(['CONNECT x.example:443 HTTP/1.1', 'Host: x.example:443']);
    expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
    expect(answer).toContain('This is no proxy.');
    isLogged(answer);
  });

  it('closes the connection after it, whether or not the caller does', async () => {
    for (const line of ['BREW / HTTP/1.1', 'CONNECT x.example:443 HTTP/1.1']) {
      const { port } = new URL(portal.publicUrl);
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      socket.write(`${line}\r\nHost: x\r\n\r\n`);
      await once(socket.resume(), 'end');
      const writing = setInterval(() => socket.write('x'), 20);
      // once() rejects with the error that writing to a closed connection brings.
      await expect(once(socket, 'close')).rejects.toThrow(/ECONNRESET|EPIPE/);
      clearInterval(writing);
    }
  });

  it('logs one line with the id of what it could not read', async () => {
    const broken = ['Transfer-Encoding: chunked', '', 'zz', 'x', '0'];
    for (const lines of [
      ['BREW / HTTP/1.1', 'Host: x'],
      ['GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`],
      ['POST /api/user HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...broken],
    ]) {
      const answer = await request(lines);
      expect(headOf(answer)).toBe('HTTP/1.1 400 Bad Request');
      isLogged(answer);
    }
  });
});

describe('headers or an address that are too long', () => {
  it('answer 400 as a problem too', async () => {
    const long = 'x'.repeat(20_000);
    for (const answer of [
      await send('GET', '/api/user', { headers: { 'x-long': long } }),
      await send('GET', `/api/user?name=${long}`),
    ])
      expect([answer.status, answer.json().detail]).toEqual([
        400,
        'The headers, or the address, are too long.',
      ]);
  });
});

describe('HEAD', () => {
  it('answers as GET does, without a body', async () => {
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
