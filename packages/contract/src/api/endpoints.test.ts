import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

import {
  endpointExamples,
  endpoints,
  permissions,
  type Endpoint,
  type EndpointName,
} from '../index.ts';

const rows = Object.values(endpoints);

describe('the endpoint table', () => {
  it('has the 13 rows of the specification, each once', () => {
    const numbers = rows.map((row) => row.number).filter((number) => number !== null);
    expect(numbers).toEqual(Array.from({ length: 13 }, (_, i) => i + 1));
    expect(new Set(rows.map((row) => `${row.method} ${row.path}`)).size).toBe(rows.length);
  });

  it('every permission is required by an endpoint', () => {
    const required = rows.flatMap((row: Endpoint) => [row.permission, row.administratorPermission]);
    expect(new Set(required.filter(Boolean))).toEqual(new Set(permissions));
  });

  it('an unknown field of any path, query or body is an error', () => {
    for (const row of rows) {
      for (const part of ['params', 'query', 'body'] as const) {
        if (!(part in row)) continue;
        const schema = (row as Record<string, unknown>)[
          part
        ] as (typeof endpoints.listUsers)['query'];
        const result = schema.safeParse({ surprise: 1 });
        expect(result.error?.issues.some((issue) => issue.code === 'unrecognized_keys')).toBe(true);
      }
    }
  });

  it('organizationId and reportId are required together', () => {
    const { body } = endpoints.mintIdentityUrl;
    const userEmail = 'west@acme.example';
    const one = { userEmail, reportId: '6a1f4c1e-0000-4000-8000-000000000001' };
    expect(body.safeParse({ userEmail }).success).toBe(true);
    expect(body.safeParse(one).success).toBe(false);
    expect(body.safeParse({ ...one, organizationId: one.reportId }).success).toBe(true);
  });

  it('each endpoint has an example that its schemas accept', () => {
    for (const [name, row] of Object.entries(endpoints)) {
      const example: Record<string, unknown> = endpointExamples[name as EndpointName];
      const schemas = row as { [part: string]: unknown };
      for (const part of ['params', 'query', 'body', 'response']) {
        expect([name, part, part in example]).toEqual([name, part, part in row]);
        const schema = schemas[part] as z.ZodType | undefined;
        expect([name, part, schema?.safeParse(example[part]).error]).toEqual([
          name,
          part,
          undefined,
        ]);
      }
    }
  });

  it('each field of a resource, and of the request that creates a user, has an example', () => {
    const { createUser, ...others } = endpoints;
    expect(Object.keys(endpointExamples.createUser.body)).toEqual(
      Object.keys(createUser.body.shape),
    );
    for (const [name, row] of Object.entries({ createUser, ...others })) {
      if (!('response' in row)) continue;
      const { shape } = row.response;
      const { response } = endpointExamples[name as 'listUsers'];
      const [fields, example] =
        'data' in shape ? [shape.data.element.shape, response.data[0]!] : [shape, response];
      expect([name, Object.keys(example)]).toEqual([name, Object.keys(fields)]);
    }
  });

  it('unknown fields of an answer are dropped at every level', () => {
    const surprise = { surprise: 1 };
    for (const [name, row] of Object.entries(endpoints)) {
      if (!('response' in row)) continue;
      const { response } = endpointExamples[name as 'listUsers'];
      const answer = { ...response, ...surprise };
      if ('data' in answer) answer.data = answer.data.map((item) => ({ ...item, ...surprise }));
      expect([name, row.response.parse(answer)]).toEqual([name, response]);
    }
  });

  it('a page parameter must consist of digits and be within its limits', () => {
    const { query } = endpoints.listUsers;
    expect(query.parse({ pageNumber: '2' })).toMatchObject({ pageNumber: 2, pageSize: 50 });
    for (const pageNumber of ['0', '-1', '1e3', ' 1', '', '1.5', ['1'], { a: 1 }, null])
      expect(query.safeParse({ pageNumber }).success).toBe(false);
    expect(query.safeParse({ pageSize: '201' }).success).toBe(false);
  });

  it('an empty text filter means no filter', () => {
    expect(endpoints.listUsers.query.parse({ name: '' }).name).toBeUndefined();
  });
});
