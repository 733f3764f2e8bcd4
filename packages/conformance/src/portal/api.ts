import { randomUUID } from 'node:crypto';

import { describeAnswer, isSuccess, readJson } from '../http/send.ts';
import type { Answer } from '../http/send.ts';
import type { Sender } from '../http/sender.ts';
import { fail, skipNotPermitted, Verdict } from '../rules/rule.ts';
import type { PortalOptions } from './options.ts';

/** An object of an answer, unchecked. */
export type Item = Readonly<Record<string, unknown>>;

export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a field; empty if it is no text. */
export const textOf = (item: Item, field: string): string => {
  const value = item[field];
  return typeof value === 'string' ? value : '';
};

/** The texts of a field that is a list; empty if it is none. */
export const textsOf = (item: Item, field: string): string[] => {
  const value = item[field];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
};

// Portals may spell ids in either letter case.
export const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
export const includesId = (ids: readonly string[], id: string): boolean =>
  ids.some((each) => isSameId(each, id));

export const listPaths = {
  users: '/api/user',
  reports: '/api/report',
  roles: '/api/datasets/rls',
  audit: '/api/report-audit',
} as const;
export type ListName = keyof typeof listPaths;

/** A page of a list, unchecked but for its items. */
export interface Page {
  list: ListName;
  query: Readonly<Record<string, string>>;
  envelope: Item;
  data: readonly Item[];
}

export interface CallOptions {
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** `null` sends none. Default: the key of the options. */
  key?: string | null;
  headers?: Readonly<Record<string, string>>;
}

/** An answer of the API, as the rules about unspecified behaviour report it. */
export interface Call {
  /** For example `PUT /api/user/link-reports`. */
  label: string;
  answer: Answer;
}

const deletion = `DELETE ${listPaths.users}/{userEmail}`;

const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403;

/** Describes why a call was refused: in the words of the portal, which may name the permission. */
export function describeRefusal(answer: Answer): string {
  const body = readJson(answer);
  const detail = isItem(body) ? textOf(body, 'detail') : '';
  return detail === '' ? describeAnswer(answer) : `${answer.status}, ${detail}`;
}

/** Calls the API, and keeps what it answered. */
export class Api {
  readonly calls: Call[] = [];
  readonly pages: Page[] = [];
  /** Answers of lists that are no page, for the rules about the envelope. */
  readonly brokenPages: string[] = [];
  /** The name of the field with the groups of a role, if a rule has found it. */
  groupField: string | undefined;
  /** The parameters that select a page, as far as they are known. */
  readonly pageParameters = new Map<ListName, string>();
  readonly sender: Sender;
  /** Endpoints that the key may call, as far as they are known, and the answers of the others. */
  readonly #permitted = new Set<string>();
  readonly #refusals = new Map<string, Answer>();
  readonly #options: PortalOptions;
  readonly #base: string;

  constructor(options: PortalOptions, sender: Sender) {
    this.#options = options;
    this.sender = sender;
    this.#base = options.url.replace(/\/+$/, '');
  }

