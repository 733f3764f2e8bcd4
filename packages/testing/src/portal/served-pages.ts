import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { PortalMessage } from '@portal-embed/contract/frame';

import { FakePage } from '../page/fake-page.ts';
import type { IdentityUrls } from '../page/identity-urls.ts';
import type { PageScenario } from '../page/scenario.ts';
import { jsonAnswer, type FakeAnswer, type ReceivedRequest } from './answers.ts';
import type { MintRequest } from './handlers.ts';

/** A page of the fake portal in a browser. */
export type ServedPage = FakePage<MintRequest>;

/** The requests of the pages themselves, which are not recorded. */
const channelPath = '/fake-page/';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/**
 * The page passes messages between the component and the fake portal. It polls, because a browser opens
 * only six connections to an origin, which streams of several embeds would use up.
 */
const renderPage = (index: number, lines: string[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fake portal</title>
<style>
  body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark }
</style>
<body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}
<script>
  let port;
  let exchanged = Promise.resolve();
  const exchange = (message) => {
    exchanged = exchanged.then(async () => {
      const answer = await fetch('${channelPath}${index}', {
        method: 'POST',
        body: JSON.stringify(message ? [message] : []),
      });
      const { lines, messages } = await answer.json();
      document.body.replaceChildren(
        ...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })),
      );
      for (const each of messages) port.postMessage(each);
    }).catch(() => {});
    return exchanged;
  };
  const poll = () => setTimeout(() => exchange().then(poll), 100);
  addEventListener('message', ({ data, source, ports }) => {
    if (source !== parent || data?.type !== 'connect') return;
    [port] = ports;
    port.onmessage = (event) => exchange(event.data);
    exchange(data).then(poll);
  });
  parent.postMessage({ portalEmbed: 1, type: 'boot', accepts: ['open'] }, '*');
</script>
`;

/** The pages that browsers have opened at the fake portal. */
export class ServedPages {
  readonly pages: ServedPage[] = [];
  scenario: PageScenario = 'ready';
  readonly #urls: IdentityUrls<MintRequest>;
  readonly #embedOrigins: readonly string[] | undefined;
  /** For each page, the messages that its next request gets. */
  readonly #outboxes: PortalMessage[][] = [];

  constructor(urls: IdentityUrls<MintRequest>, embedOrigins: readonly string[] | undefined) {
    this.#urls = urls;
    this.#embedOrigins = embedOrigins;
  }

  /** Ends the pages and unused URLs of a user. */
  end(email: string): void {
    const isOf = (url?: { userEmail: string }) =>
      url?.userEmail.toLowerCase() === email.toLowerCase();
    for (const url of this.#urls.minted) if (isOf(url)) url.isOpened = true;
    for (const page of this.pages) if (isOf(page.url)) page.endSession();
  }

  /** Whether a page sends the request, rather than the host. */
  isChannel({ url }: ReceivedRequest): boolean {
    return url.startsWith(channelPath);
  }

  /** Answers a request for a page; `undefined` for other requests. */
  answer(request: ReceivedRequest): FakeAnswer | undefined {
    if (this.isChannel(request)) return this.#exchange(request);
    const { pathname } = new URL(request.url, 'http://fake');
    if (request.method !== 'GET' || !['/identity', '/embed'].includes(pathname)) return undefined;
    return (_, response) => {
      const isPrefetch = (request.headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate';
      if (isPrefetch) return response.writeHead(503).end();
      const { status, html } = this.#open(request.url);
      const policy = this.#embedOrigins && {
        'Content-Security-Policy': `frame-ancestors ${this.#embedOrigins.join(' ') || "'none'"}`,
      };
      const headers = {
        'Content-Type': 'text/html',
        'Cache-Control': 'no-store',
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...policy,
      };
      return response.writeHead(status, headers).end(html);
    };
  }

  #open(target: string) {
    const outbox: PortalMessage[] = [];
    const page: ServedPage = new FakePage(`http://fake${target}`, {
      redeem: (url) => this.#urls.redeem(url),
      scenario: () => this.scenario,
      send: (message) => outbox.push(message),
    });
    const index = this.pages.push(page) - 1;
    this.#outboxes.push(outbox);
    const isRefused = target.startsWith('/identity') && !page.url;
    const lines = isRefused ? ['This link has been used or has expired'] : page.lines;
    return { status: isRefused ? 410 : 200, html: renderPage(index, lines) };
  }

  #exchange({ url, body }: ReceivedRequest): FakeAnswer {
    const index = Number(url.slice(channelPath.length));
    const page = this.pages[index];
    if (!page) return jsonAnswer(404);
    for (const message of JSON.parse(String(body)) as unknown[])
      if (isConnect(message) || isHostMessage(message)) page.receive(message);
    const messages = this.#outboxes[index]!.splice(0);
    return jsonAnswer(200, { lines: page.lines, messages });
  }
}
