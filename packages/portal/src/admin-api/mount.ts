import { describeFieldErrors, fieldErrors, idSchema, storableText } from '@portal-embed/contract';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';

import {
  type AdminEndpoint,
  adminEndpoints,
  type AdminAnswer,
  type AdminEndpointName,
  type AdminInput,
} from '#admin/requests';
import { watchFiles } from '#report-engine';

import { recordRefusal } from '../activity-log/service.ts';
import type { Context, OperatorActor, UserActor } from '../actor/actor.ts';
import { requireAdministrator, requireOperator } from '../actor/permissions.ts';
import { ownerOf } from '../content/content-processes.ts';
import type { SharedDatabase } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { mount, type AnsweredFile } from '../http/mount.ts';
import { parseParts } from '../http/parts.ts';
import { sendNotFound } from '../http/problems.ts';
import { ProgressAnswer } from '../http/progress.ts';
import { noteCaller } from '../http/response-notes.ts';
import { readUpload } from '../http/upload.ts';
import type { LimitAuthors } from '../limits/author-limit.ts';
import { identifyClient } from '../limits/refusal-limit.ts';
import { findOrganization } from '../organizations/service.ts';
import { requireFresh, toActor, type AdminSession } from '../sign-in/admin-session.ts';
import { readTokenCookie, setTokenCookie } from '../sign-in/cookie.ts';
import { requireSession, type Client, type NewSession } from '../sign-in/service.ts';

/** A call with or without a session. */
export interface AdminCall extends Pick<SharedDatabase, 'hotPathDb'> {
  client: Client;
  /** Sets the session cookie, or removes it. */
  setSession: (session: NewSession | undefined) => void;
  /** The token of the cookie that is set before the redirect to an identity provider. */
  readBrowserToken: () => string | undefined;
  setBrowserToken: (token: string | undefined) => void;
}

/** A call with a session. */
export interface SignedInCall extends AdminCall {
  session: AdminSession;
}

/** A call about the organization in the path, to which the caller belongs. */
export interface MemberCall extends SignedInCall {
  ctx: Context<UserActor | OperatorActor>;
  /** Aborts when the browser cancels the request. */
  signal: AbortSignal;
}

type CallOf<Name extends AdminEndpointName> = (typeof adminEndpoints)[Name] extends {
  access: 'everyone';
}
  ? AdminCall
  : (typeof adminEndpoints)[Name]['path'] extends `${string}{organizationId}${string}`
    ? MemberCall
    : SignedInCall;

/** Handlers of the requests of the administration pages. */
export type AdminHandlers = {
  [Name in AdminEndpointName]: (
    call: CallOf<Name>,
    input: AdminInput<Name>,
  ) => Promise<AdminAnswer<Name>>;
};

export interface AdminServices extends Pick<SharedDatabase, 'hotPathDb' | 'ofOrganization'> {
  publicUrl: string;
  /** Origin of the administration pages. */
  adminUrl: string;
  limitAuthors: LimitAuthors;
}

const defaultBodyLimit = 64_000;

/** Mounts every row of the table below `/admin/api`. */
export function adminRouter(scope: AdminServices, handlers: AdminHandlers): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const table: Record<AdminEndpointName, AdminEndpoint> = adminEndpoints;
  mount(
    router,
    table,
    handlers,
    async ({ name, row, req, res }) => {
      requireOwnPage(scope, req);
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      let call = await admit(scope, row, req, res, gone.signal);
      if (row.isAuthoring && 'ctx' in call) await scope.limitAuthors(ownerOf(call.ctx));
      // A session or a role can end while the body arrives or a file is sent.
      const confirm = async () => void (call = await admit(scope, row, req, res, gone.signal));
      const record = <Result>(operation: () => Promise<Result>) =>
        'ctx' in call && row.method !== 'GET'
          ? recordRefusal(call.ctx, { action: name, subject: readSubject(row, req) }, operation)
          : operation();
      return {
        confirm,
        parse: () => record(async () => parseInput(row, req, confirm)),
        run: async (handle, input) => {
          const work = () => record(() => retryConflicts(() => handle(call, input)));
          if (row.hasProgress) return sendProgress(req, res, work as () => Promise<object>);
          const answer = await work();
          return row.isFile ? confirmParts(answer as AdminFile, confirm) : answer;
        },
      };
    },
    { prefix: '/admin/api', bodyLimit: defaultBodyLimit },
  );
  // All other paths below `/admin` answer with the page.
  router.all('/admin/api/{*rest}', sendNotFound);
  return router;
}

