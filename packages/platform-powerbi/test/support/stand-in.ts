import { createHash, randomUUID, verify, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

import { clouds } from '../../src/clouds.ts';
import { signInForm, tokenRequest, type TokenRequest } from './schemas.ts';

export interface StandInModel {
  id: string;
  name: string;
  /** Roles that its author has defined. A token needs an identity with some of them. */
  roles?: string[];
  /** Whether a token needs an identity without roles, as for a live connection. */
  isLive?: boolean;
}

export interface StandInReport {
  id: string;
  name: string;
  /** `undefined` for a paginated report. */
  model?: string | undefined;
  embedUrl?: string;
}

export interface StandInWorkspace {
  id: string;
  name: string;
  reports: StandInReport[];
  models: StandInModel[];
  /** Default: a member. */
  isMember?: boolean;
  hasCapacity?: boolean;
}

/** What Microsoft may do in place of an answer. */
export type Fault =
  | 'broken'
  | 'expired'
  | 'moved'
  | 'no-rights'
  | 'not-allowed'
  | 'not-found'
  | 'paused'
  | 'slow'
  | 'throttled'
  | 'trial-used-up'
  | 'unavailable';

interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** A string is sent as it is. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An error in the form of Power BI. Source: Microsoft's guide to troubleshooting. */
const refuse = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { error: { code } },
  headers,
});

const faults: Record<Exclude<Fault, 'broken' | 'expired' | 'slow'>, Answer> = {
  moved: { status: 307, headers: { location: 'https://elsewhere.example/v1.0/myorg/groups' } },
  'no-rights': refuse(403, 'PowerBINotAuthorizedException'),
  'not-allowed': {
    status: 403,
    headers: { 'x-powerbi-error-info': 'ServicePrincipalIsNotAllowedByTenantAdminSwitch' },
  },
  'not-found': refuse(404, 'ItemNotFound'),
  paused: refuse(400, 'CapacityNotActive'),
  throttled: refuse(429, 'TooManyRequests', { 'retry-after': '7' }),
  'trial-used-up': refuse(403, 'EmbedTokenTrialLimitExceeded'),
  unavailable: { status: 503, body: 'Service unavailable' },
};

/**
 * Stands in for Microsoft Entra ID and the REST API of Power BI, on a port of its own. It is strict: what
 * the documentation does not name is refused.
 */
export class StandIn implements AsyncDisposable {
  readonly tenant = randomUUID();
  readonly clientId = randomUUID();
  secret = 'a secret of the application';
  /** Of the application, in PEM. */
  certificate: string | undefined;
  workspaces: StandInWorkspace[] = [];
  /** Share of the trial tokens, in percent. */
  trialUsage = 0;
  tokenSeconds = 3600;
  /** What happens instead of the next answers, by the beginning of the path. */
  readonly faults = new Map<string, Fault | Answer>();
  /** Answers wait for it. */
  answersAfter: Promise<void> = Promise.resolve();
  readonly asked: Asked[] = [];
  readonly issued: { token: string; request: TokenRequest }[] = [];
  readonly addresses = {
    authority: 'https://login.stand-in.example',
    api: 'https://api.stand-in.example',
  };
  readonly #accessTokens = new Map<string, number>();
  readonly #server = createServer((req, res) => void this.#respond(req, res));

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Like `fetch`, but Microsoft's addresses are the stand-in's. */
  fetch: typeof globalThis.fetch = (input, init) => {
    const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (!Object.values(this.addresses).includes(origin))
      throw new Error(`A request to ${origin}, which is not Microsoft's.`);
    const { port } = this.#server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };

  /** Ends the access tokens that were issued. */
  endAccess(): void {
    this.#accessTokens.clear();
  }

  async #respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { status, body, headers } = await this.#answer(req);
    await this.answersAfter;
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    res
      .writeHead(status, { 'content-type': type, requestid: randomUUID(), ...headers })
      .end(content);
  }

