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
import { z } from 'zod';

import { recordRefusal } from '../activity-log/service.ts';
import type { ApiKeyActor, Context } from '../actor/actor.ts';
import { requirePermission } from '../actor/permissions.ts';
import { isCheckedByStatement } from '../api-keys/authenticate.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { mount } from '../http/mount.ts';
import { parseParts } from '../http/parts.ts';
import { noteCaller } from '../http/response-notes.ts';
import { readUpload } from '../http/upload.ts';

/** Handlers of the contract's endpoints. */
export type Handlers = {
  [Name in EndpointName]: (
    ctx: Context,
    input: EndpointRequest<Name>,
  ) => Promise<EndpointResponse<Name>>;
};

/**
 * Mounts every row of the contract's table. A body is read after key, rate limit and permission are
 * checked; the key is re-checked after a slow body.
 */
export function apiRouter(
  handlers: Handlers,
  authenticate: (req: Request, name: EndpointName) => Promise<Context<ApiKeyActor>>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const table: Record<EndpointName, Endpoint> = endpoints;
  mount(
    router,
    table,
    handlers,
    async ({ name, row, req, res }) => {
      const ctx = await authenticate(req, name);
      noteCaller(res, { organizationId: ctx.organizationId, apiKeyId: ctx.actor.id });
      // A path that is not valid may be long or have characters that the log cannot store.
      const params = row.params?.safeParse(req.params);
      const unread = { action: name, subject: params?.success ? readSubject(params.data) : '' };
      // Checked before the body is read. The service checks again, because programs can call it
      // without HTTP, with the context of `authenticateKey`.
      await recordRefusal(ctx, unread, async () => requirePermission(ctx, name));
      return {
        confirm: isCheckedByStatement(name) ? undefined : ctx.confirmKey,
        onUnreadable: ctx.confirmKey,
        parse: async () => {
          try {
            const input = parseInput(row, req);
            if (!row.isUpload) return input;
            return { ...input, content: readUpload(req, async () => ctx.confirmKey?.()) };
          } catch (error) {
            await ctx.confirmKey?.();
            throw error;
          }
        },
        run: (handle, input) => {
          const activity = {
            action: name,
            subject: readSubject(input),
            details: readDetails(input),
          };
          return recordRefusal(ctx, activity, () => retryConflicts(() => handle(ctx, input)));
        },
        send: (_, answer) => res.status(row.status).json(answer),
      };
    },
    { bodyLimit: requestLimits.body },
  );
  return router;
}

/** Returns the subject of a request for the activity log. */
function readSubject(input: {
  userEmail?: string;
  email?: string;
  fileName?: string;
  role?: unknown;
}): string {
  const { userEmail, email, fileName, role } = input;
  return userEmail ?? email ?? fileName ?? (typeof role === 'string' ? role : '');
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

/** An endpoint without query parameters refuses all, so that a misspelled filter is noticed. */
const noQuery = z.strictObject({});

const parseInput = (row: Endpoint, req: Request): Record<string, unknown> =>
  parseParts(req, { query: noQuery, ...row }, (part, error) => {
    const errors = fieldErrors(error);
    if (part === 'query' && !row.query)
      return new PortalError(
        'invalid_request',
        'This endpoint takes no query parameters. Leave them out.',
        { errors },
      );
    if (row.bodyLimit === requestLimits.listBody && error.issues.some(isLongList))
      return new PortalError(
        'body_too_large',
        `The list has more than ${requestLimits.listMembers} items. Split the request into smaller ones.`,
        { errors },
      );
    return new PortalError(
      'invalid_request',
      `The ${part === 'params' ? 'path' : part} is not valid: ${describeFieldErrors(errors)}.`,
      { errors },
    );
  });

const isLongList = (issue: z.core.$ZodIssue) =>
  issue.code === 'too_big' && issue.origin === 'array';
