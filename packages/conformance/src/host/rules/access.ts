import { describeAnswer, isSuccess } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { fail, info, skip } from '../../rules/index.ts';
import { hasUrl, nonsense } from '../subject.ts';
import type { HostRule, HostSubject } from '../subject.ts';
import { readProblem, requireNoStore, requireRefused, requireRefusedWith } from './refusals.ts';

const foreign = 'https://other.example';

const originOf = (result: Readonly<Record<string, unknown>>): string => {
  const text = String(result['embedUrl']);
  return URL.canParse(text) ? new URL(text).origin : text;
};

const isRedirected = ({ headers }: Answer) => /[?&]token=/.test(headers.location ?? '');

export const methodRules: HostRule[] = [
  {
    id: 'method.post',
    covers: ['method.post'],
    expected: 'POST of a signed-in user answers 200 with JSON',
    check: async (subject) => {
      const { answer } = await subject.mint();
      const type = answer.headers['content-type'] ?? 'absent';
      if (answer.status !== 200 || !/^application\/json\s*(?:;|$)/i.test(type))
        fail(`answers ${answer.status} with the content type ${type}`);
      return '200 with JSON';
    },
  },
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method): HostRule => ({
    id: `method.${method.toLowerCase()}`,
    covers: ['method.others'],
    expected: `${method} mints nothing: 405 with Allow: POST, or 404`,
    check: async (subject) => {
      const answer = await subject.send({ method });
      if (hasUrl(answer)) fail(`answers ${answer.status} with a URL`);
      // Frameworks that route POST alone answer 404 themselves.
      if (answer.status === 404) return '404';
      if (answer.status !== 405) fail(`answers ${describeAnswer(answer)}`);
      const allow = answer.headers.allow ?? '';
      return /\bPOST\b/.test(allow) ? '405' : fail(`405 with Allow: ${allow || 'absent'}`);
    },
  })),
  {
    id: 'method.open',
    covers: ['method.open'],
    expected: 'If /open is enabled, it redirects only a signed-in user to a URL',
    check: async (subject) => {
      subject.requireSession();
      const url = new URL(subject.options.url);
      url.pathname = url.pathname.replace(/[^/]*$/, 'open');
      const headers = {
        Origin: '',
        'Sec-Fetch-Site': 'none',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      };
      const open = (more: object = {}) =>
        subject.send({ method: 'GET', url: url.href, headers, ...more });
      const answer = await open();
      if (answer.status === 404) return info('it is not enabled');
      if (answer.status === 403) return info('the policy does not allow the whole portal');
      if (answer.status !== 303 || !isRedirected(answer)) fail(`answers ${describeAnswer(answer)}`);
      requireNoStore(answer);
      if (isRedirected(await open({ isSignedIn: false }))) fail('it redirects without a session');
      const prefetch = { ...headers, 'Sec-Purpose': 'prefetch' };
      if (isRedirected(await open({ headers: prefetch }))) fail('it redirects a prefetch');
      return '303';
    },
  },
];

/** Changes every value of a Cookie header, as somebody would who guesses a session. */
const forge = (cookie: string): string =>
  cookie
    .split(';')
    .map((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      return `${name}=${value.join('=').split('').toReversed().join('')}`;
    })
    .join('; ');

export const sessionRules: HostRule[] = [
  {
    id: 'session.signed-out',
    covers: ['session.signedOut'],
    expected: 'Without a session, the answer is 401 not_signed_in',
    check: async (subject) =>
      requireRefusedWith(await subject.send({ isSignedIn: false }), 'not_signed_in'),
  },
  {
    id: 'session.forged',
    covers: ['session.signedOut'],
    expected: 'A cookie that the application did not issue gets 401 not_signed_in',
    check: async (subject) => {
      const session = Object.entries(subject.options.session ?? {});
      const [name, cookie] = session.find(([each]) => each.toLowerCase() === 'cookie') ?? [];
      if (name === undefined) skip('the session is not in a cookie');
      const headers = { [name]: forge(cookie!) };
      return requireRefusedWith(await subject.send({ headers }), 'not_signed_in');
    },
  },
  {
    id: 'session.unknown-tenant',
    covers: ['session.unknownTenant'],
    expected: 'A host name without a tenant gets no URL',
    check: async (subject) => {
      const host = `${nonsense()}.example`;
      const answer = await subject.send({ headers: { Host: host, Origin: `https://${host}` } });
      if (hasUrl(answer) || isSuccess(answer)) fail(`answers ${describeAnswer(answer)}`);
      const { code } = readProblem(answer) ?? {};
      // A proxy in front may answer itself.
      return code === 'unknown_tenant'
        ? '404 unknown_tenant'
        : info(`answers ${describeAnswer(answer)}`);
    },
  },
  {
    id: 'session.other-tenant',
    covers: ['session.fromSession'],
    expected: 'At the host name of another tenant, the session gets 401 not_signed_in',
    check: async (subject) => {
      const { otherUrl } = subject.options;
      if (otherUrl === undefined)
        skip('needs the endpoint at the host name of another tenant; pass --other-url');
      subject.requireSession();
      const headers = { Origin: new URL(otherUrl).origin };
      return requireRefusedWith(await subject.send({ url: otherUrl, headers }), 'not_signed_in');
    },
  },
  {
    id: 'session.query',
    covers: ['session.fromSession'],
    expected: 'userEmail in the query does not select another user',
    check: async (subject) => {
      subject.requireSession();
      const url = new URL(subject.options.url);
      url.searchParams.set('userEmail', `${nonsense()}@example.com`);
      const answer = await subject.send({ url: url.href });
      if (isSuccess(answer)) return 'it is ignored';
      return requireRefusedWith(answer, 'invalid_request');
    },
  },
  {
    id: 'session.forwarded-host',
    covers: ['session.fromSession', 'session.unknownTenant'],
    expected: 'X-Forwarded-Host of a client does not select another tenant',
    check: async (subject) => {
      const { result } = await subject.mint();
      const headers = {
        'X-Forwarded-Host': `${nonsense()}.example`,
        Forwarded: `host=${nonsense()}.example`,
      };
      const answer = await subject.send({ headers });
      if (!isSuccess(answer)) return `refused with ${answer.status}`;
      const other = JSON.parse(answer.text) as Record<string, unknown>;
      if (originOf(other) !== originOf(result))
        fail(`the URL is at ${originOf(other)}, not at ${originOf(result)}`);
      return 'it is ignored';
    },
  },
];

