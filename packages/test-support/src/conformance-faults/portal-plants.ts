import {
  answers,
  editAnswer,
  editBody,
  editQuery,
  isCall,
  isSuccess,
  parseObject,
  parsePath,
  requests,
} from './fault.ts';
import type { Behavior, Forward, Json, ProxyAnswer, ProxyRequest } from './fault.ts';

/** What plants know of the portal behind the proxy. */
export interface PortalContext {
  /** Has every permission. */
  apiKey: string;
  /** A user who may open reports. */
  userEmail: string;
}

export const users = '/api/user';
export const linkReports = '/api/user/link-reports';
export const unlinkReports = '/api/user/unlink-reports';
export const roles = '/api/datasets/rls';
export const audit = '/api/report-audit';
export const roleNames = ['', 'Administrator', 'Contributor', 'Viewer', 'Workspace Contributor'];

export const isCallOf = (method: string, path: string) => (request: ProxyRequest) =>
  isCall(request, method, path);

export const isMint = isCallOf('POST', '/api/identity/url');

export const isDeletion = ({ method, path }: ProxyRequest) =>
  method === 'DELETE' && path.startsWith(`${users}/`);

/** Changes the envelope of each list. */
export const lists = (edit: (page: Json) => void) =>
  answers(
    ({ method, path }) =>
      method === 'GET' && [users, '/api/report', roles, audit].includes(path.split('?')[0]!),
    edit,
  );

export const ignoreFilter = (path: string, name: string) =>
  requests(isCallOf('GET', path), (request) => editQuery(request, (query) => query.delete(name)));

export const bodies = (method: string, path: string, edit: (body: Json) => void) =>
  requests(isCallOf(method, path), (request) => editBody(request, edit));

export const mints = (edit: (body: Json) => void) => bodies('POST', '/api/identity/url', edit);

export const minted = (edit: (result: Json) => void) => answers(isMint, edit);

export const redirect = (from: string, to: string) =>
  requests(isCallOf('PUT', from), (request) => ({ ...request, path: to }));

export const withKey = (request: ProxyRequest, { apiKey }: PortalContext): ProxyRequest => ({
  ...request,
  headers: { ...request.headers, 'x-api-key': apiKey },
});

export const refuse = (status: number, detail: string): ProxyAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ status, detail }),
});

/** Sends a request of the plant's own, with the context's key. */
async function call(
  forward: Forward,
  { apiKey }: PortalContext,
  method: string,
  path: string,
  json?: object,
): Promise<Json> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await forward({
    method,
    path,
    headers,
    body: json ? JSON.stringify(json) : '',
  });
  return parseObject(answer.body);
}

/** Returns the user whose e-mail address is this one, in any case. */
async function findUser(forward: Forward, context: PortalContext, email: string): Promise<Json> {
  const path = `${users}?email=${encodeURIComponent(email)}`;
  const page = await call(forward, context, 'GET', path);
  return page?.data?.find((user: Json) => user.email.toLowerCase() === email.toLowerCase());
}

export const repeatFirstPage: Behavior = async (request, forward) => {
  const answer = await forward(request);
  const pageNumber = parsePath(request).searchParams.get('pageNumber');
  if (!isCall(request, 'GET', audit) || pageNumber !== '2') return answer;
  const first = await forward(editQuery(request, (query) => query.set('pageNumber', '1')));
  return editAnswer(answer, (page) => (page.data = parseObject(first.body).data));
};

export function distinguishCase(context: PortalContext): Behavior {
  return async (request, forward) => {
    const nobodyUnlessExact = async (email: unknown): Promise<Json> => {
      if (typeof email !== 'string') return email;
      const user = await findUser(forward, context, email);
      return user && user.email !== email ? `nobody-${email}` : email;
    };
    if (isDeletion(request)) {
      const [, , , email = '', ...rest] = request.path.split('/');
      const named = encodeURIComponent(await nobodyUnlessExact(decodeURIComponent(email)));
      return forward({ ...request, path: [users, named, ...rest].join('/') });
    }
    const body = parseObject(request.body);
    if (!body || isCall(request, 'POST', users)) return forward(request);
    if (body.userEmail) body.userEmail = await nobodyUnlessExact(body.userEmail);
    if (Array.isArray(body.usersEmails))
      body.usersEmails = await Promise.all(body.usersEmails.map(nobodyUnlessExact));
    return forward({ ...request, body: JSON.stringify(body) });
  };
}