  /** Sends a request. Skips the rule if the key of the options may not call this endpoint. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    if (options.key !== undefined) return this.send(method, path, options);
    const endpoint = method === 'DELETE' ? deletion : `${method} ${path}`;
    const refusal = this.#refusals.get(endpoint);
    if (refusal) skipNotPermitted(endpoint, describeRefusal(refusal));
    const answer = await this.send(method, path, options);
    if (isSuccess(answer)) this.#permitted.add(endpoint);
    if (!isRefusal(answer) || this.#permitted.has(endpoint)) return answer;
    if (!(await this.#refusesAll(method, path))) {
      this.#permitted.add(endpoint);
      return answer;
    }
    this.#refusals.set(endpoint, answer);
    return skipNotPermitted(endpoint, describeRefusal(answer));
  }

  /**
   * Whether an endpoint also refuses a request that cannot be forbidden for another reason, such as a
   * report that the user may not open: an empty body, or the deletion of a user who does not exist.
   */
  async #refusesAll(method: string, path: string): Promise<boolean> {
    if (method === 'GET') return true;
    const probe =
      method === 'DELETE'
        ? this.send(method, `${listPaths.users}/${randomUUID()}%40example.com`)
        : this.send(method, path, { json: {} });
    return isRefusal(await probe);
  }

  /** Sends a request, whatever it answers. */
  async send(
    method: string,
    path: string,
    { query = {}, json, key = this.#options.apiKey, headers = {} }: CallOptions = {},
  ): Promise<Answer> {
    const search = Object.entries(query)
      // Unlike URLSearchParams, which writes a space as a plus sign.
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const answer = await this.sender.sendPatiently({
      method,
      url: `${this.#base}${path}${search === '' ? '' : `?${search}`}`,
      headers: {
        Accept: 'application/json',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === null ? {} : { 'X-API-Key': key }),
        ...this.#options.headers,
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (key === this.#options.apiKey) this.calls.push({ label: `${method} ${path}`, answer });
    return answer;
  }

  /** Reads a page of a list. Fails the rule if the answer is none. */
  async readPage(list: ListName, query: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.parsePage(list, query, await this.call('GET', listPaths[list], { query }));
  }

  parsePage(list: ListName, query: Readonly<Record<string, string>>, answer: Answer): Page {
    const where = `GET ${listPaths[list]}${describeQuery(query)}`;
    if (!isSuccess(answer)) fail(`${where} answers ${describeAnswer(answer)}`);
    const envelope = readJson(answer);
    const data = isItem(envelope) ? envelope['data'] : undefined;
    if (!isItem(envelope) || !Array.isArray(data) || !data.every(isItem)) {
      this.brokenPages.push(`${where} answers ${describeAnswer(answer)}`);
      fail(`${where} does not answer a page of objects: ${describeAnswer(answer)}`);
    }
    const page = { list, query, envelope, data };
    this.pages.push(page);
    return page;
  }

  /** All items of a list that were seen so far. */
  itemsOf(list: ListName): Item[] {
    return this.pages.filter((page) => page.list === list).flatMap(({ data }) => data);
  }

  /**
   * Reads the pages of a list, `maxPages` at most. `isComplete` is false if there are more, or if no
   * known parameter selects a page of this list.
   */
  async readAll(
    list: ListName,
    query: Readonly<Record<string, string>> = {},
    maxPages = 20,
  ): Promise<{ items: Item[]; pages: Page[]; isComplete: boolean }> {
    const pages = [await this.readPage(list, query)];
    const hasNext = () => pages.at(-1)!.envelope['hasNextPage'] === true;
    while (hasNext() && pages.length < maxPages) {
      const page = await this.#readNumbered(list, query, pages.length + 1);
      if (!page) break;
      pages.push(page);
    }
    const items = pages.flatMap(({ data }) => data);
    return { items, pages, isComplete: !hasNext() };
  }

  /** Reads a page by its number, with the parameter that the list understands. */
  async #readNumbered(
    list: ListName,
    query: Readonly<Record<string, string>>,
    number: number,
  ): Promise<Page | undefined> {
    const known = this.pageParameters.get(list);
    for (const parameter of known === undefined ? pageParameters[list] : [known]) {
      const numbered = { ...query, [parameter]: String(number) };
      const page = await this.readPage(list, numbered).catch((error: unknown) => {
        if (error instanceof Verdict) return undefined;
        throw error;
      });
      if (page?.envelope['pageIndex'] !== number) continue;
      this.pageParameters.set(list, parameter);
      return page;
    }
    return undefined;
  }
}

/** Parameters that may select a page. The specification names only that of the access log. */
const unspecified = ['pageNumber', 'pageIndex', 'page'];
const pageParameters: Record<ListName, readonly string[]> = {
  users: unspecified,
  reports: unspecified,
  roles: unspecified,
  audit: ['pageNumber'],
};

/** The number of the page that a query asks for. */
export const readPageNumber = (query: Readonly<Record<string, string>>): number =>
  Number(unspecified.map((name) => query[name]).find((value) => value !== undefined) ?? 1);

export const describeQuery = (query: Readonly<Record<string, string>>): string => {
  const search = new URLSearchParams(query).toString();
  return search === '' ? '' : `?${search}`;
};
