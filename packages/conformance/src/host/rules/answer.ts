import { openPage } from '../../http/open-page.ts';
import { describeAnswer, NoAnswer } from '../../http/send.ts';
import { fail, skip } from '../../rules/index.ts';
import { nonsense } from '../subject.ts';
import type { HostRequest, HostRule, HostSubject, MintedUrl } from '../subject.ts';
import { requireNoStore, requireProblem, requireRefusedWith } from './refusals.ts';

const validSeconds = 300;
/** By how much the clocks of this machine and of the portal may differ. */
const clockSlackSeconds = 60;

function readAddress({ result }: MintedUrl): URL {
  const text = result['embedUrl'];
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text))
    fail(`embedUrl is ${JSON.stringify(text)}`);
  return new URL(text);
}

/** Refusals of all kinds, so that no kind is forgotten. */
const refusals: Record<string, HostRequest> = {
  'signed-out': { isSignedIn: false },
  'cross-site': {
    headers: { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example' },
  },
  'unknown-field': { json: { userEmail: 'other@example.com' } },
};

/** Requests that an unknown user may send without being told that nobody is signed in. */
const isForAnybody = (name: string) => name === 'signed-out' || name === 'cross-site';

const onRefusal = (
  name: string,
  rule: Pick<HostRule, 'covers' | 'expected'> & { id: string },
  check: (answer: Awaited<ReturnType<HostSubject['send']>>) => string,
): HostRule => ({
  ...rule,
  id: `${rule.id}-${name}`,
  check: async (subject) => {
    if (!isForAnybody(name)) subject.requireSession();
    return check(await subject.send(refusals[name]));
  },
});

/** Asks for another value of a filter that the host locks, with its key in another spelling. */
const lockedFilter = (
  suffix: string,
  expected: string,
  respell: (key: string) => string,
): HostRule => ({
  id: `answer.locked-filter${suffix}`,
  covers: ['answer.policy'],
  expected,
  check: async (subject) => {
    const { lockedFilter: locked } = subject.options;
    if (!locked) skip('needs a filter that the host locks; pass --locked-filter');
    subject.requireSession();
    const customFilters = [{ key: respell(locked.key), value: nonsense() }];
    const answer = await subject.send({ json: subject.body({ customFilters }) });
    return requireRefusedWith(answer, 'forbidden');
  },
});

export const answerRules: HostRule[] = [
  {
    id: 'answer.embedUrl',
    covers: ['answer.embedUrl'],
    expected: 'embedUrl is a URL with a token',
    check: async (subject) => {
      const url = readAddress(await subject.mint());
      if (!url.searchParams.get('token'))
        fail(`its parameters: ${[...url.searchParams.keys()].join(', ') || 'none'}`);
      if (url.username || url.password) fail('it has credentials');
      return `at ${url.origin}`;
    },
  },
  {
    id: 'answer.expiresAt',
    covers: ['answer.expiresAt'],
    expected: 'expiresAt is an ISO 8601 time in UTC, at most five minutes from now',
    check: async (subject) => {
      const { answer, result } = await subject.mint();
      const text = result['expiresAt'];
      const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
      if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]00:?00)$/.test(String(text)) || Number.isNaN(time))
        fail(`it is ${JSON.stringify(text)}`);
      const seconds = (time - answer.receivedAt) / 1_000;
      if (seconds < -clockSlackSeconds || seconds > validSeconds + clockSlackSeconds)
        fail(`it is ${Math.round(seconds)} seconds from now`);
      return `${Math.round(seconds)} seconds from now`;
    },
  },
  {
    id: 'answer.expiresIn',
    covers: ['answer.expiresIn'],
    expected: 'expiresIn is the number of seconds until expiresAt, at most 300',
    check: async (subject) => {
      const { answer, result } = await subject.mint();
      const seconds = result['expiresIn'];
      if (typeof seconds !== 'number' || !(seconds > 0) || seconds > validSeconds)
        fail(`it is ${JSON.stringify(seconds)}`);
      const untilThen = (Date.parse(String(result['expiresAt'])) - answer.receivedAt) / 1_000;
      if (Math.abs(untilThen - seconds) > clockSlackSeconds)
        fail(`it is ${seconds}, but expiresAt is ${Math.round(untilThen)} seconds from now`);
      return `${seconds} seconds`;
    },
  },
  {
    id: 'answer.fresh',
    covers: ['answer.fresh'],
    expected: 'Two requests get two different tokens of the same portal',
    check: async (subject) => {
      const [one, other] = [await subject.mint(), await subject.mint()].map(readAddress);
      if (one!.searchParams.get('token') === other!.searchParams.get('token'))
        fail('both have the same token');
      return one!.origin === other!.origin
        ? 'two tokens'
        : fail(`one is at ${one!.origin}, the other at ${other!.origin}`);
    },
  },
  {
    id: 'answer.unused',
    covers: ['answer.fresh'],
    expected: 'The URL opens, so the host has not opened it itself',
    check: async (subject) => {
      const url = readAddress(await subject.mint());
      const answer = await openPage(subject.sender, url).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        return skip(`${url.origin} cannot be reached: ${error.message}`);
      });
      return answer.status < 400
        ? `it answers ${answer.status}`
        : fail(`its page answers ${describeAnswer(answer)}`);
    },
  },
  {
    id: 'answer.no-store',
    covers: ['answer.noStore'],
    expected: 'An answer with a URL has Cache-Control: no-store',
    check: async (subject) => {
      requireNoStore((await subject.mint()).answer);
      return 'no-store';
    },
  },
  ...Object.keys(refusals).flatMap((name) => [
    onRefusal(
      name,
      {
        id: 'answer.no-store',
        covers: ['answer.noStore'],
        expected: 'A refusal has Cache-Control: no-store',
      },
      (answer) => {
        requireNoStore(answer);
        return 'no-store';
      },
    ),
    onRefusal(
      name,
      {
        id: 'answer.problem',
        covers: ['answer.errors'],
        expected: 'A refusal is a problem with type, title, status, detail, code and requestId',
      },
      requireProblem,
    ),
  ]),
  {
    id: 'answer.request-id',
    covers: ['answer.errors'],
    expected: 'Every answer of the endpoint has X-Request-Id',
    check: async (subject) => {
      const { answer } = await subject.mint();
      const id = answer.headers['x-request-id'];
      return id === undefined ? fail('it is absent') : 'it is present';
    },
  },
  lockedFilter('', 'Another value of a locked filter gets 403 forbidden', (key) => key),
  lockedFilter(
    '-respelled',
    'Another value gets 403 forbidden, also with the column in capitals and without its table',
    (key) => key.split('/').at(-1)!.toUpperCase(),
  ),
  {
    id: 'answer.secrets',
    covers: ['answer.secrets'],
    expected: 'No answer contains an API key or a stack trace',
    check: async ({ answers, options: { portalKey } }) => {
      for (const answer of answers) {
        const text = `${Object.entries(answer.headers).flat().join('\n')}\n${answer.text}`;
        if (/x-api-key|"api_?key"\s*:/i.test(text))
          fail(`a ${answer.status} has the name of a key`);
        if (portalKey !== undefined && text.includes(portalKey))
          fail(`a ${answer.status} has the key`);
        // In JSON, the line breaks of a stack are written as two characters.
        if (/(?:^|\\n)\s+at .+?:\d+:\d+/m.test(answer.text))
          fail(`a ${answer.status} has a stack trace: ${describeAnswer(answer)}`);
      }
      return `${answers.length} answers read`;
    },
  },
  {
    id: 'answer.portal',
    covers: ['answer.portal'],
    expected:
      'Failures of the portal are portal_unavailable, portal_timeout and portal_rejected_key',
    check: 'the kit cannot make the portal fail',
  },
  {
    id: 'answer.limits',
    covers: ['answer.limits'],
    expected: 'A user who sends too many requests gets 429 with Retry-After',
    check: 'the limit is an option of the host, and reaching it would lock out the user',
  },
  {
    id: 'answer.user',
    covers: ['session.fromSession', 'body.flags', 'body.customFilters'],
    expected: 'The URL is for the user of the session, with the flags and filters of the request',
    check: 'only the portal receives what the host sends',
  },
];
