import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { createProblem, errorTable } from '@portal-embed/contract';
import type {
  AuditEntry,
  EndpointName,
  Permission,
  Report,
  RlsRole,
  User,
} from '@portal-embed/contract';

import { IdentityUrls, type MintedUrl } from '../page/identity-urls.ts';
import type { PageScenario } from '../page/scenario.ts';
import { jsonAnswer, type FakeAnswer, type ReceivedRequest } from './answers.ts';
import { dispatch, findEndpoint } from './dispatch.ts';
import type { MintRequest } from './handlers.ts';
import { Organization, type OrganizationOptions } from './organization.ts';
import { Refusal } from './refusal.ts';
import { ServedPages, type ServedPage } from './served-pages.ts';

export interface FakePortalOptions extends OrganizationOptions {
  /** The key that the portal accepts. Default: `fake-key`. */
  apiKey?: string;
  /** The permissions of the key. Default: all. */
  permissions?: readonly Permission[];
  /** Default: `00000000-0000-4000-8000-000000000001`. */
  organizationId?: string;
  /** Validity of identity URLs in seconds. With 0, each has already expired. Default: 300. */
  validSeconds?: number;
  /** The origins of applications that may frame the pages. Default: all. */
  embedOrigins?: readonly string[];
  /** Default: a free port. */
  port?: number;
}

/** The options of the host packages for one tenant. */
export interface FakeTenant {
  apiUrl: string;
  apiKey: string;
  organizationId: string;
  portalUrl: string;
}

export interface FakePortal extends AsyncDisposable {
  /** The address of the API: `http://127.0.0.1:<port>`. */
  url: string;
  /** The address of the pages: `http://portal.localhost:<port>`, which browsers resolve. */
  portalUrl: string;
  /** This portal as a tenant of `portalEmbed` and `createMinter`. */
  tenant: FakeTenant;
  /** The users. Tests may add, change and remove entries of the lists. */
  users: User[];
  reports: Report[];
  roles: RlsRole[];
  /** The report access log, oldest first. */
  auditEntries: AuditEntry[];
  /** The URLs of all successful mints, each with its request. */
  minted: MintedUrl<MintRequest>[];
  /** The requests of the host and of browsers for pages, in order. */
  received: ReceivedRequest[];
  /** The pages that browsers have opened, in order. */
  pages: ServedPage[];
  /** Sets what pages do with a fresh URL. Default: `ready`. */
  show: (scenario: PageScenario) => void;
  /**
   * Replaces the answer to later requests. Without an argument, restores the usual answers.
   *
   * @param endpoint the only endpoint with this answer; default: every request
   * @param times the number of requests with this answer; default: all
   */
  answer: (answer?: FakeAnswer, only?: { endpoint?: EndpointName; times?: number }) => void;
  /** Stops the portal. Open connections end. */
  close: () => Promise<void>;
}

interface Replacement {
  answer: FakeAnswer;
  endpoint: EndpointName | undefined;
  times: number;
}

/** Starts a portal on a loopback port, for the tests of a host's backend. */
export async function startFakePortal(options: FakePortalOptions = {}): Promise<FakePortal> {
  const {
    apiKey = 'fake-key',
    organizationId = '00000000-0000-4000-8000-000000000001',
    validSeconds = 300,
  } = options;
  const organization = new Organization(options);
  const urls = new IdentityUrls<MintRequest>();
  const served = new ServedPages(urls, options.embedOrigins);
  const received: ReceivedRequest[] = [];
  let replacements: Replacement[] = [];

  const server = createServer((request, response) => {
    void receive(request, response);
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const portalUrl = `http://portal.localhost:${port}`;

  const context = {
    organization,
    organizationId,
    urls,
    portalUrl,
    validSeconds,
    endPages: (email: string) => served.end(email),
  };

  async function receive(incoming: IncomingMessage, response: ServerResponse) {
    const request = await readRequest(incoming);
    if (!served.isChannel(request)) received.push(request);
    const own = () => answerByItself(request, response);
    const replaced = served.isChannel(request) ? undefined : takeReplacement(request);
    await (replaced ? replaced.answer(request, response, own) : own());
  }

  function takeReplacement(request: ReceivedRequest) {
    const found = replacements.findLast(
      ({ endpoint, times }) =>
        times > 0 && (endpoint === undefined || endpoint === findEndpoint(request)),
    );
    if (found) found.times -= 1;
    return found;
  }

  function answerByItself(request: ReceivedRequest, response: ServerResponse): unknown {
    const page = served.answer(request);
    if (page) return page(request, response, () => {});
    try {
      const { status, body } = dispatch(request, context, {
        apiKey,
        permissions: options.permissions,
      });
      return jsonAnswer(status, body)(request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, errors } = error;
      const requestId = String(request.headers['x-request-id'] ?? 'fake-request');
      const problem = createProblem(code, message, requestId, { errors });
      const headers = { 'Content-Type': 'application/problem+json' };
      return jsonAnswer(errorTable[code].status, problem, headers)(request, response);
    }
  }

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    url,
    portalUrl,
    tenant: { apiUrl: url, apiKey, organizationId, portalUrl },
    users: organization.users,
    reports: organization.reports,
    roles: organization.roles,
    auditEntries: organization.auditEntries,
    minted: urls.minted,
    received,
    pages: served.pages,
    show: (scenario) => {
      served.scenario = scenario;
    },
    answer: (answer, { endpoint, times = Infinity } = {}) => {
      if (!answer) replacements = [];
      else replacements.push({ answer, endpoint, times });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const body = await text(request);
  const isJson = request.headers['content-type']?.includes('json');
  return {
    method: request.method!,
    url: request.url!,
    headers: request.headers,
    body: body === '' ? undefined : isJson ? parseJson(body) : body,
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
