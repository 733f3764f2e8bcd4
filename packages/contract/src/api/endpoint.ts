import type { z } from 'zod';

import type { ErrorCode } from '../errors.ts';
import type { Permission } from './permissions.ts';

/** One row of the endpoint table. */
export interface Endpoint {
  /** Number in the specification; `null` for an endpoint that this project adds. */
  number: number | null;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  permission: Permission;
  /** Permission that is required too if the user may administer: role 1, 2 or 4. */
  administratorPermission?: Permission;
  summary: string;
  /** Details, in Markdown. */
  description: string;
  /** Schemas of the request. Unknown fields are errors. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Maximum size of the body in bytes. */
  bodyLimit?: number;
  /** Whether the body is a file, which is read as it arrives. */
  isUpload?: true;
  /** Status of a success. Without `response` the body is empty. */
  status: 200 | 201 | 204;
  response?: z.ZodType;
  /** Errors of this endpoint, in addition to those of all endpoints (`endpointErrors`). */
  errors: readonly ErrorCode[];
}

/** Lists every error that an endpoint can answer. */
export function endpointErrors(row: Endpoint): ErrorCode[] {
  return [
    'invalid_request',
    ...(row.body ? (['invalid_json'] as const) : []),
    ...(row.body || row.isUpload ? (['body_too_large', 'unsupported_media_type'] as const) : []),
    'invalid_api_key',
    'missing_permission',
    ...row.errors,
    'rate_limited',
    'internal_error',
    'database_unavailable',
    'overloaded',
  ];
}
