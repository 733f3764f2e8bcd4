import type { HostRequest } from '@portal-embed/contract';

import { IdentityUrls, type MintedUrl } from '../page/identity-urls.ts';
import type { PageScenario } from '../page/scenario.ts';
import { answerRequest, type Scenario } from './endpoint.ts';
import { EverythingInView, SimpleMessageChannel } from './environment.ts';
import { playPage, type EmbeddedPage } from './fake-frame.ts';
import { createPatches } from './patch.ts';

export interface FakeEmbedsOptions {
  /** What happens to the first requests and URLs. Default: `ready`. */
  scenario?: Scenario;
  /** Time until the host endpoint answers, in milliseconds. Default: 0. */
  delay?: number;
  /** The `endpoint` of the embeds. Default: `/portal-embed/url`. */
  endpoint?: string;
  /** The `portalUrl` of the embeds, if they have one. Default: `https://portal.example`. */
  portalUrl?: string;
}

export interface FakeEmbeds {
  /** The bodies of the requests to the host endpoint, in order. */
  readonly requests: HostRequest[];
  /** The minted URLs, each with its request. */
  readonly minted: MintedUrl<HostRequest>[];
  /** The pages of the document, in the order in which they were loaded. */
  readonly pages: EmbeddedPage[];
  /** Returns the latest page, as soon as its embed has given it a URL. */
  page: () => Promise<EmbeddedPage>;
  /** Sets what happens to later requests and URLs, and optionally the time until the endpoint answers. */
  show: (scenario: Scenario, delay?: number) => void;
  /** Pass it as the option `fetchIdentityUrl`, in place of your own function. */
  fetchIdentityUrl: (request: HostRequest, init?: { signal?: AbortSignal }) => Promise<Response>;
  /** Restores the browser's own frames and `fetch`. Call it after each test. */
  restore: () => void;
  [Symbol.dispose]: () => void;
}

/** jsdom 20 has no `URL.parse`. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return undefined;
  }
}

/**
 * Fakes the host endpoint and the portal's pages for the embeds of this document, in jsdom and in
 * browsers: for component tests and stories. Nothing is sent over the network.
 */
export function fakeEmbeds({
  scenario: initialScenario = 'ready',
  delay: initialDelay = 0,
  endpoint = '/portal-embed/url',
  portalUrl = 'https://portal.example',
}: FakeEmbedsOptions = {}): FakeEmbeds {
  const urls = new IdentityUrls<HostRequest>();
  const requests: HostRequest[] = [];
  const pages: EmbeddedPage[] = [];
  const patches = createPatches();
  const portal = new URL(portalUrl);
  let scenario = initialScenario;
  let delay = initialDelay;
  let waiting: (() => void)[] = [];

  const fetchIdentityUrl: FakeEmbeds['fetchIdentityUrl'] = async (request, { signal } = {}) => {
    requests.push(request);
    const handlers = {
      scenario: () => scenario,
      delay: () => delay,
      mint: (each: HostRequest) => urls.mint(each, { portalUrl: portal.origin, validSeconds: 300 }),
    };
    return answerRequest(request, handlers, signal);
  };

  const realFetch = globalThis.fetch as typeof fetch | undefined;
  const fakeFetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const target = typeof input === 'object' && 'url' in input ? input.url : String(input);
    const { origin, pathname } = new URL(target, document.baseURI);
    const own = new URL(endpoint, document.baseURI);
    if (origin === own.origin && pathname === own.pathname)
      return fetchIdentityUrl(
        JSON.parse(init.body as string) as HostRequest,
        init.signal ? { signal: init.signal } : {},
      );
    if (!realFetch)
      throw new TypeError(
        `The fake embeds do not answer ${target}. If the embeds have another endpoint, pass it to fakeEmbeds.`,
      );
    return realFetch(input, init);
  };
  patches.set(globalThis, 'fetch', { value: fakeFetch, writable: true });
  if (!('IntersectionObserver' in globalThis))
    patches.set(globalThis, 'IntersectionObserver', { value: EverythingInView, writable: true });
  if (!('MessageChannel' in globalThis))
    patches.set(globalThis, 'MessageChannel', { value: SimpleMessageChannel, writable: true });

  const prototype = HTMLIFrameElement.prototype;
  const source = Object.getOwnPropertyDescriptor(prototype, 'src')!;
  const sources = new WeakMap<HTMLIFrameElement, string>();
  patches.set(prototype, 'src', {
    get(this: HTMLIFrameElement): unknown {
      return sources.get(this) ?? source.get!.call(this);
    },
    set(this: HTMLIFrameElement, value: string) {
      const address = parseUrl(value);
      if (address?.origin !== portal.origin) {
        source.set!.call(this, value);
        return;
      }
      // Without the attribute, the frame stays empty and belongs to this document.
      sources.set(this, value);
      const page = playPage(this, address, {
        redeem: (url) => urls.redeem(url),
        scenario: () => scenario as PageScenario,
        onOpened: () => {
          for (const resolve of waiting.splice(0)) resolve();
        },
      });
      pages.push(page);
    },
  });

  const page = async (): Promise<EmbeddedPage> => {
    const latest = pages.findLast(({ isOpened }) => isOpened);
    if (latest) return latest;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return page();
  };

  const restore = () => {
    patches.restore();
    waiting = [];
  };

  return {
    requests,
    minted: urls.minted,
    pages,
    page,
    show(next, nextDelay = delay) {
      scenario = next;
      delay = nextDelay;
    },
    fetchIdentityUrl,
    restore,
    [Symbol.dispose]: restore,
  };
}
