import { describeAnswer, isSuccess } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { fail, info, skip } from '../../rules/rule.ts';
import { textOf } from '../api.ts';
import type { Minted } from '../identity.ts';
import type { PortalRule } from '../subject.ts';
import { requireRefusal } from './requests.ts';
import { isUtcTimestamp } from './values.ts';

const flags = ['hideMenu', 'hideNavbar', 'hideSidebar', 'embed'] as const;
export const validSeconds = 5 * 60;

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

export const mintRules: PortalRule[] = [
  {
    id: 'identity.whole-portal',
    covers: ['identity.wholePortal', 'identity.embedUrl'],
    expected: 'Without a report, the answer is a URL with a token',
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
    expected: 'With organizationId and reportId, the URL has a token and a returnUrl',
    writes: true,
    check: async ({ identity }) => {
      const url = requireAddress(await identity.mint(await identity.oneReport()));
      return `an address at ${url.origin}`;
    },
  },
  ...(['reportId', 'organizationId'] as const).map((missing): PortalRule => ({
    id: `identity.without-${missing === 'reportId' ? 'report' : 'organization'}`,
    covers: ['identity.pair'],
    expected: `A request with ${missing === 'reportId' ? 'organizationId' : 'reportId'} but without ${missing} is refused`,
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
    expected: 'The URL is at the subdomain that baseUrl names',
    writes: true,
    check: async ({ identity, fixtures, options }) => {
      const userEmail = (await fixtures.first()).email;
      const baseUrl =
        options.baseUrl ?? identity.addressOf(await identity.mint({ userEmail })).origin;
      const answer = await identity.post({ userEmail, baseUrl });
      if (!isSuccess(answer) && options.baseUrl === undefined)
        skip(`the portal refuses ${baseUrl} (${answer.status}); pass --base-url`);
      const url = requireAddress(await identity.mint({ userEmail, baseUrl }));
      if (URL.canParse(baseUrl) && new URL(baseUrl).hostname !== url.hostname)
        fail(`with baseUrl ${baseUrl}, the URL is at ${url.origin}`);
      return `an address at ${url.origin}`;
    },
  },
  ...flags.flatMap((flag) =>
    [true, false].map((value): PortalRule => ({
      id: `identity.${flag}-${value}`,
      covers: ['identity.flags'],
      expected: `A request with ${flag}: ${value} gets a URL`,
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
    expected: 'A request with all four flags gets a URL',
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
    expected: 'A request with customFilters gets a URL',
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
      if (answers.some(isSuccess)) return info(`one of two requests is refused: ${got}`);
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
    expected: 'Each request gets a new token',
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