/** Sends how far the data files of a request are read, and its answer. */
async function sendProgress(
  req: Request,
  res: Response,
  work: () => Promise<object>,
): Promise<void> {
  const answer = new ProgressAnswer(req, res);
  await answer.send(() =>
    watchFiles(({ phase, percent }) => answer.report({ phase, percent }), work),
  );
}

/** A file that is written while it is sent. */
export interface AdminFile extends AnsweredFile {
  content: AsyncIterable<string>;
}

/** Calls `confirm` before each part of a file. A part that is not confirmed ends the file. */
function confirmParts(file: AdminFile, confirm: () => Promise<void>): AdminFile {
  async function* confirmEach(): AsyncGenerator<string> {
    for await (const part of file.content) {
      await confirm();
      yield part;
    }
  }
  return { ...file, content: confirmEach() };
}

/** Refuses requests of other sites. A GET changes nothing, so it needs no `Origin`. */
function requireOwnPage({ adminUrl }: AdminServices, req: Request): void {
  const site = req.get('Sec-Fetch-Site') ?? 'same-origin';
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const isOwn = isRead || req.get('Origin') === adminUrl;
  if (isOwn && (site === 'same-origin' || (isRead && site === 'none'))) return;
  throw new PortalError(
    'cross_site',
    'This request did not come from the administration portal. It was refused, and nothing was changed.',
  );
}

async function admit(
  scope: AdminServices,
  row: AdminEndpoint,
  req: Request,
  res: Response,
  signal: AbortSignal,
): Promise<AdminCall | SignedInCall | MemberCall> {
  const { hotPathDb, adminUrl } = scope;
  const call: AdminCall = {
    hotPathDb,
    client: { network: identifyClient(req.ip), userAgent: req.get('User-Agent') ?? '' },
    setSession: (session) => setTokenCookie('session', res, adminUrl, session?.token),
    readBrowserToken: () => readTokenCookie('oidc', req, adminUrl),
    setBrowserToken: (token) => setTokenCookie('oidc', res, adminUrl, token),
  };
  if (row.access === 'everyone') return call;
  const session = await requireSession(hotPathDb, readTokenCookie('session', req, adminUrl));
  if (row.isFresh) requireFresh(session);
  const signedIn: SignedInCall = { ...call, session };
  if (!row.path.includes('{organizationId}')) {
    if (row.access === 'operator') requireOperator({ actor: toActor(session.account) });
    return signedIn;
  }
  const ctx = await openContext(scope, session, req.params['organizationId']);
  noteCaller(res, { organizationId: ctx.organizationId });
  if (row.access === 'administrator') requireAdministrator(ctx);
  if (row.access === 'operator') requireOperator(ctx);
  return { ...signedIn, ctx, signal };
}

/** Another organization answers like one that does not exist. */
async function openContext(
  { hotPathDb, ofOrganization, publicUrl }: AdminServices,
  { account }: AdminSession,
  given: unknown,
): Promise<Context<UserActor | OperatorActor>> {
  const id = idSchema.safeParse(given).data;
  const isVisible =
    id !== undefined &&
    (account.user
      ? account.user.organization.id === id
      : (await findOrganization(hotPathDb, id)) !== undefined);
  if (!isVisible)
    throw new PortalError(
      'organization_not_found',
      'This organization does not exist. Check the address.',
    );
  return { db: ofOrganization(id), organizationId: id, publicUrl, actor: toActor(account) };
}

/**
 * The subject of a refused request for the activity log: the last parameter of its path. It is empty if
 * the path is not valid, because it may be too long or have characters that the log cannot store.
 */
const readSubject = ({ path }: AdminEndpoint, { params }: Request): string =>
  paramsSchema(path).safeParse(params).success ? String(Object.values(params).at(-1) ?? '') : '';

const paramsSchema = (path: string) =>
  z.object(
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
        name!,
        name!.endsWith('Id') ? idSchema : storableText(500),
      ]),
    ),
  );

/** @param confirm runs after the last byte of an upload */
function parseInput(
  row: AdminEndpoint,
  req: Request,
  confirm: () => Promise<void>,
): Record<string, unknown> {
  const schemas = { query: z.strictObject({}), ...row, params: paramsSchema(row.path) };
  const { organizationId: _, ...input } = parseParts(req, schemas, (_part, error) => {
    const errors = fieldErrors(error);
    return new PortalError(
      'invalid_request',
      `The request is not valid: ${describeFieldErrors(errors)}.`,
      { errors },
    );
  });
  return row.isUpload ? { ...input, upload: readUpload(req, confirm) } : input;
}
