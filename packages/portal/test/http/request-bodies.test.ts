import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { endpoints, requestLimits, type Endpoint, type EndpointName } from '@portal-embed/contract';
import { send as sendRequest } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { harmlessCalls } from '../support/calls.ts';
import { expectProblem, json, senderTo } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendBeginning, sendBytes, sendInTwo } from '../support/raw.ts';
import { startSession } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());
const send = senderTo(() => portal);

const rows: [string, Endpoint][] = Object.entries(endpoints);
const rowsWithBody = rows.filter(([, row]) => row.body);

const fillPath = (row: Endpoint) => row.path.replace('{userEmail}', 'nobody@acme.example');

describe('a body', () => {
  it.each(rowsWithBody)('that is not JSON answers 415: %s', async (_name, row) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      '*/*',
      '',
    ]) {
      const answer = await send(row.method, fillPath(row), {
        headers: type ? { 'content-type': type } : {},
        body: '{}',
      });
      expectProblem(answer, 'unsupported_media_type');
    }
  });

  it('of a viewer page follows the same rules once its session is known', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const sendBody = (type: string, body: string, session = bearer) =>
      sendRequest(`${acme.address}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session}`, 'content-type': type },
        body,
      });
    expectProblem(await sendBody('text/plain', '{}'), 'unsupported_media_type');
    expectProblem(await sendBody('application/json', '{'), 'invalid_json');
    expectProblem(await sendBody('application/json', '{}'), 'invalid_request');
    expectProblem(await sendBody('application/json', 'null'), 'invalid_request');
    expectProblem(await sendBody('application/json', `"${'x'.repeat(200_000)}"`), 'body_too_large');
    expectProblem(await sendBody('text/plain', '{', 'none'), 'session_required');
  });

  it('of a viewer page may have long values of filters, with each letter escaped', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    const value = `"${'\\u0061'.repeat(2_000)}"`;
    const filter = `{"field":"Category","values":[${Array(15).fill(value).join(',')}]}`;
    const body = `{"intent":"open","view":{"filters":[${filter}],"sorts":[],"drills":[]}}`;
    const answer = await sendRequest(`${acme.address}/viewer/reports/${acme.reportId}/view`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body,
    });
    expect([answer.status, answer.json().rowCount]).toEqual([200, 0]);
  });

  it.each(rowsWithBody)('with invalid JSON answers 400: %s', async (_name, row) => {
    for (const body of ['{', '{"a":}', "{'a':1}", '{"a":1}}', 'x', '\0'])
      expectProblem(await send(row.method, fillPath(row), { headers: json, body }), 'invalid_json');
  });

  it.each(rowsWithBody)('that is missing or not an object answers 400: %s', async (_name, row) => {
    for (const body of ['', '[]', '[{}]', '{}', 'null', '"text"', '1', 'true'])
      expectProblem(
        await send(row.method, fillPath(row), { headers: json, body }),
        'invalid_request',
      );
  });

  it.each([
    [
      'text/plain',
      '{}',
      'The body is not JSON. Send JSON, with the header Content-Type: application/json.',
    ],
    [
      'application/json; charset=latin1',
      '{}',
      'The Content-Type names another charset than UTF-8. Send the body in UTF-8.',
    ],
    ['application/json', '{', 'The body is not valid JSON. Check its syntax.'],
    [
      'application/json',
      Buffer.from([0x22, 0xff, 0x22]),
      'The body is not in UTF-8. Check its encoding.',
    ],
    ['application/json', '', 'The request has no body. Send one as JSON.'],
    [
      'application/json',
      'x'.repeat(200_000),
      'The body is larger than 100000 bytes. Split the request into smaller ones.',
    ],
  ])('of type %s that is rejected is told why: %s', async (type, body, detail) => {
    const headers = { 'content-type': type };
    expect((await send('POST', '/api/user', { headers, body })).json().detail).toBe(detail);
  });

  it.each(['utf-8', 'UTF-8', '"utf8"'])('with the charset %s is read', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const answer = await send('POST', '/api/user', { headers, body: '{}' });
    expectProblem(answer, 'invalid_request');
  });

  it('that is not an object has a detail without a field name', async () => {
    const answer = await send('POST', '/api/user', { headers: json, body: '1' });
    expect(answer.json().detail).toMatch(/^The body is not valid: \S/);
  });

  it('that is absent answers 400, with and without a content type', async () => {
    const { host } = new URL(portal.publicUrl);
    const head = `POST /api/user HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${portal.acme.apiKey}`;
    const bytes = `${head}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`;
    for (const sent of [bytes, bytes.replace('Content-Type: application/json\r\n', '')])
      expect(await sendBytes(portal.publicUrl, sent, { keepOpen: true })).toContain(
        'The request has no body.',
      );
  });

  it.each(rowsWithBody)(
    'over the size limit answers 413, and at the limit does not: %s',
    async (_name, row) => {
      const limit = row.bodyLimit ?? requestLimits.body;
      expect(limit).toBe(/link|content/.test(row.path) ? 1_000_000 : 100_000);
      const bodyOf = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
      const fitting = await send(row.method, fillPath(row), { headers: json, body: bodyOf(limit) });
      expectProblem(fitting, 'invalid_request');
      const answer = await send(row.method, fillPath(row), {
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

    it('that is too large is rejected for its Content-Length before any of it has arrived', async () => {
      const received = await sendBeginning(portal.publicUrl, head(`Content-Length: ${size}`));
      expect(received).toContain('"code":"body_too_large"');
    });

    it('that is too large is rejected once it exceeds the limit if it has no Content-Length', async () => {
      const chunk = `${(requestLimits.body + 1).toString(16)}\r\n${'x'.repeat(requestLimits.body + 1)}\r\n`;
      const bytes = head('Transfer-Encoding: chunked') + chunk;
      expect(await sendBeginning(portal.publicUrl, bytes)).toContain('"code":"body_too_large"');
    });

    it('that is too large is discarded, and its connection serves the next request', async () => {
      const text = 'x'.repeat(4 * requestLimits.body);
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
      const next = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const bytes = head('Transfer-Encoding: chunked') + chunk + next;
      const received = await sendBytes(portal.publicUrl, bytes, { keepOpen: true });
      expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['413', '200']);
    });

    it('that is too large gets no 100 Continue, and neither does a body without a valid key', async () => {
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

  it('that is not UTF-8 answers 400, and nothing is stored', async () => {
    const body = Buffer.from('{"email":"bad@x.example","name":"M\u00fcller","role":3}', 'latin1');
    expectProblem(await send('POST', '/api/user', { headers: json, body }), 'invalid_json');
  });

  it('with a thousand unknown members answers with an error for each and a short detail', async () => {
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

  it('with a few unknown members has a detail that names them all', async () => {
    const { west } = portal.acme.emails;
    const detailFor = async (reports: string[]) => {
      const answer = await portal.api('PUT', '/api/user/link-reports', {
        json: { userEmail: west, reports },
      });
      return answer.json().detail;
    };
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const named = ids.slice(0, 5).map((id) => `there is no report ${id}`);
    expect(await detailFor(ids.slice(0, 5))).toBe(`Nothing was changed: ${named.join('; ')}.`);
    expect(await detailFor(ids)).toBe(
      `Nothing was changed: ${named.join('; ')}; and 1 more that \`errors\` names.`,
    );
  });

  it('that is nested forty thousand levels deep is rejected', async () => {
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
  )('with 10,000 items is accepted, and with one more answers 413: %s', async (name) => {
    const { body } = harmlessCalls[name].call(portal.acme);
    const list = Object.keys(body!).find((field) => Array.isArray(body![field]))!;
    const sendBody = (length: number) => {
      const [member] = body![list] as string[];
      const { method, path } = endpoints[name];
      return portal.api(method, path, {
        json: { ...body, [list]: Array.from({ length }, () => member) },
      });
    };
    expect((await sendBody(10_000)).status).toBe(harmlessCalls[name].status);
    const answer = await sendBody(10_001);
    expectProblem(answer, 'body_too_large');
    expect(answer.json()).toMatchObject({
      detail: 'The list has more than 10000 items. Split the request into smaller ones.',
      errors: [{ path: list }],
    });
  });

  it('with too many filters or a long name answers 400, since only lists of links can be split', async () => {
    const customFilters = Array.from({ length: 101 }, () => ({ key: 'Region', value: 'West' }));
    const answer = await portal.api('POST', '/api/identity/url', {
      json: { userEmail: portal.acme.emails.west, customFilters },
    });
    expectProblem(answer, 'invalid_request');
    const { datasetId, emails } = portal.acme;
    const link = await portal.api('PUT', '/api/datasets/rls/link-users', {
      json: { usersEmails: [emails.west], datasetId, role: 'x'.repeat(1_000) },
    });
    expectProblem(link, 'invalid_request');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)(
    'compressed with %s answers 415 and is not decompressed',
    async (encoding, compress) => {
      const { acme } = portal;
      const compressed = compress(Buffer.alloc(32_000_000, ' '));
      const headers = { ...json, 'content-encoding': encoding };
      const answer = await send('POST', '/api/user', { headers, body: compressed });
      expectProblem(answer, 'unsupported_media_type');
      expect(answer.json().detail).toContain('uncompressed');

      const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
      const viewed = await sendRequest(`${acme.address}/viewer/reports/${acme.reportId}/view`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${bearer}` },
        body: compressed,
      });
      expectProblem(viewed, 'unsupported_media_type');
    },
  );

  it('with Content-Encoding identity is read, in any letter case', async () => {
    for (const encoding of ['identity', 'Identity', 'IDENTITY']) {
      const headers = { ...json, 'content-encoding': encoding };
      expectProblem(await send('POST', '/api/user', { headers, body: '{}' }), 'invalid_request');
    }
  });

  it('is not read if the key lacks the permission of the endpoint', async () => {
    const { key } = await createApiKey(portal.acme.ctx, {
      name: 'reads',
      permissions: ['users:read'],
    });
    for (const path of ['/api/user', '/api/identity/url']) {
      const bytes = [
        `POST ${path} HTTP/1.1`,
        'Host: x',
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
        '',
        '',
      ].join('\r\n');
      expect(await sendBeginning(portal.publicUrl, bytes)).toContain('"code":"missing_permission"');
    }
  });

  it.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('with the charset %s is read', async (name) => {
    const headers = { 'content-type': `application/json; charset=${name}` };
    expectProblem(await send('POST', '/api/user', { headers, body: '{}' }), 'invalid_request');
  });

  it('with an unknown encoding or charset answers 415', async () => {
    const body = '{}';
    for (const headers of [
      { ...json, 'content-encoding': 'x' },
      { ...json, 'content-encoding': 'constructor' },
      { 'content-type': 'application/json; charset=latin1' },
    ])
      expectProblem(await send('POST', '/api/user', { headers, body }), 'unsupported_media_type');
  });
});
