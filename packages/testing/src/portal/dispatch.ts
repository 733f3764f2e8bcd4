import {
  describeFieldErrors,
  endpoints,
  fieldErrors,
  permissions as allPermissions,
  userRoles,
} from '@portal-embed/contract';
import type { Endpoint, EndpointName, Permission } from '@portal-embed/contract';

import type { ReceivedRequest } from './answers.ts';
import { handlers, type HandlerContext } from './handlers.ts';
import { Refusal } from './refusal.ts';

export interface Credentials {
  apiKey: string;
  permissions?: readonly Permission[] | undefined;
}

const rows = Object.entries(endpoints).map(([name, row]) => ({
  name: name as EndpointName,
  row: row as Endpoint,
  pattern: new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** Finds the endpoint of a request, by its method and path. */
export function findEndpoint({ method, url }: ReceivedRequest): EndpointName | undefined {
  const { pathname } = new URL(url, 'http://fake');
  return rows.find(({ row, pattern }) => row.method === method && pattern.test(pathname))?.name;
}

/** Answers a request of the API with its status and body. Throws a `Refusal`. */
export function dispatch(
  request: ReceivedRequest,
  context: HandlerContext,
  credentials: Credentials,
): { status: number; body?: unknown } {
  const { pathname, searchParams } = new URL(request.url, 'http://fake');
  const name = findEndpoint(request);
  if (!name) {
    if (rows.some(({ pattern }) => pattern.test(pathname)))
      throw new Refusal('method_not_allowed', `${pathname} does not support ${request.method}.`);
    throw new Refusal('not_found', `The portal has no ${pathname}. Check apiUrl.`);
  }
  if (request.headers['x-api-key'] !== credentials.apiKey)
    throw new Refusal(
      'invalid_api_key',
      'The header X-API-Key is missing or not the apiKey of the fake portal.',
    );
  const { row, pattern } = rows.find((each) => each.name === name)!;
  requirePermission(row.permission, credentials);
  const params = Object.entries(pattern.exec(pathname)!.groups ?? {});
  const parsed = {
    ...parse(row.params, Object.fromEntries(params.map(([key, text]) => [key, decode(text)]))),
    ...parse(row.query, Object.fromEntries(searchParams)),
    ...parse(row.body, request.body ?? {}),
  };
  if (row.administratorPermission && concernsAdministrator(parsed, context))
    requirePermission(row.administratorPermission, credentials);
  // The schemas of the row give the handler's request.
  const body = (handlers[name] as (...args: [HandlerContext, unknown]) => unknown)(context, parsed);
  return row.status === 204 ? { status: 204 } : { status: row.status, body };
}

function requirePermission(
  permission: Permission,
  { permissions = allPermissions }: Credentials,
): void {
  if (!permissions.includes(permission))
    throw new Refusal('missing_permission', `The API key needs the permission ${permission}.`);
}

function concernsAdministrator(
  request: Record<string, unknown>,
  { organization }: HandlerContext,
): boolean {
  const role = request['role'] ?? organization.findUser(String(request['userEmail']))?.role;
  return role !== undefined && role !== userRoles.viewer;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('invalid_request', 'The path is not percent-encoded.');
  }
}

function parse(schema: Endpoint['body'], value: unknown): Record<string, unknown> {
  if (!schema) return {};
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  throw new Refusal('invalid_request', describeFieldErrors(errors), errors);
}
