import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { endpointErrors, endpoints, errorTable, type Endpoint } from '@portal-embed/contract';
import { describe, expect, it } from 'vitest';

import { createApiDocument } from './document.ts';

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
