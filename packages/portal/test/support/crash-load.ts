import http from 'node:http';

import { send, type Answer } from 'testing';

import type { TestOrganization } from './organization.ts';
import { readSession } from './viewer.ts';

/** What is known of one user: `undefined` for none, else the reports they may open. */
type Reports = readonly string[] | undefined;

/** A write whose answer never came: it was done as a whole, or not at all. */
interface Pending<State> {
  before: State;
  after: State;
}

type UrlState = 'unspent' | 'spent';

/** The server was killed under the request; whether it did anything is for later to find out. */
class Unanswered extends Error {}

const sameSet = (a: Reports, b: Reports): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.length === b.length && a.every((item) => b.includes(item));

/**
 * One client that writes at random, one request after the other, on users and URLs that are its
 * own, and remembers what was acknowledged. After a crash it compares.
 */
export class CrashClient {
  readonly #organization: TestOrganization;
  readonly #reports: readonly string[];
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #users = new Map<string, Reports>();
  readonly #urls = new Map<string, UrlState>();
  readonly #bearers: string[] = [];
  readonly #minter: string;
  #mints = 0;
  #pendingUser: ({ email: string } & Pending<Reports>) | undefined;
  #pendingUrl: string | undefined;
  #pendingMints = 0;
  #origin = '';
  readonly #random: () => number;

  /**
   * @param reports at least two: they are always linked and unlinked together
   * @param random returns numbers from 0 to 1
   */
  constructor(
    name: string,
    organization: TestOrganization,
    reports: readonly string[],
    random: () => number,
  ) {
    this.#random = random;
    this.#organization = organization;
    this.#reports = reports;
    this.#minter = `minter-${name}@crash.example`;
    for (const n of [1, 2, 3]) this.#users.set(`user-${n}-${name}@crash.example`, undefined);
  }

  /** The user who mints: created once, never deleted, so that URLs and audit entries can be counted. */
  async prepare(origin: string): Promise<void> {
    this.#origin = origin;
    await this.#write('POST', '/api/user', { email: this.#minter, name: 'Minter', role: 3 }, 201);
    await this.#link('link-reports', this.#minter);
  }

