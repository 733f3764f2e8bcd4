// @vitest-environment jsdom
import { definePortalEmbed } from '@portal-embed/react/element';
import type { PortalEmbedElement } from '@portal-embed/react/element';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { fakeEmbeds } from './fake-embeds.ts';
import type { FakeEmbeds, FakeEmbedsOptions } from './fake-embeds.ts';

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';

let embeds: FakeEmbeds;
let element: PortalEmbedElement;
beforeEach(() => {
  definePortalEmbed();
});
afterEach(() => {
  element.remove();
  embeds.restore();
});

/** Shows an element, and returns its states and causes. */
function open(fake: FakeEmbedsOptions = {}, options: PortalEmbedElement['options'] = {}) {
  embeds = fakeEmbeds(fake);
  element = document.createElement('portal-embed');
  element.options = options;
  const states: string[] = [];
  const causes: string[] = [];
  element.addEventListener('statechange', ({ detail }) => states.push(detail.status));
  element.addEventListener('failure', ({ detail }) => causes.push(detail.cause));
  document.body.append(element);
  return { states, causes };
}

describe('a fake embed', () => {
  it('is ready with a page that shows its request', async () => {
    const { states } = open({}, { reportId, customFilters: [{ key: 'Region', value: 'West' }] });
    const page = await embeds.page();
    await expect.poll(() => states.at(-1)).toBe('ready');
    expect(page.lines).toEqual([`Report ${reportId}`, 'Region: West']);
    expect(page.url).toMatchObject({ reportId, isOpened: true });
  });

  it('is ready again with a page that the component has loaded before', async () => {
    const first = open();
    await expect.poll(() => first.states.at(-1)).toBe('ready');
    element.remove();
    embeds.restore();
    const second = open();
    await expect.poll(() => second.states.at(-1)).toBe('ready');
    expect(embeds.requests).toEqual([{}]);
  });

  it.each([
    'not_signed_in',
    'no_portal_user',
    'cross_site',
    'report_failed',
    'filters_not_applied',
  ] as const)('fails with %s', async (scenario) => {
    const { causes } = open({ scenario });
    await expect.poll(() => causes).toEqual([scenario]);
  });

  it.each([
    ['endpoint_unreachable', 'endpoint_unreachable'],
    ['rate_limited', 'rate_limited'],
    ['expired', 'session_lost'],
  ] as const)('after its retries, %s fails with %s', async (scenario, cause) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { causes } = open({ scenario });
    await expect.poll(() => causes).toEqual([cause]);
    vi.restoreAllMocks();
  });

  it('recovers when the scenario changes', async () => {
    const { states, causes } = open({ scenario: 'report_not_accessible' });
    await expect.poll(() => causes).toHaveLength(1);
    embeds.show('ready');
    element.refresh();
    await expect.poll(() => states.at(-1)).toBe('ready');
  });

  it('waits for a slow endpoint', async () => {
    const { states } = open({ delay: 60 });
    await expect.poll(() => states).toEqual(['minting']);
    await expect.poll(() => states.at(-1)).toBe('ready');
  });

  it('gets an invalid request refused, as by the host endpoint', async () => {
    const { causes } = open({}, { reportId: 'sales' });
    await expect.poll(() => causes).toEqual(['invalid_request']);
    expect(embeds.minted).toEqual([]);
  });

  it('passes options, and messages of both sides', async () => {
    const onExport = vi.fn();
    const onViewChange = vi.fn();
    const { states } = open({}, { locale: 'de', onExport, onViewChange });
    const page = await embeds.page();
    await expect.poll(() => states.at(-1)).toBe('ready');
    expect(page.options).toMatchObject({ locale: 'de' });
    element.export('csv');
    await expect.poll(() => page.received.at(-1)).toEqual({ type: 'export', format: 'csv' });
    page.send({ type: 'exported', format: 'csv', reportId });
    page.changeView('page-two');
    await expect.poll(() => onViewChange.mock.calls).toEqual([['page-two']]);
    expect(onExport).toHaveBeenCalledOnce();
  });

  it('takes requests of an HTTP library by fetchIdentityUrl', async () => {
    const { states } = open(
      { portalUrl: 'https://acme.portal.example' },
      { fetchIdentityUrl: (request, init) => embeds.fetchIdentityUrl(request, init) },
    );
    await expect.poll(() => states.at(-1)).toBe('ready');
    expect(element.shadowRoot!.querySelector('iframe')!.src).toContain(
      'https://acme.portal.example/',
    );
  });
});

describe('restore', () => {
  it('gives the document its own fetch and frames back', () => {
    const { fetch } = globalThis;
    const source = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src');
    open();
    expect(globalThis.fetch).not.toBe(fetch);
    embeds.restore();
    expect(globalThis.fetch).toBe(fetch);
    expect(Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src')).toEqual(source);
    expect(globalThis).not.toHaveProperty('IntersectionObserver');
  });

  it('leaves other requests and frames alone', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('own'));
    open();
    expect(await (await globalThis.fetch('/api/own')).text()).toBe('own');
    expect(fetch).toHaveBeenCalledOnce();
    const frame = document.createElement('iframe');
    frame.src = 'https://video.example/';
    expect(frame.getAttribute('src')).toBe('https://video.example/');
    expect(embeds.pages.every(({ iframe }) => iframe !== frame)).toBe(true);
    vi.restoreAllMocks();
  });
});
