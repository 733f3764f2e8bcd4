import type { RequestListener } from 'node:http';

import type { CustomFilter, HostRequest } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import type { PortalEmbedProps, ReadyEvent } from '../../src/index.ts';
import { readJson, refuse, sendJson } from '../host-endpoint.ts';
import type { Page } from './browser.ts';
import { sample } from './sampler.ts';
import { startHostSite, startPortalSite } from './sites.ts';

const allCauses: Record<EmbedFailureCause, true> = {
  not_signed_in: true,
  unknown_tenant: true,
  cross_site: true,
  forbidden: true,
  no_portal_user: true,
  report_not_accessible: true,
  portal_unavailable: true,
  portal_timeout: true,
  portal_rejected_key: true,
  rate_limited: true,
  invalid_request: true,
  report_failed: true,
  filters_not_applied: true,
  endpoint_unreachable: true,
  endpoint_invalid: true,
  insecure_url: true,
  same_origin: true,
  blocked_by_host: true,
  blocked_by_portal: true,
  unreachable: true,
  not_answering: true,
  no_response: true,
  timed_out: true,
  session_lost: true,
};

/** Returns the heading of a report: its user, report id, filter and flag. */
const describeRequest = (user: string, { reportId, customFilters, hideMenu }: HostRequest) =>
  [user, reportId ?? 'all', customFilters?.[0]?.value ?? 'any', hideMenu ? 'bare' : 'menu'].join(
    '.',
  );

const initialProps: HostRequest = {
  reportId: undefined,
  customFilters: undefined,
  hideMenu: undefined,
};

const nothing = { timers: 0, listeners: 0, observers: 0, ports: 0, requests: 0, frames: 0 };

/** Runs in the page: shows the embed in a frame of the same origin, and also meters that frame. */
const openOtherWindow = async (meter: string) => {
  const frame = document.createElement('iframe');
  frame.srcdoc = '<!doctype html><main></main>';
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve);
  });
  document.body.append(frame);
  await loaded;
  const view = frame.contentWindow as typeof window;
  view.Function(meter)();
  window.app.place = view.document.querySelector('main')!;
  window.sampler.watch(view.document);
};

/** Runs in the page: counts what is open in it and in the window of the embed. */
const countOpen = () => {
  const view = window.app.place?.ownerDocument.defaultView;
  return [window, ...(view ? [view] : [])].map(({ meter }) => meter.count());
};

export type SequenceStage = Awaited<ReturnType<typeof openSequenceStage>>;

