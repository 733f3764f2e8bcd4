import { setTimeout as delay } from 'node:timers/promises';

import { describeAnswer, isSuccess, NoAnswer } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { fail, info, skip } from '../../rules/rule.ts';
import { textOf } from '../api.ts';
import type { Minted } from '../identity.ts';
import type { PortalRule, PortalSubject } from '../subject.ts';
import { requireRefusal } from './requests.ts';
import { isUtcTimestamp } from './values.ts';

const flags = ['hideMenu', 'hideNavbar', 'hideSidebar', 'embed'] as const;
const validSeconds = 5 * 60;

/** Fails the rule if a minted result has no address with a token, or lacks returnUrl. */
function requireAddress({ result, isOneReport }: Minted): URL {
  const text = textOf(result, 'embedUrl');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    fail(`embedUrl is ${JSON.stringify(result['embedUrl'])}`);
  const url = new URL(text);
  const names = [...url.searchParams.keys()].join(', ') || 'none';
  if (!url.searchParams.get('token')) fail(`embedUrl has no token; its parameters: ${names}`);
  if (isOneReport && !url.searchParams.get('returnUrl'))
    fail(`embedUrl of one report has no returnUrl; its parameters: ${names}`);
  return url;
}

/** Whether a URL is valid for five minutes by the portal's clock, or by the clock of this machine. */
function isValidFor({ answer, result }: Minted, seconds: number): boolean {
  const { sentAt, receivedAt, headers } = answer;
  const durationMs = receivedAt - sentAt;
  const date = Date.parse(headers.date ?? '');
  const issuedAt = Date.parse(textOf(result, 'expiresAt')) - seconds * 1_000;
  const isWithin = (from: number, to: number) => from <= issuedAt && issuedAt <= to;
  const slackMs = 3_000;
  return (
    // The header has whole seconds, and is of the time of the answer.
    isWithin(date - durationMs - slackMs, date + 1_000 + slackMs) ||
    isWithin(sentAt - slackMs, receivedAt + slackMs)
  );
}

const mintRules: PortalRule[] = [
  {
    id: 'identity.whole-portal',
    covers: ['identity.wholePortal', 'identity.embedUrl'],
    expected: 'Without a report, the answer is an address with a token',
    writes: true,
    check: async ({ identity }) => {
      const url = requireAddress(await identity.mint(await identity.wholePortal()));
      return `an address at ${url.origin}`;
    },
  },
  {
    id: 'identity.email-only',
    covers: ['identity.userEmail', 'identity.baseUrl'],
    expected: 'userEmail alone is enough',
    writes: true,
    check: async ({ identity, fixtures }) => {
      requireAddress(await identity.mint({ userEmail: (await fixtures.first()).email }));
      return 'a URL';
    },
  },
  {
    id: 'identity.email-required',
    covers: ['identity.userEmail'],
    expected: 'Without userEmail, no URL is minted',
    writes: true,
    check: async ({ identity, options }) => {
      const { baseUrl } = options;
      const answer = await identity.post(baseUrl === undefined ? { embed: false } : { baseUrl });
      requireRefusal('POST /api/identity/url without userEmail', answer);
      return `refused with ${answer.status}`;
    },
  },
  {
    id: 'identity.one-report',
    covers: ['identity.embedUrl', 'identity.pair', 'users.linkReports'],
    expected: 'With organizationId and reportId, the address has a token and a returnUrl',
    writes: true,
    check: async ({ identity }) => {
      const url = requireAddress(await identity.mint(await identity.oneReport()));
      return `an address at ${url.origin}`;
    },
  },
  ...(['reportId', 'organizationId'] as const).map((missing): PortalRule => ({
    id: `identity.without-${missing === 'reportId' ? 'report' : 'organization'}`,
    covers: ['identity.pair'],
    expected: `A request with ${missing === 'reportId' ? 'organizationId' : 'reportId'} alone is refused`,
    writes: true,
    check: async ({ identity }) => {
      const { [missing]: _, ...body } = (await identity.oneReport()) as Record<string, unknown>;
      const answer = await identity.post(body);
      requireRefusal(`POST /api/identity/url without ${missing}`, answer);
      return `refused with ${answer.status}`;
    },
  })),
  {
    id: 'identity.base-url',
    covers: ['identity.baseUrl'],
    expected: 'The address is at the subdomain that baseUrl names',
    writes: true,
    check: async ({ identity, fixtures, options }) => {
      const userEmail = (await fixtures.first()).email;
      const baseUrl =
        options.baseUrl ?? identity.addressOf(await identity.mint({ userEmail })).origin;
      const answer = await identity.post({ userEmail, baseUrl });
      if (!isSuccess(answer) && options.baseUrl === undefined)
        skip(`the portal refuses ${baseUrl} (${answer.status}); pass --base-url`);
      const url = requireAddress(await identity.mint({ userEmail, baseUrl }));
      if (URL.canParse(baseUrl) && new URL(baseUrl).host !== url.host)
        fail(`with baseUrl ${baseUrl}, the address is at ${url.origin}`);
      return `an address at ${url.origin}`;
    },
  },
  ...flags.flatMap((flag) =>
    [true, false].map((value): PortalRule => ({
      id: `identity.${flag}-${value}`,
      covers: ['identity.flags'],
      expected: `A request with ${flag}: ${value} gets an address`,
      writes: true,
      check: async ({ identity }) => {
        requireAddress(await identity.mint(await identity.anyBody({ [flag]: value })));
        return 'a URL';
      },
    })),
  ),
  {
    id: 'identity.flags-together',
    covers: ['identity.flags'],
    expected: 'A request with all four flags gets an address',
    writes: true,
    check: async ({ identity }) => {
      const all = Object.fromEntries(flags.map((flag) => [flag, true]));
      requireAddress(await identity.mint(await identity.anyBody(all)));
      return 'a URL';
    },
  },
  {
    id: 'identity.custom-filters',
    covers: ['identity.customFilters'],
    expected: 'A request with customFilters gets an address',
    writes: true,
    check: async ({ identity, options }) => {
      const filter = options.filter ?? { key: 'Conformance/None', value: 'none' };
      const customFilters = [filter, { ...filter, value: `${filter.value} too` }];
      const bodies = [
        await identity.anyBody({ customFilters }),
        await identity.wholePortal({ customFilters }),
      ];
      const answers: Answer[] = [];
      for (const body of bodies) {
        const answer = await identity.post(body);
        answers.push(answer);
        if (isSuccess(answer)) requireAddress(await identity.mint(body));
      }
      const refused = answers.find((answer) => !isSuccess(answer));
      if (!refused) return 'a URL';
      const got = describeAnswer(refused);
      if (answers.some(isSuccess)) return info(`in one of two requests: ${got}`);
      return fail(
        options.filter ? got : `${got}. If the portal checks the columns of filters, pass --filter`,
      );
    },
  },
  {
    id: 'identity.five-minutes',
    covers: ['identity.fiveMinutes', 'identity.expiresAt'],
    expected: 'expiresAt is five minutes after the request',
    writes: true,
    check: async ({ identity }) => {
      const bodies = [await identity.wholePortal()];
      if (await identity.hasReport()) bodies.push(await identity.oneReport());
      for (const body of bodies) {
        const minted = await identity.mint(body);
        const text = textOf(minted.result, 'expiresAt');
        if (!isUtcTimestamp(text))
          fail(`expiresAt is ${JSON.stringify(minted.result['expiresAt'])}`);
        const seconds = (Date.parse(text) - minted.answer.receivedAt) / 1_000;
        if (!isValidFor(minted, validSeconds))
          fail(`expiresAt is about ${Math.round(seconds)} seconds after the request`);
      }
      return '300 seconds';
    },
  },
  {
    id: 'identity.fresh',
    covers: ['identity.once'],
    expected: 'Each request gets another token',
    writes: true,
    check: async ({ identity }) => {
      const body = await identity.anyBody();
      const tokens = [await identity.mint(body), await identity.mint(body)].map(
        (minted) => identity.addressOf(minted).searchParams.get('token') ?? '',
      );
      return tokens[0] === tokens[1] ? fail('two requests got the same token') : 'two tokens';
    },
  },
];

