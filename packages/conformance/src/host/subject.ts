import { randomBytes } from 'node:crypto';

import { defaultLimits, LimitReached } from '../http/limits.ts';
import type { Redact } from '../http/redact.ts';
import { describeAnswer, isSuccess, readJson } from '../http/send.ts';
import type { Answer } from '../http/send.ts';
import { createSender } from '../http/sender.ts';
import type { Sender } from '../http/sender.ts';
import { fail, skip } from '../rules/index.ts';
import type { HostPoint, Rule } from '../rules/index.ts';
import type { HostOptions } from './options.ts';

export interface HostRequest {
  method?: string;
  /** Sent as JSON. Default `{}`, or the report of the options. */
  json?: unknown;
  /** Sent as it is, in place of `json`. */
  body?: string | Uint8Array;
  /** Headers that replace the usual ones; an empty value removes one. */
  headers?: Readonly<Record<string, string>>;
  /** Whether the user is signed in. Default true. */
  isSignedIn?: boolean;
  /** In place of the address of the endpoint. */
  url?: string;
}

/** The answer of a minted URL. */
export interface MintedUrl {
  answer: Answer;
  result: Readonly<Record<string, unknown>>;
}

export type HostRule = Rule<HostSubject, HostPoint>;

/** The host endpoint that the rules check. */
export class HostSubject {
  readonly sender: Sender;
  readonly origin: string;
  /** Every answer, for the rules about all of them. */
  readonly answers: Answer[] = [];

  readonly options: HostOptions;

  constructor(options: HostOptions, signal: AbortSignal, redact: Redact) {
    this.options = options;
    this.sender = createSender({ ...defaultLimits, ...options.limits }, signal, redact);
    this.origin = options.origin ?? new URL(options.url).origin;
  }

  get hasSession(): boolean {
    return Object.keys(this.options.session ?? {}).length > 0;
  }

  /** A body that the user may send. */
  body(more: object = {}): object {
    const { reportId } = this.options;
    return { ...(reportId === undefined ? {} : { reportId }), ...more };
  }

  /** Sends a request as a script of the application's own page does. */
  async send({
    method = 'POST',
    json = this.body(),
    body,
    headers = {},
    isSignedIn = true,
    url = this.options.url,
  }: HostRequest = {}): Promise<Answer> {
    const all = {
      Accept: 'application/json',
      Origin: this.origin,
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'cors',
      'Sec-Fetch-Dest': 'empty',
      ...(isSignedIn ? this.options.session : {}),
      ...headers,
    };
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const answer = await this.sender.sendPatiently({
      method,
      url,
      headers: Object.fromEntries(
        Object.entries(all).filter(
          ([name, value]) => value !== '' && (hasBody || name !== 'Content-Type'),
        ),
      ),
      ...(hasBody ? { body: body ?? JSON.stringify(json) } : {}),
    });
    if (answer.status === 429)
      throw new LimitReached(
        'the host answers 429, because this user has sent too many requests. Wait a minute between runs',
      );
    this.answers.push(answer);
    return answer;
  }

  /** Skips the rule unless a user is signed in. */
  requireSession(): void {
    if (!this.hasSession) skip('needs a signed-in user; pass --cookie or --header');
  }

  /** Requests a URL, and fails the rule if there is none. */
  async mint(request: HostRequest = {}): Promise<MintedUrl> {
    this.requireSession();
    const answer = await this.send(request);
    const result = readJson(answer);
    if (!isSuccess(answer) || typeof result !== 'object' || result === null)
      fail(`answers ${describeAnswer(answer)}`);
    return { answer, result: result as MintedUrl['result'] };
  }
}

/** A name or value that no application knows. */
export const nonsense = (): string => `no-such-${randomBytes(6).toString('hex')}`;

/** Whether an answer gives a URL, whatever its status. */
export const hasUrl = (answer: Answer): boolean => {
  const result = readJson(answer) as { embedUrl?: unknown } | null | undefined;
  return typeof result === 'object' && result?.embedUrl !== undefined;
};