export function replaceLinks(context: PortalContext): Behavior {
  return async (request, forward) => {
    const answer = await forward(request);
    if (!isCall(request, 'PUT', linkReports) || !isSuccess(answer)) return answer;
    const { userEmail, reports } = parseObject(request.body);
    const user = await findUser(forward, context, userEmail);
    const others = user.reports.filter((id: string) => !reports.includes(id));
    if (others.length > 0)
      await call(forward, context, 'PUT', unlinkReports, { userEmail, reports: others });
    return answer;
  };
}

export function keepGroups(context: PortalContext): Behavior {
  return async (request, forward) => {
    const body = parseObject(request.body);
    if (!isCall(request, 'PUT', `${roles}/unlink-groups`) || !body) return forward(request);
    const { data } = await call(forward, context, 'GET', `${roles}?datasetId=${body.datasetId}`);
    const answer = await forward(request);
    const before = data?.find(({ name }: Json) => name === body.role)?.groups ?? [];
    const groups = before.filter((id: string) => body.groups?.includes(id));
    if (isSuccess(answer) && groups.length > 0)
      await call(forward, context, 'PUT', `${roles}/link-groups`, { ...body, groups });
    return answer;
  };
}

/** Returns the token that a request opens a URL with. */
function readToken(request: ProxyRequest): string | undefined {
  const url = parsePath(request);
  if (url.pathname !== '/identity') return undefined;
  return request.method === 'GET'
    ? (url.searchParams.get('token') ?? undefined)
    : parseObject(request.body)?.token;
}

export function repeatOpening(): Behavior {
  const opened = new Map<string, ProxyAnswer>();
  return async (request, forward) => {
    const answer = await forward(request);
    const token = readToken(request);
    if (token === undefined) return answer;
    if (isSuccess(answer)) opened.set(token, answer);
    return opened.get(token) ?? answer;
  };
}

export function openExpired(): Behavior {
  const unopened = new Map<string, ProxyRequest>();
  return async (request, forward) => {
    const answer = await forward(request);
    if (isMint(request) && isSuccess(answer)) {
      const { embedUrl } = parseObject(answer.body);
      unopened.set(new URL(embedUrl).searchParams.get('token')!, request);
    }
    const token = readToken(request);
    if (token === undefined) return answer;
    const mint = unopened.get(token);
    if (isSuccess(answer)) unopened.delete(token);
    if (answer.status !== 410 || !mint) return answer;
    unopened.delete(token);
    const { embedUrl } = parseObject((await forward(mint)).body);
    const fresh = new URL(embedUrl).searchParams.get('token')!;
    return forward({
      ...request,
      path: request.path.replace(token, fresh),
      body: request.body.toString().replace(token, fresh),
    });
  };
}

export function grantReport(context: PortalContext): Behavior {
  return async (request, forward) => {
    const answer = await forward(request);
    const { userEmail, reportId } = parseObject(request.body) ?? {};
    if (!isMint(request) || answer.status !== 403 || !reportId) return answer;
    await call(forward, context, 'PUT', linkReports, { userEmail, reports: [reportId] });
    return forward(request);
  };
}

export function mintForAnother({ userEmail }: PortalContext): Behavior {
  return async (request, forward) => {
    const answer = await forward(request);
    if (!isMint(request) || !isSuccess(answer)) return answer;
    const another = await forward(editBody(request, (body) => (body.userEmail = userEmail)));
    return isSuccess(another) ? another : answer;
  };
}
