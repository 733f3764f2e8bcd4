import {
  auditEntrySchema,
  contentChangeSchema,
  dataChangeSchema,
  customFilterSchema,
  endpointErrors,
  endpointExamples,
  endpoints,
  errorTable,
  identityUrlSchema,
  requestLimits,
  createProblem,
  problemSchema,
  reportSchema,
  rlsRoleSchema,
  userSchema,
  type Endpoint,
  type EndpointName,
  type ErrorCode,
} from '@portal-embed/contract';
import { z } from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';

/** Tags by the first part of a permission. */
const tags: Record<string, { name: string; description: string }> = {
  users: { name: 'Users', description: 'Who may be given access to reports.' },
  'report-access': { name: 'Report access', description: 'Which reports a user may open.' },
  reports: { name: 'Reports', description: 'The catalogue of reports.' },
  rls: { name: 'Row-level security', description: 'Which rows of a dataset a user may see.' },
  audit: { name: 'Report access log', description: 'Who was given access to which report, when.' },
  content: { name: 'Content', description: 'Datasets, reports and roles as files.' },
  identity: { name: 'Identity URLs', description: 'Single-use addresses that open the portal.' },
};

const requestIdHeader = {
  'X-Request-Id': {
    description: 'Names this request in the service’s log; the one you sent, or a new one.',
    schema: { type: 'string' as const },
  },
};

const retryAfterHeader = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
};

/** Creates the OpenAPI 3.1 document from the contract. */
export function createApiDocument(): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, Endpoint][])
    (paths[row.path] ??= {})[toLowerCase(row.method)] = describeOperation(name, row);
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Portal Embed API',
        version: '1.0.0',
        description:
          'Administers users, report access and row-level security of a reports portal, reads its ' +
          'access log, and mints the single-use URLs that open it inside another application.\n\n' +
          'Every error is `application/problem+json` (RFC 9457); act on its `code`, which has a ' +
          '[page with its causes](/docs/errors). Every answer ' +
          'carries `X-Request-Id`. What names an unknown field is refused.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This portal' }],
      tags: Object.values(tags),
      components: {
        schemas: {
          User: userSchema,
          Report: reportSchema,
          RlsRole: rlsRoleSchema,
          AuditEntry: auditEntrySchema,
          IdentityUrl: identityUrlSchema,
          ContentChange: contentChangeSchema,
          DataChange: dataChangeSchema,
          CustomFilter: customFilterSchema,
          Problem: problemSchema,
        },
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'A key of one organization, with the permissions it was made with.',
          },
        },
      },
      paths,
    },
    { override: completeSchema },
  );
}

interface Example {
  params?: Record<string, unknown>;
  body?: object;
  response?: object;
}

function describeOperation(name: EndpointName, row: Endpoint): ZodOpenApiOperationObject {
  const example: Example = endpointExamples[name];
  const description = [
    row.description,
    `Needs the permission \`${row.permission}\`.`,
    ...(row.administratorPermission
      ? [`If the user has the role 1, 2 or 4, it needs \`${row.administratorPermission}\` too.`]
      : []),
    ...(row.number === null ? ['Not part of the specification: other portals may lack it.'] : []),
  ].join('\n\n');
  return {
    operationId: name,
    summary: row.summary,
    description,
    ...(row.number === null ? { 'x-portal-embed-addition': true } : {}),
    tags: [tags[row.permission.split(':')[0]!]!.name],
    // For schemes without scopes, OpenAPI 3.1 lists required roles here.
    security: [{ apiKey: [row.permission] }],
    requestParams: {
      ...(row.params ? { path: addExamples(row.params, example.params) } : {}),
      ...(row.query ? { query: row.query } : {}),
    },
    ...(row.body
      ? {
          requestBody: {
            description: `At most ${(row.bodyLimit ?? requestLimits.body) / 1_000} kB.`,
            required: true,
            content: { 'application/json': { schema: row.body, example: example.body } },
          },
        }
      : {}),
    ...(row.isUpload
      ? {
          requestBody: {
            description: `The bytes of the file, at most ${row.bodyLimit! / 1024 / 1024} MB.`,
            required: true,
            content: {
              'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
            },
          },
        }
      : {}),
    responses: {
      [`${row.status}`]: describeSuccess(row, example.response),
      ...describeFailures(row),
    },
  };
}

/** Leaves out the examples of queries, so that a list in the documentation shows everything. */
const addExamples = (params: z.ZodObject, examples: Record<string, unknown> = {}): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(params.shape as Record<string, z.ZodType>).map(([name, schema]) => [
        name,
        schema.meta({ ...schema.meta(), param: { example: examples[name] } }),
      ]),
    ),
  );

const describeSuccess = (row: Endpoint, example: object | undefined): ZodOpenApiResponseObject => ({
  description: row.response ? 'Done; this is the result.' : 'Done; there is no body.',
  headers: requestIdHeader,
  ...(row.response ? { content: { 'application/json': { schema: row.response, example } } } : {}),
});

/** Creates one response for each status, with an example of each code. */
function describeFailures(row: Endpoint): Record<string, ZodOpenApiResponseObject> {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  const errors = endpointErrors(row);
  for (const status of new Set(errors.map((code) => errorTable[code].status))) {
    const codes = errors.filter((code) => errorTable[code].status === status);
    responses[`${status}`] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(' '),
      headers:
        status === 429 || status === 503
          ? { ...requestIdHeader, ...retryAfterHeader }
          : requestIdHeader,
      content: {
        'application/problem+json': {
          schema: problemSchema,
          examples: Object.fromEntries(codes.map((code) => [code, { value: createExample(code) }])),
        },
      },
    };
  }
  return responses;
}

const createExample = (code: ErrorCode) =>
  createProblem(code, `${errorTable[code].title}.`, 'c0ffee00-1d2e-4f3a-8b4c-5d6e7f8a9b0c');

const toLowerCase = (method: Endpoint['method']) =>
  method.toLowerCase() as Lowercase<Endpoint['method']>;

/**
 * Adds what zod leaves out of a schema with several input forms. Leaves out the examples of fields,
 * because each operation has a whole one.
 */
const completeSchema: NonNullable<CreateDocumentOptions['override']> = ({
  jsonSchema,
  zodSchema,
}) => {
  delete jsonSchema.example;
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
};
