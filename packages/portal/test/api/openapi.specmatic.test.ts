import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import {
  endpointExamples,
  endpoints,
  type Endpoint,
  type EndpointName,
} from '@portal-embed/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiDocument } from '../../src/api/openapi-document.ts';
import { requestOf, type Call } from '../support/calls.ts';
import { writeFiles } from '../support/content-files.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

/**
 * Specmatic sends many requests that the OpenAPI document allows or forbids, and checks every response
 * against the document. It runs on Java.
 */
const jar = path.join(
  path.dirname(createRequire(import.meta.url).resolve('specmatic/package.json')),
  'specmatic.jar',
);

/** How many combinations of optional parameters are sent for each operation. */
const combinations = '60';

/** A content file without mistakes, which arbitrary text would have, and its data file. */
const oneRow = {
  dataset: 'name: One\nsource: { file: one.csv }\nrowAccess: everyone\n',
  csv: 'One\n1\n',
};

interface Parameter {
  example?: unknown;
  schema: Schema & Record<string, unknown>;
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
}

/**
 * Returns the API document, limited to the data of this portal: a request with a random id would be
 * valid and still answer 404. Examples are removed, because they name other data.
 */
function narrowDocument(organization: TestOrganization): object {
  const { emails, id, address, datasetId, reportId, groupId } = organization;
  const existing: Record<string, Schema> = {
    userEmail: { enum: [emails.east] },
    usersEmails: { items: { enum: [emails.west, emails.east] } },
    reports: { items: { enum: [reportId] } },
    groups: { items: { enum: [groupId] } },
    datasetId: { enum: [datasetId] },
    role: { enum: ['West', 'East'] },
    organizationId: { enum: [id] },
    reportId: { enum: [reportId] },
    baseUrl: { enum: [address] },
  };
  const document = createApiDocument();
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const method = row.method.toLowerCase() as Lowercase<Endpoint['method']>;
    const operation = document.paths![row.path]![method] as unknown as {
      parameters: Parameter[];
      requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
    };
    for (const parameter of operation.parameters) delete parameter.example;
    if (name === 'listAuditEntries') dropBounds(operation.parameters);
    const body = operation.requestBody?.content['application/json'];
    if (!body) continue;
    delete body.example;
    if (name === 'createUser') {
      // Specmatic does not support the format `idn-email` and would send arbitrary text.
      body.schema.properties!['email'] = { type: 'string', format: 'email' } as Schema;
      continue;
    }
    if (name === 'applyContent') {
      const properties = { 'datasets/one.yaml': { type: 'string', enum: [oneRow.dataset] } };
      body.schema.properties!['files'] = {
        type: 'object',
        properties,
        // No files at all are refused when prune is set.
        required: Object.keys(properties),
        additionalProperties: false,
      } as Schema;
      continue;
    }
    for (const [field, schema] of Object.entries(body.schema.properties ?? {})) {
      const { enum: values, items } =
        name === 'mintIdentityUrl' && field === 'userEmail'
          ? { enum: [emails.west] }
          : (existing[field] ?? {});
      if (values) body.schema.properties![field] = { type: 'string', enum: values } as Schema;
      if (items) schema.items = { type: 'string', ...items } as Schema;
    }
  }
  return document;
}

/** With its bounds, each parameter has four cases, and nine parameters have too many combinations. */
function dropBounds(parameters: Parameter[]): void {
  for (const { schema } of parameters)
    for (const bound of ['minimum', 'maximum', 'minLength', 'maxLength']) delete schema[bound];
}