/** Opens an address. Skips the rule if nothing answers there, because it may not be reachable from here. */
async function open({ identity }: PortalSubject, url: URL): Promise<Answer> {
  try {
    return await identity.open(url);
  } catch (error) {
    if (error instanceof NoAnswer) skip(`${url.origin} cannot be reached: ${error.message}`);
    throw error;
  }
}

const isOpened = ({ status }: Answer) => status >= 200 && status < 400;

/** What tells openings apart: status, where they redirect, and the page without its random parts. */
function summarize({ status, headers, text }: Answer): string {
  const to = headers.location ?? '';
  const path = URL.canParse(to, 'http://portal') ? new URL(to, 'http://portal').pathname : to;
  const page = text.replaceAll(/[\w-]{16,}|\d+/g, '');
  return `${status} ${path} ${page}`;
}

/**
 * Describes how the portal answers to a token that nobody got. A portal whose page redeems the token by
 * script answers any token alike, and then nothing can be seen from outside.
 */
async function openUnknown(subject: PortalSubject, url: URL): Promise<string> {
  const unknown = new URL(url);
  const token = url.searchParams.get('token') ?? '';
  // Of the same characters, so that no format check sees the difference.
  const reversed = [...token].toReversed().join('');
  unknown.searchParams.set('token', reversed);
  return summarize(await open(subject, unknown));
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
const scripted = 'the page answers every token alike, so only a browser sees whether it opens';

const openingRules: PortalRule[] = [
  {
    id: 'identity.opens',
    covers: ['identity.frame'],
    expected: 'The address opens, and may be framed',
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
    expected: 'Of several openings at the same time, one succeeds',
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
    expected: 'After expiresAt, the address does not open',
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
    expected: 'The page shows what the named user may see, with the rows of the user',
    check: 'only a person sees whose rows a report shows',
  },
  {
    id: 'identity.flags-apply',
    covers: ['identity.flags', 'identity.customFilters'],
    expected: 'The flags hide the bars, and the filters are applied',
    check: 'only a person sees the bars and the rows',
  },
];

export const identityRules: PortalRule[] = [...mintRules, ...openingRules];
