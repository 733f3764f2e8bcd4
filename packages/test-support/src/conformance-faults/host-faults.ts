import { send } from '../localhost.ts';
import {
  answers,
  editBody,
  editQuery,
  editUrl,
  isSuccess,
  moveTime,
  parseObject,
  parsePath,
} from './fault.ts';
import type { Behavior, Fault, Json, ProxyAnswer, ProxyRequest } from './fault.ts';

/** What plants know of the host behind the proxy. */
export interface HostContext {
  /** The host name of the tenant of the users who are signed in. */
  hostName: string;
  /** The host's key of the portal. */
  apiKey: string;
  /** The e-mail address of a user who is signed in to no browser. */
  serviceAccount: string;
  /** Returns the headers of a signed-in user's requests. */
  signIn: (email: string) => Record<string, string>;
}

/** The headers that identify the signed-in user. */
const credentials = ['cookie', 'authorization', 'x-test-user'];

const readCredentials = ({ headers }: ProxyRequest) =>
  JSON.stringify(credentials.map((name) => headers[name]));

const signIn = (request: ProxyRequest, context: HostContext, email: string): ProxyRequest => ({
  ...request,
  headers: { ...request.headers, ...context.signIn(email) },
});

const minted = (edit: (result: Json) => void) =>
  answers(
    ({ method }) => method === 'POST',
    (result) => {
      if (result.embedUrl) edit(result);
    },
  );

const moveExpiry = (minutes: number) =>
  minted((result) => {
    result.expiresAt = moveTime(result.expiresAt, minutes);
    if (result.expiresIn !== undefined) result.expiresIn += minutes * 60;
  });

const dropParameter = (result: Json, name: string) => {
  result.embedUrl = editUrl(result.embedUrl, (query) => query.delete(name));
};

/** Sends a header with each successful answer. */
const withHeader =
  (name: string, value: string): Behavior =>
  async (request, forward) => {
    const answer = await forward(request);
    return isSuccess(answer)
      ? { ...answer, headers: { ...answer.headers, [name]: value } }
      : answer;
  };

/** Mints for another user whenever the request itself succeeds. */
const mintAs =
  (context: HostContext, choose: (context: HostContext) => string): Behavior =>
  async (request, forward) => {
    const answer = await forward(request);
    if (!isSuccess(answer)) return answer;
    const another = await forward(signIn(request, context, choose(context)));
    return isSuccess(another) ? another : answer;
  };

function repeatAnswers(): Behavior {
  const first = new Map<string, ProxyAnswer>();
  return async (request, forward) => {
    const key = [readCredentials(request), request.method, request.path, request.body].join('\n');
    const answer = await forward(request);
    if (!isSuccess(answer)) return answer;
    const known = first.get(key) ?? answer;
    first.set(key, known);
    return known;
  };
}

function useFirstSession(): Behavior {
  let first: ProxyRequest['headers'] | undefined;
  return async (request, forward) => {
    const answer = await forward(request);
    if (!isSuccess(answer)) return answer;
    first ??= request.headers;
    const kept = Object.fromEntries(credentials.map((name) => [name, first?.[name]]));
    return forward({ ...request, headers: { ...request.headers, ...kept } });
  };
}

/** Opens the URL of an answer before it is sent. */
const openFirst: Behavior = async (request, forward) => {
  const answer = await forward(request);
  const embedUrl = isSuccess(answer) ? parseObject(answer.body)?.embedUrl : undefined;
  if (embedUrl)
    await send(embedUrl, {
      headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    });
  return answer;
};