/** Returns valid calls, from which Specmatic derives its own. It invents the new users itself. */
function validCalls(organization: TestOrganization): Partial<Record<EndpointName, Call>> {
  const { emails, id, address, datasetId, reportId, groupId } = organization;
  const paging = { pageNumber: 1, pageSize: 50 };
  const links = { userEmail: emails.east, reports: [reportId] };
  const userLinks = { usersEmails: [emails.west], datasetId, role: 'West' };
  const groupLinks = { groups: [groupId], datasetId, role: 'West' };
  return {
    listUsers: { query: { name: 'w', email: '@', ...paging } },
    deleteUser: { params: { userEmail: emails.none } },
    endSessions: { params: { userEmail: emails.east } },
    linkReports: { body: links },
    unlinkReports: { body: links },
    listReports: { query: { reportName: 'o', workspaceName: 'a', ...paging } },
    listRlsRoles: { query: { datasetId, ...paging } },
    linkRlsUsers: { body: userLinks },
    linkRlsGroups: { body: groupLinks },
    unlinkRlsUsers: { body: userLinks },
    unlinkRlsGroups: { body: groupLinks },
    listAuditEntries: {
      query: {
        userEmail: emails.west,
        reportName: 'Orders',
        reportId,
        action: 1,
        from: '2020-01-01T00:00:00Z',
        to: '2100-01-01T00:00:00Z',
        ...paging,
      },
    },
    mintIdentityUrl: {
      body: {
        userEmail: emails.west,
        baseUrl: address,
        organizationId: id,
        reportId,
        hideMenu: true,
        hideNavbar: true,
        hideSidebar: true,
        embed: false,
        customFilters: [{ key: 'Orders/Region', value: 'West' }],
      },
    },
  };
}

/** A call and its response in the file format of specmatic. */
function exampleFile(name: EndpointName, call: Call, apiKey: string): object {
  const { method, path: pathAndQuery } = requestOf(name, call);
  const { response } = endpointExamples[name] as { response?: object };
  return {
    'http-request': {
      method,
      path: pathAndQuery.split('?')[0],
      headers: { 'X-API-Key': apiKey },
      query: call.query ?? {},
      ...(call.body ? { body: call.body } : {}),
    },
    'http-response': { status: endpoints[name].status, ...(response ? { body: response } : {}) },
  };
}

describe('the API, tested by specmatic', () => {
  let portal: TestPortal;
  let folder: string;
  beforeAll(async () => {
    portal = await startTestPortal();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-specmatic-'));
  });
  afterAll(async () => {
    await portal.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('every response conforms to the OpenAPI document', async () => {
    const { acme } = portal;
    writeFiles(path.join(portal.datasetFolder, acme.id), { 'one.csv': oneRow.csv });
    const write = (file: string, content: object) =>
      fs.writeFileSync(path.join(folder, file), JSON.stringify(content));
    fs.mkdirSync(path.join(folder, 'examples'));
    write('openapi.json', narrowDocument(acme));
    for (const [name, call] of Object.entries(validCalls(acme)))
      write(`examples/${name}.json`, exampleFile(name as EndpointName, call, acme.apiKey));

    const { output, code } = await runSpecmatic(folder, portal.publicUrl, acme.apiKey);
    const failed = output.match(/^.*has FAILED$/gm) ?? [];
    const [, run, failures] = /Tests run: (\d+), .*Failures: (\d+)/.exec(output) ?? [];
    const end = code === 0 ? '' : output.slice(-3_000);
    expect({ failed, failures, code, end }).toEqual({
      failed: [],
      failures: '0',
      code: 0,
      end: '',
    });
    expect(Number(run)).toBeGreaterThan(1_000);
  }, 300_000);
});

function runSpecmatic(
  folder: string,
  url: string,
  apiKey: string,
): Promise<{ output: string; code: number | string }> {
  const env = {
    ...process.env,
    SPECMATIC_DISABLE_TELEMETRY: 'true',
    SPECMATIC_GENERATIVE_TESTS: 'true',
    MAX_TEST_REQUEST_COMBINATIONS: combinations,
    // The name of the document's security scheme.
    apiKey,
  };
  const options = ['test', 'openapi.json', '--examples=examples', `--testBaseURL=${url}`];
  return new Promise((resolve) => {
    execFile(
      'java',
      ['-jar', jar, ...options],
      { cwd: folder, env, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ output: stdout + stderr, code: error ? (error.code ?? 'killed') : 0 }),
    );
  });
}
