import http from 'node:http';

import { send, type Answer } from 'test-support';

import type { TestOrganization } from './organization.ts';
import { readSession } from './viewer.ts';

/** The reports that a user may open; `undefined` if the user does not exist. */
type Reports = readonly string[] | undefined;

/** A write without a response: it was applied as a whole or not at all. */
interface Pending<State> {
  before: State;
  after: State;
}

type UrlState = 'unused' | 'used';

/** The server was killed during the request, so the outcome is unknown. */
class Unanswered extends Error {}

const sameSet = (a: Reports, b: Reports): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.length === b.length && a.every((item) => b.includes(item));

/**
 * A client that sends random writes, one after the other, to its own users and URLs and records
 * what was acknowledged. After a crash it compares.
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

  /** Creates the minting user. It is never deleted, so that URLs and entries of the access log can be counted. */
  async prepare(origin: string): Promise<void> {
    this.#origin = origin;
    await this.#write('POST', '/api/user', { email: this.#minter, name: 'Minter', role: 3 }, 201);
    await this.#link('link-reports', this.#minter);
  }

  /** Writes until a request fails or `signal` aborts. */
  async run(origin: string, onAcknowledged: () => void, signal: AbortSignal): Promise<void> {
    this.#origin = origin;
    const changeUser = () => this.#changeUser();
    const writes = [changeUser, changeUser, () => this.#mint(), () => this.#redeem()];
    try {
      while (!signal.aborted) {
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
    this.#urls.set(answer.json().embedUrl, 'unused');
    this.#mints++;
    this.#pendingMints = 0;
  }

  async #redeem(): Promise<void> {
    const url = this.#pick(this.#with('unused'));
    if (url === undefined) {
      await this.#mint();
      return;
    }
    this.#pendingUrl = url;
    const answer = await this.#open(url);
    if (answer.status !== 200) throw new Error(`Redeeming answered ${answer.status}.`);
    this.#urls.set(url, 'used');
    this.#pendingUrl = undefined;
    this.#bearers.push(readSession(answer).bearer);
  }

  /** Returns the differences from the acknowledged state. */
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
    const answer = await this.#get('/api/user?email=crash.example&pageSize=200');
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
        problems.push(
          `${email} is ${describeReports(actual)}, not ${allowed.map(describeReports).join(' or ')}`,
        );
      this.#users.set(email, actual);
    }
    this.#pendingUser = undefined;
    return problems;
  }

  /** Opens used URLs, one whose state is unknown and one that is unused. */
  async #verifyUrls(): Promise<string[]> {
    const problems: string[] = [];
    const expectUsed = async (url: string) => {
      const { status } = await this.#open(url);
      if (status !== 410) problems.push(`a used URL answered ${status}`);
    };
    for (const url of this.#with('used').slice(-5)) await expectUsed(url);
    for (const url of new Set([this.#pendingUrl, this.#with('unused')[0]])) {
      if (url === undefined) continue;
      const { status } = await this.#open(url);
      const allowed = url === this.#pendingUrl ? [200, 410] : [200];
      if (!allowed.includes(status)) problems.push(`an unused URL answered ${status}`);
      this.#urls.set(url, 'used');
      await expectUsed(url);
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
    const answer = await this.#get(
      `/api/report-audit?userEmail=${encodeURIComponent(this.#minter)}&pageSize=1`,
    );
    const entries: number = answer.json().totalPages;
    const isRight = entries >= this.#mints && entries <= this.#mints + this.#pendingMints;
    const problems = isRight ? [] : [`${entries} audit entries for ${this.#mints} mints`];
    this.#mints = entries;
    this.#pendingMints = 0;
    return problems;
  }

  /** Opens every used URL again and returns each that does not answer 410. */
  async verifyAllUsed(): Promise<string[]> {
    const problems: string[] = [];
    for (const url of this.#with('used')) {
      const { status } = await this.#open(url);
      if (status !== 410) problems.push(`a used URL answered ${status}`);
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

  #get(path: string): Promise<Answer> {
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

const describeReports = (reports: Reports): string =>
  reports === undefined ? 'missing' : `present with ${reports.length} reports`;
