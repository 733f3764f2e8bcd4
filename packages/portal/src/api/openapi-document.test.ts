import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { endpointErrors, endpoints, errorTable, type Endpoint } from '@portal-embed/contract';
import { describe, expect, it } from 'vitest';

import { createApiDocument } from './openapi-document.ts';

const document = createApiDocument();
const rows: [string, Endpoint][] = Object.entries(endpoints);

const findOperation = (row: Endpoint) =>
  document.paths?.[row.path]?.[row.method.toLowerCase() as Lowercase<Endpoint['method']>];

describe('the OpenAPI document', () => {
  it('passes redocly lint without an error or a warning', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-openapi-'));
    const file = path.join(folder, 'openapi.json');
    await fs.writeFile(file, JSON.stringify(document));
    const redocly = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));
    const { stdout } = await promisify(execFile)(
      redocly,
      ['lint', file, '--extends=recommended', '--format=json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    await fs.rm(folder, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  });

  it.each(rows)('describes %s with its permission and an example', (name, row) => {
    const operation = findOperation(row);
    expect(operation).toMatchObject({
      operationId: name,
      security: [{ apiKey: [row.permission] }],
    });
    for (const parameter of (operation?.parameters ?? []) as { in: string; example?: unknown }[])
      expect(parameter.in === 'path').toBe(parameter.example !== undefined);
    expect(operation?.description).toContain(row.description);
    expect(operation?.description).toContain(row.permission);
    expect(operation?.description).toContain(row.administratorPermission ?? '');
    const parts = JSON.stringify([operation?.requestBody, operation?.responses?.[row.status]]);
    expect(parts.split('"example":{')).toHaveLength(
      1 + (row.body ? 1 : 0) + (row.response ? 1 : 0),
    );
  });

  it.each(rows)('lists every error of %s under its status', (_name, row) => {
    const responses = findOperation(row)?.responses ?? {};
    for (const code of endpointErrors(row))
      expect(JSON.stringify(responses[`${errorTable[code].status}`])).toContain(`"code":"${code}"`);
    expect(Object.keys(responses)).toContain(`${row.status}`);
  });

  it.each(rows)('describes the headers of every response of %s', (_name, row) => {
    for (const [status, response] of Object.entries(findOperation(row)?.responses ?? {})) {
      const names = Object.keys(response.headers ?? {});
      const retry = ['429', '503'].includes(status) ? ['Retry-After'] : [];
      expect([status, names]).toEqual([status, ['X-Request-Id', ...retry]]);
    }
  });

  it('states the maximum size of a body', () => {
    const readBodyLimit = (row: Endpoint) =>
      (findOperation(row)?.requestBody as { description?: string } | undefined)?.description;
    expect(readBodyLimit(endpoints.createUser)).toBe('At most 100 kB.');
    expect(readBodyLimit(endpoints.linkReports)).toBe('At most 1000 kB.');
  });

  it.each(rows)('marks %s as an addition if the specification lacks it', (_name, row) => {
    const operation = findOperation(row) as Record<string, unknown>;
    const isAddition = row.number === null;
    expect(operation['x-portal-embed-addition']).toBe(isAddition ? true : undefined);
    expect(String(operation['description']).includes('Not part of the specification')).toBe(
      isAddition,
    );
  });

  it('has reviewed texts', () => {
    expect(document.info).toEqual({
      title: 'Portal Embed API',
      version: '1.0.0',
      description:
        'Administers users, report access and row-level security of a reports portal, reads its access log, and mints the single-use URLs that open it inside another application.\n\nEvery error is `application/problem+json` (RFC 9457); act on its `code`, which has a [page with its causes](/docs/errors). Every answer carries `X-Request-Id`. What names an unknown field is refused.',
      license: { name: 'MIT', identifier: 'MIT' },
    });
    expect(document.servers).toEqual([{ url: '/', description: 'This portal' }]);
    expect(document.tags).toEqual([
      { name: 'Users', description: 'Who may be given access to reports.' },
      { name: 'Report access', description: 'Which reports a user may open.' },
      { name: 'Reports', description: 'The catalogue of reports.' },
      { name: 'Row-level security', description: 'Which rows of a dataset a user may see.' },
      {
        name: 'Report access log',
        description: 'Who was given access to which report, when.',
      },
      { name: 'Content', description: 'Datasets, reports and roles as files.' },
      { name: 'Identity URLs', description: 'Single-use addresses that open the portal.' },
    ]);
    expect(document.components?.securitySchemes).toEqual({
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'A key of one organization, with the permissions it was made with.',
      },
    });
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining([
        'User',
        'Report',
        'RlsRole',
        'AuditEntry',
        'IdentityUrl',
        'CustomFilter',
        'Problem',
      ]),
    );
  });

  it('describes the responses and their headers, with an example of each error', () => {
    const responses = findOperation(endpoints.createUser)?.responses ?? {};
    expect(responses['201']).toMatchObject({
      description: 'Done; this is the result.',
      headers: {
        'X-Request-Id': {
          description: 'Names this request in the service’s log; the one you sent, or a new one.',
          schema: { type: 'string' },
        },
      },
    });
    const done = findOperation(endpoints.deleteUser)?.responses?.['204'];
    expect(done).toMatchObject({ description: 'Done; there is no body.' });
    expect(done).not.toHaveProperty('content');
    expect(responses['429']).toMatchObject({
      description: '`rate_limited`: Too many requests.',
      headers: {
        'Retry-After': {
          description: 'Seconds to wait before the next attempt.',
          schema: { type: 'integer', minimum: 0 },
        },
      },
      content: {
        'application/problem+json': {
          examples: {
            rate_limited: {
              value: { code: 'rate_limited', detail: 'Too many requests.', status: 429 },
            },
          },
        },
      },
    });
  });

  it.each(rows)('names the group and the summary of %s, and requires its body', (_name, row) => {
    const operation = findOperation(row);
    const [area = ''] = row.permission.split(':');
    const group = {
      users: 'Users',
      'report-access': 'Report access',
      reports: 'Reports',
      rls: 'Row-level security',
      audit: 'Report access log',
      content: 'Content',
      identity: 'Identity URLs',
    }[area];
    expect(operation).toMatchObject({ summary: row.summary, tags: [group] });
    const { required } = (operation?.requestBody ?? {}) as { required?: boolean };
    expect(required).toBe(row.body || row.isUpload ? true : undefined);
  });

  it('describes the API key', () => {
    expect(document.components?.securitySchemes?.['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    });
  });

  it('describes numeric query parameters as integers with their bounds and defaults', () => {
    const parameters = findOperation(endpoints.listUsers)?.parameters as { name: string }[];
    expect(parameters.find((parameter) => parameter.name === 'pageSize')).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
  });
});