/** Starts a host whose users sign in and out, a portal that can break down, and a page of the host. */
export async function openSequenceStage(
  openPage: () => Promise<Page>,
  { script, meter }: Record<'script' | 'meter', string>,
  random: () => number,
) {
  const portal = await startPortalSite();
  const host = await startHostSite(portal, script);
  const page = await openPage();
  const delay = () => (random() < 0.5 ? 0 : random() * 40);
  portal.latency = delay;
  let restart: (() => Promise<void>) | undefined;

  const stage = {
    page,
    portal,
    host,
    /** The user of the host's session. */
    user: undefined as string | undefined,
    isMounted: false,
    /** The embed is in a frame of the same origin. */
    isInOtherWindow: false,
    /** Answers in place of the host endpoint. */
    middleware: undefined as RequestListener | undefined,
    /** Props that stay for the whole sequence. */
    fixedProps: {} as PortalEmbedProps & { strict?: boolean },
    props: initialProps,
    /** Filters of `setFilters`, until the props change. */
    ownFilters: undefined as CustomFilter[] | undefined,
    key: 0,
    /** Navigations and failed requests. */
    trace: [] as string[],
    startedAt: 0,

    /** Mounts the embed, or applies changed props. */
    async render() {
      stage.isMounted = true;
      await page.evaluate((props) => window.app.mount(props), {
        ...stage.fixedProps,
        ...stage.props,
        keys: [`key${stage.key}`],
      });
    },
    async unmount() {
      stage.isMounted = false;
      stage.ownFilters = undefined;
      await page.evaluate(() => window.app.unmount());
    },
    async changeProps(props: HostRequest) {
      const previous = JSON.stringify(stage.props);
      stage.props = { ...stage.props, ...props };
      if (JSON.stringify(stage.props) !== previous) stage.ownFilters = undefined;
      if (stage.isMounted) await stage.render();
    },
    /** Mounts for a user. The previous user's report is removed before the session changes. */
    async signIn(user: string) {
      await stage.unmount();
      await page.evaluate((name) => (window.sampler.users = [name]), user);
      stage.user = user;
      await stage.render();
    },
    setOffline: (isOffline: boolean) => page.context().setOffline(isOffline),
    setHidden: (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, isHidden),
    async breakPortal() {
      restart ??= await portal.breakDown(() => {});
    },
    async restartPortal() {
      await restart?.();
      restart = undefined;
    },
    /** Returns the frame of the portal, if there is one. */
    findFrame: () => page.frames()[stage.isInOtherWindow ? 2 : 1],
    /** Runs code in the portal's page, if there is one. */
    async inFrame(act: () => void) {
      const frame = stage.findFrame();
      // The frame may be leaving, or may show an error page.
      await Promise.race([
        frame?.evaluate(act).catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, 200)),
      ]);
    },

    /** Starts a sequence on a fresh page. Returns what was open before. */
    async begin() {
      await stage.restartPortal();
      await stage.setOffline(false);
      Object.assign(stage, {
        isMounted: false,
        middleware: undefined,
        props: initialProps,
        ownFilters: undefined,
        key: 0,
      });
      await page.goto(host.origin);
      stage.trace = [];
      stage.startedAt = performance.now();
      if (stage.isInOtherWindow) await page.evaluate(openOtherWindow, meter);
      await page.evaluate(async () => {
        // Shortens the random delays of retries.
        const { random: original } = Math;
        Math.random = () => original() / 5;
        const { app } = window;
        // The first render of React creates listeners and a channel that it keeps.
        app.mount({ fetchIdentityUrl: () => new Promise(() => {}) });
        while (app.states.length === 0) await new Promise((tick) => setTimeout(tick, 2));
        app.unmount();
        app.states = [];
      });
      return page.evaluate(countOpen);
    },
    /** Makes everything work again, except for the session of the user. */
    async recover() {
      stage.middleware = undefined;
      await stage.restartPortal();
      await stage.setOffline(false);
      await stage.setHidden(false);
      delete stage.fixedProps.refreshInterval;
      await stage.render();
    },
    refresh: () => page.evaluate(() => window.app.handle?.refresh()),

    /** Returns what the page shows, or why it shows nothing; `undefined` while it is working. */
    async readOutcome(): Promise<string | undefined> {
      const { status, isIdle, isVisible, isUnverified, frames, causes } = await page.evaluate(
        () => {
          const { causes: all, readies, refreshes } = window.app;
          const { ownerDocument: embedding = document } = window.app.place ?? {};
          const iframe = embedding.querySelector('iframe');
          return {
            status:
              embedding.querySelector<HTMLElement>('[data-portal-embed]')?.dataset['portalEmbed'],
            isIdle: window.meter.count()['requests'] === 0,
            isVisible: !!iframe && iframe.style.opacity !== '0' && !iframe.inert,
            isUnverified: [readies.at(-1), refreshes.at(-1)].some(
              (event) => (event as ReadyEvent | undefined)?.unverified,
            ),
            frames: embedding.querySelectorAll('iframe').length,
            causes: all,
          };
        },
      );
      if (!isIdle) return undefined;
      if (status === 'failed') {
        const cause = causes.at(-1) ?? 'no cause';
        if (!Object.hasOwn(allCauses, cause)) return `failed with an unknown cause: ${cause}`;
        return isVisible ? `failed with a visible report: ${cause}` : `failed: ${cause}`;
      }
      if (status !== 'ready' || !isVisible || frames !== 1) return undefined;
      const frame = stage.findFrame();
      const heading = await frame
        ?.evaluate(() => document.querySelector('h1')?.textContent ?? '')
        .catch(() => '');
      // Without the frame channel, an error page of the browser looks like a page of the portal.
      if (!heading && isUnverified && !host.frameChannel && stage.fixedProps.handshake === 'auto')
        return 'failed: unverified';
      return heading?.replace(/^Report \d+\./, 'shows ');
    },
    /** The outcome of a sequence that has recovered. */
    get expected() {
      if (!stage.user) return 'failed: not_signed_in';
      const customFilters = stage.ownFilters ?? stage.props.customFilters;
      return `shows ${describeRequest(stage.user, { ...stage.props, customFilters })}`;
    },
    /** Describes the page for a failure. */
    async describe() {
      const { counts, states, html } = await page.evaluate(() => ({
        counts: window.meter.count(),
        states: window.app.states.join(' '),
        html: document.querySelector('iframe')?.outerHTML,
      }));
      const urls = page.frames().map((frame) => frame.url());
      return [
        `states: ${states}`,
        `open: ${JSON.stringify(counts)}`,
        `frame: ${html}`,
        `pages: ${urls.join(' ')}`,
        `requests of the portal: ${portal.requests.slice(-6).join(' ')}`,
        ...stage.trace,
        `mints: ${host.mints}`,
      ];
    },
    /** Returns the growth of open resources after an unmount; `undefined` if there is none. */
    async findLeftovers([before, ...others]: Record<string, number>[]) {
      await stage.unmount();
      const left = [await page.evaluate((counts) => window.meter.compare(counts), before!)];
      for (const each of others)
        left.push(
          await page.evaluate(
            (counts) =>
              (window.app.place!.ownerDocument.defaultView as typeof window).meter.compare(counts),
            each,
          ),
        );
      const kinds = Object.keys(nothing).filter((kind) => left.some((each) => each[kind] !== 0));
      return kinds.length > 0 ? JSON.stringify(left) : undefined;
    },
    async close() {
      await stage.restartPortal();
      await page.context().close();
      await host.stop();
      await portal.stop();
    },
  };

  const mint = async (...[request, response]: Parameters<RequestListener>) => {
    const { user } = stage;
    const token = `${host.mints}.${user}`;
    const body = (await readJson(request)) as HostRequest;
    await new Promise((resolve) => setTimeout(resolve, delay()));
    if (!user) refuse(401, 'not_signed_in')(response, {});
    else
      sendJson(response, 200, {
        embedUrl: `${portal.origin}/identity?token=${token.replace(user, describeRequest(user, body))}`,
        expiresIn: 300,
        frameChannel: host.frameChannel,
      });
  };
  host.answer = (request, response) => {
    if (stage.middleware) {
      stage.middleware(request, response);
      return;
    }
    mint(request, response).catch(() => response.destroy());
  };
  await page.addInitScript(sample);
  const trace = (text: string) =>
    stage.trace.push(`${Math.round(performance.now() - stage.startedAt)} ms: ${text}`);
  page.on('requestfailed', (request) =>
    trace(`${request.url()} failed: ${request.failure()?.errorText}`),
  );
  page.on('framenavigated', (frame) => trace(`navigated to ${frame.url()}`));
  return stage;
}
