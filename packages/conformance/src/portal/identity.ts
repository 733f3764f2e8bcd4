import { openPage } from '../http/open-page.ts';
import { describeAnswer, isSuccess, readJson } from '../http/send.ts';
import type { Answer } from '../http/send.ts';
import { fail, skip } from '../rules/rule.ts';
import { isItem, textOf } from './api.ts';
import type { Api, Item } from './api.ts';
import type { Fixtures } from './fixtures.ts';
import type { PortalOptions } from './options.ts';

/** A minted URL. */
export interface Minted {
  answer: Answer;
  result: Item;
  isOneReport: boolean;
}

const maxRedirects = 5;

/** Mints and opens identity URLs. */
export class Identity {
  readonly minted: Minted[] = [];
  readonly #api: Api;
  readonly #fixtures: Fixtures;
  readonly #options: PortalOptions;

  constructor(api: Api, fixtures: Fixtures, options: PortalOptions) {
    this.#api = api;
    this.#fixtures = fixtures;
    this.#options = options;
  }

  /** Sends a request for a URL; adds nothing to its body. */
  post = (json: object, options: { key?: string | null; headers?: Record<string, string> } = {}) =>
    this.#api.call('POST', '/api/identity/url', { json, ...options });

  /** The body of a request for the whole portal. */
  async wholePortal(more: object = {}): Promise<object> {
    const { email } = await this.#fixtures.first();
    const { baseUrl } = this.#options;
    return { userEmail: email, ...(baseUrl === undefined ? {} : { baseUrl }), ...more };
  }

  /** The body of a request for one report that the user may open. */
  async oneReport(more: object = {}): Promise<object> {
    const { reportId } = await this.#fixtures.openable();
    const organizationId = await this.#fixtures.organizationId();
    return this.wholePortal({ organizationId, reportId, ...more });
  }

  /** The body for one report if an organization is known, or for the whole portal. */
  async anyBody(more: object = {}): Promise<object> {
    return (await this.hasReport()) ? this.oneReport(more) : this.wholePortal(more);
  }

  /** Whether URLs for one report can be requested. */
  async hasReport(): Promise<boolean> {
    const known = [this.#fixtures.openable(), this.#fixtures.organizationId()];
    return (await Promise.allSettled(known)).every(({ status }) => status === 'fulfilled');
  }

  /** Mints a URL, and fails the rule if the portal refuses. */
  async mint(json: object, headers: Record<string, string> = {}): Promise<Minted> {
    const answer = await this.post(json, { headers });
    const fields = Object.keys(json).join(', ');
    if (!isSuccess(answer))
      fail(`POST /api/identity/url with ${fields} answers ${describeAnswer(answer)}`);
    const result = readJson(answer);
    if (!isItem(result))
      fail(
        `POST /api/identity/url with ${fields} does not answer a JSON object: ${describeAnswer(answer)}`,
      );
    const minted = { answer, result, isOneReport: 'reportId' in json };
    this.minted.push(minted);
    return minted;
  }

  /** Returns the address of a URL. Skips the rule if it is none. */
  addressOf({ result }: Minted): URL {
    const text = textOf(result, 'embedUrl');
    if (!/^https?:/i.test(text) || !URL.canParse(text)) skip('embedUrl is not a URL');
    return new URL(text);
  }

  /** Opens an address and the pages of the same origin that it redirects to, with their cookies. */
  async visit(address: URL): Promise<Answer> {
    const cookies = new Map<string, string>();
    let url = address;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.open(url, cookies);
      const { location, 'set-cookie': received = [] } = answer.headers;
      for (const cookie of received) {
        const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const isRedirect = answer.status >= 300 && answer.status < 400;
      if (!isRedirect || location === undefined || redirects === maxRedirects) return answer;
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (next?.origin !== url.origin) return answer;
      url = next;
    }
  }

  /** Opens an address as the iframe of a page does, without following a redirect. */
  open = (address: URL, cookies?: ReadonlyMap<string, string>): Promise<Answer> =>
    openPage(this.#api.sender, address, cookies);
}
