import { setTimeout as delay } from 'node:timers/promises';

import { describeAnswer, NoAnswer } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { fail, skip } from '../../rules/rule.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { validSeconds } from './minting.ts';

/** Opens an address. Skips the rule if nothing answers there, because it may not be reachable from here. */
const open = ({ identity }: PortalSubject, url: URL): Promise<Answer> =>
  reach(url, () => identity.open(url));

/** The same, and follows redirects. Skips the rule if they lead to another origin. */
export async function visit({ identity }: PortalSubject, url: URL): Promise<Answer> {
  const answer = await reach(url, () => identity.visit(url));
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return isRedirect ? skip(`${url.origin} redirects to another origin`) : answer;
}

async function reach(url: URL, request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof NoAnswer) skip(`${url.origin} cannot be reached: ${error.message}`);
    throw error;
  }
}

export const isOpened = ({ status }: Answer) => status >= 200 && status < 400;

/** What tells openings apart: status, where they redirect, and the page without its random parts. */
export function summarize({ status, headers, text }: Answer): string {
  const to = headers.location ?? '';
  const path = URL.canParse(to, 'http://portal') ? new URL(to, 'http://portal').pathname : to;
  const page = text.replaceAll(/[\w-]{16,}|\d+/g, '');
  return `${status} ${path} ${page}`;
}

/**
 * Describes how the portal answers to a token that nobody got. A portal whose page redeems the token by
 * script answers any token alike, and then nothing can be seen from outside.
 */
export async function openUnknown(
  subject: PortalSubject,
  url: URL,
  request = open,
): Promise<string> {
  const unknown = new URL(url);
  const token = url.searchParams.get('token') ?? '';
  // Of the same characters, so that no format check sees the difference.
  const reversed = token.split('').toReversed().join('');
  unknown.searchParams.set('token', reversed);
  return summarize(await request(subject, unknown));
}

async function openFirst(
  subject: PortalSubject,
): Promise<{ url: URL; answer: Answer; unknown: string }> {
  const { identity } = subject;
  const url = identity.addressOf(await identity.mint(await identity.anyBody()));
  const unknown = await openUnknown(subject, url);
  const answer = await open(subject, url);
  if (!isOpened(answer)) fail(`the first opening answers ${describeAnswer(answer)}`);
  return { url, answer, unknown };
}

const isScripted = ({ answer, unknown }: { answer: Answer; unknown: string }) =>
  summarize(answer) === unknown;
export const scripted =
  'the portal sends the same page for every token, so only a browser can show whether it opens';

export const openingRules: PortalRule[] = [
  {
    id: 'identity.opens',
    covers: ['identity.frame'],
    expected: 'The URL opens, and pages may frame it',
    writes: true,
    check: async (subject) => {
      const { answer } = await openFirst(subject);
      const { headers } = answer;
      const policy = [headers['content-security-policy'] ?? ''].flat().join(',');
      const ancestors = /frame-ancestors([^;,]*)/i.exec(policy)?.[1]?.trim();
      if (ancestors === "'none'")
        fail("frame-ancestors 'none': no page may frame it; register the application's origin");
      const option = String(headers['x-frame-options'] ?? '');
      if (ancestors === undefined && /deny|sameorigin/i.test(option))
        fail(`X-Frame-Options: ${option}`);
      return `${answer.status}${ancestors === undefined ? '' : `, frame-ancestors ${ancestors}`}`;
    },
  },
  {
    id: 'identity.once',
    covers: ['identity.once'],
    expected: 'A second opening is refused',
    writes: true,
    check: async (subject) => {
      const first = await openFirst(subject);
      if (isScripted(first)) skip(scripted);
      const second = await open(subject, first.url);
      const isRefused = !isOpened(second) || summarize(second) === first.unknown;
      return isRefused
        ? `refused with ${second.status}`
        : fail(`it answers ${second.status} again`);
    },
  },
  {
    id: 'identity.once.concurrent',
    covers: ['identity.once'],
    expected: 'If a URL is opened several times at once, exactly one opening succeeds',
    writes: true,
    check: async (subject) => {
      const { identity } = subject;
      const url = identity.addressOf(await identity.mint(await identity.anyBody()));
      const unknown = await openUnknown(subject, url);
      const answers = await Promise.all(Array.from({ length: 5 }, () => open(subject, url)));
      const opened = answers.filter((each) => isOpened(each) && summarize(each) !== unknown);
      if (opened.length === 0 && answers.every((each) => summarize(each) === unknown))
        skip(scripted);
      const got = `${opened.length} of 5 succeeded`;
      return opened.length === 1 ? got : fail(got);
    },
  },
  {
    id: 'identity.expires',
    covers: ['identity.expires'],
    expected: 'After expiresAt, the URL does not open',
    writes: true,
    check: async (subject) => {
      const { identity, options } = subject;
      if (options.slow !== true) skip('takes five minutes; add --slow');
      const minted = await identity.mint(await identity.anyBody());
      const url = identity.addressOf(minted);
      const unknown = await openUnknown(subject, url);
      await delay((validSeconds + 5) * 1_000, undefined, { signal: options.signal }).catch(
        () => {},
      );
      const answer = await open(subject, url);
      if (isOpened(answer) && summarize(answer) !== unknown) fail(`it answers ${answer.status}`);
      return `refused with ${answer.status}`;
    },
  },
  {
    id: 'identity.user',
    covers: ['identity.user'],
    expected: 'The page shows only reports and rows that the user may see',
    check: 'only a person can see whose rows a report shows',
  },
  {
    id: 'identity.flags-apply',
    covers: ['identity.flags', 'identity.customFilters'],
    expected: 'The flags hide the bars, and the filters are applied',
    check: 'only a person can see the bars and the rows',
  },
];
