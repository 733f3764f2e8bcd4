import { setTimeout } from 'node:timers/promises';

import type { z } from 'zod';

import { clouds } from './clouds.ts';
import type { Addresses, Connection, Credential } from './connection.ts';
import { requestAccessToken, type AccessToken } from './entra.ts';
import { noAnswer, PowerbiError } from './errors.ts';
import { explainAnswer } from './explain-answer.ts';
import { readText } from './read-text.ts';

export interface RestOptions {
  connection: Connection;
  credential: Credential;
  /** Default: those of the connection's cloud. */
  addresses?: Addresses | undefined;
  /** Default: the one of Node. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Default: the system's clock. */
  now?: (() => Date) | undefined;
  /** Default: waits. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface Call<Answer> {
  method: 'GET' | 'POST';
  /** Below `/v1.0/myorg`. */
  path: string;
  body?: unknown;
  answer: z.ZodType<Answer>;
  signal: AbortSignal;
}

/** Power BI refuses more than about sixty requests a minute, as its users report. */
const pauseMs = 1000;
const maxTries = 5;

/** A longer pause is left to the next synchronization, so that other organizations have their turn. */
const maxRetryAfter = 300;

const timeoutMs = 15_000;
const maxBytes = 32_000_000;

/** An embed token ends with the access token that asked for it, so an older one is replaced. */
const leastMs = 20 * 60_000;

type Settled = { [Name in keyof RestOptions]-?: NonNullable<RestOptions[Name]> } & {
  addresses: { [Name in keyof Addresses]-?: string };
};

/** The REST API of Power BI, for one connection. */
export class Rest {
  readonly #options: Settled;
  #token: Promise<AccessToken> | undefined;

  constructor(options: RestOptions) {
    const { authority, api } = clouds[options.connection.cloud];
    this.#options = {
      ...options,
      addresses: {
        authority: options.addresses?.authority ?? authority,
        api: options.addresses?.api ?? api,
      },
      fetch: options.fetch ?? fetch,
      now: options.now ?? (() => new Date()),
      wait: options.wait ?? ((ms, signal) => setTimeout(ms, undefined, { signal })),
    };
  }

  /**
   * Asks Power BI.
   *
   * @throws `PowerbiError`; what the signal throws
   */
  async ask<Answer>(call: Call<Answer>): Promise<Answer> {
    const token = await this.#accessToken();
    try {
      return await this.#send(call, token);
    } catch (error) {
      if (!(error instanceof PowerbiError) || error.failure !== 'sign-in') throw error;
      // Entra has ended it early.
      if ((await this.#token) === token) this.#token = undefined;
      return this.#send(call, await this.#accessToken());
    }
  }

  /**
   * Asks Power BI as one of many requests: a moment after the one before, and again when Power BI says so.
   *
   * @throws as `ask`
   */
  async askInTurn<Answer>(call: Call<Answer>): Promise<Answer> {
    const { wait } = this.#options;
    for (let tried = 1; ; tried++) {
      await wait(pauseMs, call.signal);
      try {
        return await this.ask(call);
      } catch (error) {
        const isThrottled = error instanceof PowerbiError && error.failure === 'throttled';
        if (!isThrottled || tried === maxTries) throw error;
        const { retryAfter = 60 } = error;
        if (retryAfter > maxRetryAfter) throw error;
        await wait(retryAfter * 1000, call.signal);
      }
    }
  }

  async #send<Answer>(
    { method, path, body, answer, signal }: Call<Answer>,
    { value }: AccessToken,
  ): Promise<Answer> {
    const { fetch, addresses } = this.#options;
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${value}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // Another address would get the token.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    };
    try {
      const response = await fetch(`${addresses.api}/v1.0/myorg${path}`, request);
      const text = await readText(response, maxBytes);
      if (!response.ok) throw explainAnswer(response, text);
      return read(answer, text);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PowerbiError) throw error;
      throw noAnswer('Power BI', error);
    }
  }

  async #accessToken(): Promise<AccessToken> {
    const asked = this.#token;
    const held = await asked;
    const now = this.#options.now().getTime();
    if (held && held.expiresAt.getTime() - now >= leastMs) return held;
    // Requests that come at once share one new token.
    if (this.#token === asked) this.#token = this.#renew();
    return this.#token!;
  }

  async #renew(): Promise<AccessToken> {
    const { connection, credential, addresses, fetch, now } = this.#options;
    const { tenant, clientId, cloud } = connection;
    const application = { authority: addresses.authority, tenant, clientId, credential };
    try {
      return await requestAccessToken(application, clouds[cloud].scope, { fetch, now });
    } catch (error) {
      this.#token = undefined;
      throw error;
    }
  }
}

function read<Answer>(schema: z.ZodType<Answer>, text: string): Answer {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new PowerbiError(
    'unavailable',
    'The answer of Power BI has another form than its documentation says.',
    { cause: parsed.error },
  );
}

/** `undefined` for other text. The error would quote it, and it may have a token. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