const crossSite: Record<string, Record<string, string>> = {
  'cross-site': { 'Sec-Fetch-Site': 'cross-site', Origin: foreign },
  'same-site': { 'Sec-Fetch-Site': 'same-site', Origin: foreign },
  'without-origin': { 'Sec-Fetch-Site': 'cross-site', Origin: '' },
  // Browsers on plain http send no Sec-Fetch-Site.
  'origin-alone': { 'Sec-Fetch-Site': '', Origin: foreign },
  'origin-null': { 'Sec-Fetch-Site': '', Origin: 'null' },
};

const requireNoCors = ({ headers }: Answer): void => {
  const allowed = headers['access-control-allow-origin'];
  if (allowed !== undefined) fail(`Access-Control-Allow-Origin is ${allowed}`);
};

const askPreflight = (subject: HostSubject, origin: string) =>
  subject.send({
    method: 'OPTIONS',
    isSignedIn: false,
    headers: {
      Origin: origin,
      'Sec-Fetch-Site': 'cross-site',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });

/** Fails the rule unless pages of the origin may read the answer with their cookies. */
function requireCors({ headers }: Answer, origin: string): void {
  const allowed = headers['access-control-allow-origin'];
  if (allowed !== origin) fail(`Access-Control-Allow-Origin is ${allowed ?? 'absent'}`);
  if (headers['access-control-allow-credentials'] !== 'true')
    fail('Access-Control-Allow-Credentials is not true');
}

export const originRules: HostRule[] = [
  ...Object.entries(crossSite).map(([name, headers]): HostRule => ({
    id: `origin.${name}`,
    covers: ['origin.crossSite'],
    expected: 'A request from another site gets 403 cross_site',
    check: async (subject) => {
      const answer = await subject.send({ headers });
      requireNoCors(answer);
      return requireRefusedWith(answer, 'cross_site');
    },
  })),
  {
    id: 'origin.own',
    covers: ['origin.crossSite'],
    expected: "A request with the page's own Origin, without Sec-Fetch-Site, gets a URL",
    check: async (subject) => {
      await subject.mint({ headers: { 'Sec-Fetch-Site': '' } });
      return 'a URL';
    },
  },
  {
    id: 'origin.no-browser',
    covers: ['origin.crossSite'],
    expected: 'A request with neither Origin nor Sec-Fetch-Site gets a URL',
    check: async (subject) => {
      await subject.mint({ headers: { 'Sec-Fetch-Site': '', Origin: '' } });
      return 'a URL';
    },
  },
  {
    id: 'origin.preflight',
    covers: ['origin.cors'],
    expected: 'A preflight request from another origin gets no CORS headers',
    check: async (subject) => {
      const answer = await askPreflight(subject, foreign);
      requireNoCors(answer);
      return `answers ${answer.status}`;
    },
  },
  {
    id: 'origin.allowed',
    covers: ['origin.cors'],
    expected: 'Pages of an allowed origin may send requests and read answers',
    check: async (subject) => {
      const { allowedOrigin } = subject.options;
      if (allowedOrigin === undefined) skip('needs an allowed origin; pass --allowed-origin');
      subject.requireSession();
      const preflight = await askPreflight(subject, allowedOrigin);
      if (!isSuccess(preflight)) fail(`the preflight answers ${describeAnswer(preflight)}`);
      requireCors(preflight, allowedOrigin);
      const headers = { Origin: allowedOrigin, 'Sec-Fetch-Site': 'cross-site' };
      const { answer } = await subject.mint({ headers });
      requireCors(answer, allowedOrigin);
      const refused = await subject.send({ headers, isSignedIn: false });
      requireRefused(refused);
      requireCors(refused, allowedOrigin);
      return 'with credentials';
    },
  },
];