  /** Writes until the server is gone. */
  async run(origin: string, onAcknowledged: () => void): Promise<void> {
    this.#origin = origin;
    const changeUser = () => this.#changeUser();
    const writes = [changeUser, changeUser, () => this.#mint(), () => this.#redeem()];
    try {
      for (;;) {
        await this.#pick(writes)();
        onAcknowledged();
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
  }

  async #changeUser(): Promise<void> {
    const [email, before] = this.#pick([...this.#users]);
    const change = async (after: Reports, write: () => Promise<unknown>) => {
      this.#pendingUser = { email, before, after };
      await write();
      this.#users.set(email, after);
      this.#pendingUser = undefined;
    };
    if (before === undefined)
      await change([], () =>
        this.#write('POST', '/api/user', { email, name: 'User', role: 3 }, 201),
      );
    else if (this.#random() < 0.3)
      await change(undefined, () =>
        this.#write('DELETE', `/api/user/${encodeURIComponent(email)}`, undefined, 204),
      );
    else if (before.length > 0) await change([], () => this.#link('unlink-reports', email));
    else await change(this.#reports, () => this.#link('link-reports', email));
  }

  async #mint(): Promise<void> {
    this.#pendingMints = 1;
    const { address, id } = this.#organization;
    const body = {
      userEmail: this.#minter,
      baseUrl: address,
      organizationId: id,
      reportId: this.#reports[0],
    };
    const answer = await this.#write('POST', '/api/identity/url', body, 200);
    this.#urls.set(answer.json().embedUrl, 'unspent');
    this.#mints++;
    this.#pendingMints = 0;
  }

  async #redeem(): Promise<void> {
    const url = this.#pick(this.#with('unspent'));
    if (url === undefined) {
      await this.#mint();
      return;
    }
    this.#pendingUrl = url;
    const answer = await this.#open(url);
    if (answer.status !== 200) throw new Error(`Redeeming answered ${answer.status}.`);
    this.#urls.set(url, 'spent');
    this.#pendingUrl = undefined;
    this.#bearers.push(readSession(answer).bearer);
  }

  /** What is not as it was acknowledged, in words; empty when all is well. */
  async verify(origin: string): Promise<string[]> {
    this.#origin = origin;
    return [
      ...(await this.#verifyUsers()),
      ...(await this.#verifyUrls()),
      ...(await this.#verifySessions()),
      ...(await this.#verifyAudit()),
    ];
  }

  async #verifyUsers(): Promise<string[]> {
    const problems: string[] = [];
    const answer = await this.#ask('/api/user?email=crash.example&pageSize=200');
    const found = new Map<string, string[]>(
      answer
        .json()
        .data.map((user: { email: string; reports: string[] }) => [user.email, user.reports]),
    );
    for (const [email, expected] of this.#users) {
      const actual = found.get(email);
      const pending = this.#pendingUser?.email === email ? this.#pendingUser : undefined;
      const allowed = pending ? [pending.before, pending.after] : [expected];
      if (!allowed.some((reports) => sameSet(reports, actual)))
        problems.push(`${email} is ${describe(actual)}, not ${allowed.map(describe).join(' or ')}`);
      this.#users.set(email, actual);
    }
    this.#pendingUser = undefined;
    return problems;
  }

  /** Opens what was spent already, what may have been, and one that was not. */
  async #verifyUrls(): Promise<string[]> {
    const problems: string[] = [];
    const expectSpent = async (url: string) => {
      const { status } = await this.#open(url);
      if (status !== 410) problems.push(`a spent URL answered ${status}`);
    };
    for (const url of this.#with('spent').slice(-5)) await expectSpent(url);
    for (const url of new Set([this.#pendingUrl, this.#with('unspent')[0]])) {
      if (url === undefined) continue;
      const { status } = await this.#open(url);
      const allowed = url === this.#pendingUrl ? [200, 410] : [200];
      if (!allowed.includes(status)) problems.push(`an unspent URL answered ${status}`);
      this.#urls.set(url, 'spent');
      await expectSpent(url);
    }
    this.#pendingUrl = undefined;
    return problems;
  }

  async #verifySessions(): Promise<string[]> {
    const problems: string[] = [];
    for (const bearer of this.#bearers.slice(-2)) {
      const answer = await this.#sendToAddress('/viewer/reports', {
        authorization: `Bearer ${bearer}`,
      });
      if (answer.status !== 200) problems.push(`an open session answered ${answer.status}`);
    }
    return problems;
  }

  async #verifyAudit(): Promise<string[]> {
    const answer = await this.#ask(
      `/api/report-audit?userEmail=${encodeURIComponent(this.#minter)}&pageSize=1`,
    );
    const entries: number = answer.json().totalPages;
    const isRight = entries >= this.#mints && entries <= this.#mints + this.#pendingMints;
    const problems = isRight ? [] : [`${entries} audit entries for ${this.#mints} mints`];
    this.#mints = entries;
    this.#pendingMints = 0;
    return problems;
  }

  /** Every URL that was ever spent, once more: none of them opens anything. */
  async verifyAllSpent(): Promise<string[]> {
    const problems: string[] = [];
    for (const url of this.#with('spent')) {
      const { status } = await this.#open(url);
      if (status !== 410) problems.push(`a spent URL answered ${status}`);
    }
    return problems;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #with(state: UrlState): string[] {
    return [...this.#urls].flatMap(([url, known]) => (known === state ? [url] : []));
  }

  #link(action: 'link-reports' | 'unlink-reports', userEmail: string): Promise<Answer> {
    return this.#write('PUT', `/api/user/${action}`, { userEmail, reports: this.#reports }, 204);
  }

  async #write(method: string, path: string, json: unknown, expected: number): Promise<Answer> {
    const headers = { 'x-api-key': this.#organization.apiKey };
    const answer = await this.#send(this.#origin + path, { method, json, headers });
    if (answer.status !== expected)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`);
    return answer;
  }

  #ask(path: string): Promise<Answer> {
    return this.#write('GET', path, undefined, 200);
  }

  #open(url: string): Promise<Answer> {
    const { pathname, search } = new URL(url);
    return this.#sendToAddress(pathname + search, {});
  }

  #sendToAddress(path: string, headers: http.OutgoingHttpHeaders): Promise<Answer> {
    const { host } = new URL(this.#organization.address);
    return this.#send(this.#origin + path, { headers: { host, ...headers } });
  }

  async #send(url: string, options: Parameters<typeof send>[1]): Promise<Answer> {
    const answer = await send(url, { ...options, agent: this.#agent }).catch((error: Error) => {
      throw new Unanswered(error.message);
    });
    if (answer.status === 503) throw new Unanswered('503');
    return answer;
  }
}

const describe = (reports: Reports): string =>
  reports === undefined ? 'not there' : `there with ${reports.length} reports`;
