import {
  describeFieldErrors,
  endpoints,
  fieldErrors,
  requestLimits,
  type Endpoint,
  type EndpointName,
  type EndpointRequest,
  type EndpointResponse,
} from '@portal-embed/contract';
import { Router, type Request } from 'express';
import type { z } from 'zod';

import { recordRefusal } from '../activity-log/service.ts';
import type { ApiKeyActor, Context } from '../actor/actor.ts';
import { requirePermission } from '../actor/permissions.ts';
import { isCheckedByStatement } from '../api-keys/authenticate.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { jsonReader } from '../http/body.ts';
import { allowOnly } from '../http/methods.ts';
import { noteCaller } from '../http/response-notes.ts';

/** Handlers of the contract's endpoints. */
export type Handlers = {
  [Name in EndpointName]: (
    ctx: Context,
    input: EndpointRequest<Name>,
  ) => Promise<EndpointResponse<Name>>;
};

/** Converts `{userEmail}` to Express's syntax. */
const toExpressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Mounts every row of the contract's table. A body is read after key, rate limit and permission are
 * checked; the key is re-checked after a slow body.
 */
export function apiRouter(
  handlers: Handlers,
  authenticate: (req: Request, name: EndpointName) => Promise<Context<ApiKeyActor>>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];
  const paths = [...new Set(rows.map(([, row]) => row.path))];
  // Paths without parameters come first, so that they are not matched as an e-mail.
  paths.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));

  for (const path of paths) {
    const route = router.route(toExpressPath(path));
    const rowsHere = rows.filter(([, row]) => row.path === path);
    for (const [name, row] of rowsHere) {
      const handle = handlers[name] as (ctx: Context, input: unknown) => Promise<unknown>;
      const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const readBody = row.body && jsonReader(row.bodyLimit ?? requestLimits.body);
      const readInput = async (req: Request, { confirmKey }: Context) => {
        await readBody?.(req, isCheckedByStatement(name) ? undefined : confirmKey);
        return parseInput(row, req);
      };
      route[method](async (req, res) => {
        const ctx = await authenticate(req, name);
        noteCaller(res, { organizationId: ctx.organizationId, apiKeyId: ctx.actor.id });
        // A path that is not valid may be long or have characters that the log cannot store.
        const params = row.params?.safeParse(req.params);
        const unread = { action: name, subject: params?.success ? readSubject(params.data) : '' };
        // Checked before the body is read. The service checks again, because programs can call it
        // without HTTP, with the context of `authenticateKey`.
        await recordRefusal(ctx, unread, async () => requirePermission(ctx, name));
        const input = await readInput(req, ctx).catch(async (error: unknown) => {
          await ctx.confirmKey?.();
          throw error;
        });
        const activity = { action: name, subject: readSubject(input), details: readDetails(input) };
        const answer = await recordRefusal(ctx, activity, () =>
          retryConflicts(() => handle(ctx, input)),
        );
        res.set('Cache-Control', 'no-store').status(row.status).json(answer);
      });
    }
    route.all(allowOnly(...rowsHere.map(([, row]) => row.method)));
  }
  return router;
}

/** Returns the subject of a request for the activity log. */
function readSubject(input: { userEmail?: string; email?: string; role?: unknown }): string {
  const { userEmail, email, role } = input;
  return userEmail ?? email ?? (typeof role === 'string' ? role : '');
}

/** Items of a list that the activity log names. */
const maxNamedItems = 10;

/**
 * Returns the details of a refused request for the activity log: ids and list members. Only the fields
 * that are listed here, so that no secret is logged.
 */
function readDetails(input: Record<string, unknown>): object | undefined {
  const details: Record<string, unknown> = {};
  for (const field of ['organizationId', 'reportId', 'datasetId'])
    if (input[field] !== undefined) details[field] = input[field];
  for (const field of ['reports', 'usersEmails', 'groups']) {
    const list = input[field];
    if (!Array.isArray(list)) continue;
    details[field] = list.slice(0, maxNamedItems);
    if (list.length > maxNamedItems) details['more'] = list.length - maxNamedItems;
  }
  return Object.keys(details).length > 0 ? details : undefined;
}

function parseInput(row: Endpoint, req: Request): Record<string, unknown> {
  const parts = (['params', 'query', 'body'] as const).map((part) => {
    const schema = row[part];
    // An endpoint without query parameters refuses all, so that a misspelled filter is noticed.
    if (!schema) return part === 'query' ? refuseQuery(req.query) : {};
    const parsed = schema.safeParse(req[part]);
    if (parsed.success) return parsed.data;
    if (row.bodyLimit === requestLimits.listBody && parsed.error.issues.some(isLongList))
      throw new PortalError(
        'body_too_large',
        `The list has more than ${requestLimits.listMembers} items. Split the request into smaller ones.`,
        { errors: fieldErrors(parsed.error) },
      );
    const errors = fieldErrors(parsed.error);
    throw new PortalError(
      'invalid_request',
      `The ${part === 'params' ? 'path' : part} is not valid: ${describeFieldErrors(errors)}.`,
      { errors },
    );
  });
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

const isLongList = (issue: z.core.$ZodIssue) =>
  issue.code === 'too_big' && issue.origin === 'array';

function refuseQuery(query: object): object {
  const errors = Object.keys(query).map((path) => ({ path, message: 'is not a known field' }));
  if (errors.length > 0)
    throw new PortalError(
      'invalid_request',
      'This endpoint takes no query parameters. Leave them out.',
      { errors },
    );
  return {};
}