  async #answer(req: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(req.url!, 'http://stand-in');
    const body = await text(req);
    const method = req.method!;
    const path = pathname.replace('/v1.0/myorg', '');
    const isSignIn = pathname.endsWith('/token');
    this.asked.push({ method, path, body: isSignIn || body === '' ? body : JSON.parse(body) });
    const [, fault] = [...this.faults].find(([start]) => path.startsWith(start)) ?? [];
    if (typeof fault === 'object') return fault;
    if (fault === 'slow') await setTimeout(60_000, undefined, { ref: false });
    if (fault === 'broken') return { status: 200, body: '<html>not the API</html>' };
    if (fault === 'expired') this.endAccess();
    else if (fault && fault !== 'slow') return faults[fault];
    if (isSignIn) return this.#signIn(pathname, new URLSearchParams(body));
    const [, token = ''] = /^Bearer (.+)$/.exec(req.headers.authorization ?? '') ?? [];
    if ((this.#accessTokens.get(token) ?? 0) < Date.now()) return refuse(401, 'TokenExpired');
    if (method === 'POST' && path === '/GenerateToken') return this.#generate(JSON.parse(body));
    return method === 'GET' ? this.#read(path, searchParams) : refuse(404, 'UnknownOperation');
  }

  #signIn(pathname: string, form: URLSearchParams): Answer {
    const deny = (status: number, error: string, code: number): Answer => ({
      status,
      body: { error, error_description: `AADSTS${code}: a sentence`, error_codes: [code] },
    });
    if (pathname !== `/${this.tenant}/oauth2/v2.0/token`)
      return deny(400, 'invalid_request', 90002);
    const parsed = signInForm.safeParse(Object.fromEntries(form));
    if (!parsed.success) return deny(400, 'invalid_request', 900144);
    const given = parsed.data;
    if (given.client_id !== this.clientId) return deny(400, 'unauthorized_client', 700016);
    if (!Object.values(clouds).some(({ scope }) => scope === given.scope))
      return deny(400, 'invalid_scope', 70011);
    if ('client_secret' in given && given.client_secret !== this.secret)
      return deny(401, 'invalid_client', 7000215);
    if ('client_assertion' in given && !this.#isSigned(given.client_assertion, pathname))
      return deny(401, 'invalid_client', 700027);
    const token = randomUUID();
    this.#accessTokens.set(token, Date.now() + this.tokenSeconds * 1000);
    return {
      status: 200,
      body: { token_type: 'Bearer', expires_in: this.tokenSeconds, access_token: token },
    };
  }

  #isSigned(assertion: string, pathname: string): boolean {
    if (this.certificate === undefined) return false;
    const [head = '', payload = '', signature = ''] = assertion.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const certificate = new X509Certificate(this.certificate);
    const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
    const { alg, 'x5t#S256': named } = read(head);
    const { aud, iss, sub, exp } = read(payload);
    return (
      alg === 'PS256' &&
      named === thumbprint &&
      aud === `${this.addresses.authority}${pathname}` &&
      iss === this.clientId &&
      sub === this.clientId &&
      exp * 1000 > Date.now() &&
      verify(
        'sha256',
        Buffer.from(`${head}.${payload}`),
        { key: certificate.publicKey, padding: 6, saltLength: 32 },
        Buffer.from(signature, 'base64url'),
      )
    );
  }

  #read(path: string, parameters: URLSearchParams): Answer {
    const ok = (body: object): Answer => ({ status: 200, body });
    const known = this.workspaces.filter(({ isMember = true }) => isMember);
    if (path === '/groups') {
      const skip = Number(parameters.get('$skip') ?? 0);
      const top = Number(parameters.get('$top') ?? 5000);
      const value = known.slice(skip, skip + top).map(({ id, name, hasCapacity = true }) => ({
        id,
        name,
        isReadOnly: false,
        isOnDedicatedCapacity: hasCapacity,
      }));
      return ok({ 'odata.context': 'a context', value });
    }
    if (path === '/availableFeatures') {
      const additionalInfo = { Usage: this.trialUsage };
      const feature = { name: 'embedTrial', state: 'Enabled', extendedState: 'Enabled' };
      return ok({ features: [{ ...feature, additionalInfo }] });
    }
    const [, id, kind] = /^\/groups\/([^/]+)\/(reports|datasets)$/.exec(path) ?? [];
    const workspace = known.find((each) => each.id === id);
    if (!workspace) return refuse(404, 'ItemNotFound');
    return ok({
      value:
        kind === 'reports'
          ? workspace.reports.map((report) => presentReport(workspace, report))
          : workspace.models.map(presentModel),
    });
  }

  #generate(body: unknown): Answer {
    const parsed = tokenRequest.safeParse(body);
    if (!parsed.success) return refuse(400, 'InvalidRequest');
    const request = parsed.data;
    const { reports, datasets, identities } = request;
    const members = this.workspaces.filter(({ isMember = true }) => isMember);
    const report = members
      .flatMap((workspace) => workspace.reports)
      .find(({ id }) => id === reports[0]!.id);
    if (!report) return refuse(404, 'ItemNotFound');
    const model = members.flatMap(({ models }) => models).find(({ id }) => id === report.model);
    if (!model) return refuse(403, 'PowerBINotAuthorizedException');
    if (!datasets.some(({ id }) => id === model.id)) return refuse(400, 'DatasetMissing');
    const identity = identities?.[0];
    const needsIdentity = (model.isLive ?? false) || model.roles !== undefined;
    if (!needsIdentity && identity) return refuse(400, 'InvalidIdentity');
    if (needsIdentity && !identity?.datasets.includes(model.id))
      return refuse(400, 'EffectiveIdentityRequired');
    const unknown = identity?.roles?.some((role) => !model.roles?.includes(role)) ?? false;
    if (unknown || (model.roles && !identity?.roles)) return refuse(400, 'RolesRequired');
    const token = `embed-${randomUUID()}`;
    this.issued.push({ token, request });
    const minutes = Math.min(request.lifetimeInMinutes ?? 60, this.tokenSeconds / 60);
    const expiration = new Date(Date.now() + minutes * 60_000).toISOString();
    return { status: 200, body: { token, tokenId: randomUUID(), expiration } };
  }
}

const presentReport = (
  workspace: StandInWorkspace,
  { id, name, model, embedUrl }: StandInReport,
) => ({
  id,
  name,
  ...(model === undefined ? {} : { datasetId: model }),
  reportType: model === undefined ? 'PaginatedReport' : 'PowerBIReport',
  isOwnedByMe: false,
  webUrl: `https://app.powerbi.com/groups/${workspace.id}/reports/${id}`,
  embedUrl:
    embedUrl ?? `https://app.powerbi.com/reportEmbed?reportId=${id}&groupId=${workspace.id}`,
  users: [],
  subscriptions: [],
});

/** The names of the booleans are those that the API sends, which differ from its document. */
const presentModel = ({ id, name, roles, isLive = false }: StandInModel) => ({
  id,
  name,
  isEffectiveIdentityRequired: isLive || roles !== undefined,
  isEffectiveIdentityRolesRequired: roles !== undefined,
  isRefreshable: true,
});