/** Faults that a host's URL-minting endpoint could have, written from the specification alone. */
export const hostFaults = [
  {
    id: 'embed-url-renamed',
    section: 'Identity URL result',
    behavior: 'The URL is called url, not embedUrl.',
    plant: () =>
      minted((result) => {
        result.url = result.embedUrl;
        delete result.embedUrl;
      }),
  },
  {
    id: 'expires-at-missing',
    section: 'Identity URL result',
    behavior: 'The answer has no expiresAt.',
    plant: () => minted((result) => delete result.expiresAt),
  },
  {
    id: 'expires-at-without-zone',
    section: 'Identity URL result',
    behavior: 'expiresAt names no time zone.',
    plant: () =>
      minted((result) => {
        result.expiresAt = result.expiresAt.replace('Z', '');
      }),
  },
  {
    id: 'expires-in-an-hour',
    section: 'Limits',
    behavior: 'expiresAt is an hour after the issue, not five minutes.',
    plant: () => moveExpiry(55),
  },
  {
    id: 'expired-url',
    section: 'States and transitions, 1',
    behavior: 'expiresAt of a new URL has passed.',
    plant: () => moveExpiry(-10),
  },
  {
    id: 'url-reused',
    section: 'States and transitions, 2',
    behavior: 'A second request of the same person gets the first URL again.',
    plant: repeatAnswers,
  },
  {
    id: 'url-shared-between-users',
    section: 'States and transitions, 3',
    behavior: 'A second person gets a new URL that belongs to the first.',
    plant: useFirstSession,
  },
  {
    id: 'fixed-user',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'The URL belongs to a service account, not to the signed-in person.',
    plant: (context) => mintAs(context, ({ serviceAccount }) => serviceAccount),
  },
  {
    id: 'user-from-body',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A userEmail in the body replaces the e-mail address of the signed-in person.',
    plant: (context) => async (request, forward) => {
      const userEmail = parseObject(request.body)?.userEmail;
      if (typeof userEmail !== 'string') return forward(request);
      const anonymous = editBody(request, (body) => delete body.userEmail);
      return forward(signIn(anonymous, context, userEmail));
    },
  },
  {
    id: 'user-from-query',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A userEmail in the query replaces the e-mail address of the signed-in person.',
    plant: (context) => async (request, forward) => {
      const userEmail = parsePath(request).searchParams.get('userEmail');
      if (userEmail === null) return forward(request);
      const anonymous = editQuery(request, (query) => query.delete('userEmail'));
      return forward(signIn(anonymous, context, userEmail));
    },
  },
  {
    id: 'session-at-another-tenant',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A session gets a URL also at the host name of another tenant.',
    plant:
      ({ hostName }) =>
      (request, forward) => {
        const { host, origin } = request.headers;
        const rename = (value: unknown) => String(value).replace(/[\w.-]+(?=:\d+$)/, hostName);
        const own = {
          ...(host !== undefined && { host: rename(host) }),
          ...(origin !== undefined && { origin: rename(origin) }),
        };
        return forward({ ...request, headers: { ...request.headers, ...own } });
      },
  },
  {
    id: 'anonymous-accepted',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A request of nobody who is signed in gets a URL.',
    plant: (context) => async (request, forward) => {
      const answer = await forward(request);
      return answer.status === 401
        ? forward(signIn(request, context, context.serviceAccount))
        : answer;
    },
  },
  {
    id: 'key-in-body',
    section: 'Authentication, 1',
    behavior: 'The answer to the browser contains the API key.',
    plant: ({ apiKey }) =>
      minted((result) => {
        result.request = { headers: { 'X-API-Key': apiKey } };
      }),
  },
  {
    id: 'key-in-header',
    section: 'Authentication, 1',
    behavior: 'The X-API-Key header of the request to the portal is sent to the browser.',
    plant: ({ apiKey }) => withHeader('x-api-key', apiKey),
  },
  {
    id: 'token-already-used',
    section: 'States and transitions, 2',
    behavior: 'The host opens the URL before it hands it out.',
    plant: () => openFirst,
  },
  {
    id: 'token-dropped',
    section: 'Identity URL result',
    behavior: 'The URL has lost its token parameter.',
    plant: () => minted((result) => dropParameter(result, 'token')),
  },
  {
    id: 'return-url-dropped',
    section: 'Identity URL result',
    behavior: 'The URL of a single report has lost its returnUrl parameter.',
    plant: () => minted((result) => dropParameter(result, 'returnUrl')),
  },
  {
    id: 'url-html-escaped',
    section: 'POST /api/identity/url, rule 3',
    behavior: 'The URL is HTML-escaped: its second parameter is called amp;returnUrl.',
    plant: () =>
      minted((result) => {
        result.embedUrl = result.embedUrl.replaceAll('&', '&amp;');
      }),
  },
  {
    id: 'answer-not-json',
    section: 'What the service does',
    behavior: 'The answer has the content type text/html.',
    plant: () => withHeader('content-type', 'text/html; charset=utf-8'),
  },
  {
    id: 'refusal-as-success',
    section: 'Identity URL result',
    behavior: 'A refusal is answered with the status 200 and an empty embedUrl.',
    plant: () => async (request, forward) => {
      const answer = await forward(request);
      const headers = { ...answer.headers, 'content-type': 'application/json' };
      const result = { embedUrl: '', expiresAt: new Date().toISOString() };
      return answer.status >= 400 ? { status: 200, headers, body: JSON.stringify(result) } : answer;
    },
  },
  {
    id: 'answer-cacheable',
    section: 'States and transitions, 2',
    behavior: 'The answer may be cached, so a later request gets a used URL.',
    plant: () => withHeader('cache-control', 'public, max-age=300'),
  },
] as const satisfies readonly Fault<HostContext>[];
