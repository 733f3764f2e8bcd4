import type { ConnectMessage, PortalMessage } from '@portal-embed/contract/frame';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { loadFormats } from './format/create-formats.ts';
import { Sessions } from './show-sessions.tsx';
import { formats } from './test/formats.ts';
import { resetWindow } from './test/open-viewer.tsx';
import { flights, portalSession, reportSession, sales, salesView, viewOf } from './test/samples.ts';

const fetched = vi.fn<typeof fetch>();
const loading = vi.fn<typeof loadFormats>();
const connect: ConnectMessage = { portalEmbed: 1, type: 'connect' };

beforeEach(() => {
  resetWindow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fetched.mockReset().mockImplementation(async () => new Response(JSON.stringify(salesView)));
  vi.stubGlobal('fetch', fetched);
  loading.mockReset().mockImplementation(loadFormats);
  document.body.innerHTML = '<div id="viewer"></div>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  delete document.documentElement.dataset['autoHeight'];
});

/** The sessions of a page, whose host connects on demand. */
function createPage({ isFramed = true } = {}) {
  const sent: PortalMessage[] = [];
  let connectHost!: (message: ConnectMessage) => void;
  const sessions = new Sessions({
    page: document.querySelector('#viewer')!,
    channel: {
      connected: new Promise((resolve) => (connectHost = resolve)),
      post: (message) => void sent.push(message),
      listen: () => {},
    },
    isFramed,
    loadCharts: async () => null,
    showPath: () => {},
    formats,
    loadFormats: loading,
  });
  return {
    sessions,
    sent,
    show: (...of: Parameters<typeof sessions.show>) => act(async () => sessions.show(...of)),
    connect: (message = connect) => act(async () => connectHost(message)),
    wait: (ms: number) => act(async () => vi.advanceTimersByTime(ms)),
    typesSent: () => sent.map(({ type }) => type),
  };
}

const text = () => document.body.textContent;
const east = {
  ...reportSession,
  bearer: 'of-east',
  user: { name: 'Eva', email: 'east@x.example' },
};
const bearers = () =>
  fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));

describe('the first request', () => {
  it('a framed page waits 250 ms for the host', async () => {
    const page = createPage();
    await page.show(reportSession);
    await page.wait(249);
    expect(fetched).not.toHaveBeenCalled();
    await page.wait(1);
    expect(fetched).toHaveBeenCalledOnce();
    expect(text()).toContain('$725,458');
  });

  it('a page outside a frame does not wait', async () => {
    const page = createPage({ isFramed: false });
    await page.show(reportSession);
    await page.wait(0);
    expect(fetched).toHaveBeenCalledOnce();
  });

  it.each(['before', 'after'])('has the view of a host that connects %s it', async (when) => {
    const page = createPage();
    const place = { ...connect, view: viewOf(sales) };
    if (when === 'before') await page.connect(place);
    await page.show(portalSession);
    if (when === 'after') await page.connect(place);
    await page.wait(1_000);
    expect(fetched.mock.calls.map(([path]) => path)).toEqual([`/viewer/reports/${sales.id}/view`]);
    expect(page.typesSent()).toContain('ready');
  });

  it('data that came with the page is shown before the host connects', async () => {
    const page = createPage();
    await page.show({ ...reportSession, view: salesView });
    expect(text()).toContain('$725,458');
    expect(page.sent).toEqual([]);
  });
});

describe('keys for the host', () => {
  const press = (key: string, target: EventTarget = window) =>
    act(async () =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
    );
  const keysSent = ({ sent }: { sent: PortalMessage[] }) =>
    sent.filter(({ type }) => type === 'key');

  it('the host learns that Escape was pressed, and of no other key', async () => {
    const page = createPage();
    await page.show(reportSession);
    await press('a');
    await press('Enter');
    expect(keysSent(page)).toEqual([]);
    await press('Escape');
    expect(keysSent(page)).toEqual([{ type: 'key', key: 'Escape' }]);
  });

  it('the host does not learn of an Escape that the page has used', async () => {
    const page = createPage();
    await page.show(reportSession);
    const list = document.body.appendChild(document.createElement('div'));
    list.addEventListener('keydown', (event) => event.preventDefault());
    await press('Escape', list);
    expect(keysSent(page)).toEqual([]);
  });
});

it('an Escape that closes a dialog is not sent to the host', async () => {
  const page = createPage();
  await page.show(reportSession);
  document.body.appendChild(document.createElement('dialog')).open = true;
  await act(async () => dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })));
  expect(page.typesSent()).not.toContain('key');
});

describe('a page that returns from the back/forward cache', () => {
  const restore = (persisted = true) =>
    act(async () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted })));
  const endSession = () =>
    fetched.mockImplementation(async () => Response.json({}, { status: 401 }));

  it('a page that returns without a host removes its report if the session has ended', async () => {
    const page = createPage({ isFramed: false });
    await page.show(reportSession);
    await page.wait(0);
    endSession();
    await restore(false);
    expect(text()).toContain('$725,458');
    await restore();
    expect(text()).not.toContain('$725,458');
  });

  it('a page that returns leaves the request to its host', async () => {
    const page = createPage();
    await page.connect();
    await page.show({ ...reportSession, bearer: 'hosted', view: salesView });
    await restore();
    // The pages of other tests listen too.
    expect(bearers()).not.toContain('Bearer hosted');
  });
});

describe('another session', () => {
  it('of the same user continues in place', async () => {
    const page = createPage();
    await page.show(reportSession, 1);
    await page.connect();
    const element = document.querySelector('#viewer');
    await page.show({ ...reportSession, bearer: 'next' }, 2);
    expect(document.querySelector('#viewer')).toBe(element);
    expect(bearers()).toEqual(['Bearer the-bearer', 'Bearer next']);
    expect(page.sent.at(-1)).toMatchObject({ type: 'ready', id: 2 });
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it.each([
    ['another user', east],
    [
      'an administrator who views as the user',
      { ...reportSession, bearer: 'of-east', viewedBy: 'ada@x.example' },
    ],
    [
      'another organization',
      {
        ...reportSession,
        bearer: 'of-east',
        organization: { id: 'other', name: 'Globex', homeUrl: null, logo: null },
      },
    ],
  ])('a session of %s begins with an empty page', async (_, session) => {
    const clear = vi.spyOn(performance, 'clearResourceTimings').mockReturnValue();
    const page = createPage();
    await page.connect();
    await page.show(reportSession, 1);
    const element = document.querySelector('#viewer')!;
    let answer!: (response: Response) => void;
    fetched.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await page.show(session, 2);
    expect(document.querySelectorAll('#viewer')).toHaveLength(1);
    expect([element.isConnected, element.innerHTML]).toEqual([false, '']);
    expect(text()).not.toContain('$725,458');
    expect(clear).toHaveBeenCalledOnce();
    expect(window.scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
    await act(async () => answer(new Response(JSON.stringify(salesView))));
    expect(text()).toContain('$725,458');
    expect(bearers()).toEqual(['Bearer the-bearer', 'Bearer of-east']);
    expect(page.sent.at(-1)).toMatchObject({ type: 'ready', id: 2 });
    clear.mockRestore();
  });

  it('only the new session gets scroll events and messages of the host', async () => {
    const page = createPage();
    await page.connect();
    await page.show(reportSession, 1);
    await page.show(east, 2);
    page.sent.length = 0;
    window.dispatchEvent(new Event('scroll'));
    expect(page.typesSent()).toEqual(['view']);
    await page.sessions.receive({ type: 'set-options', theme: 'dark' });
    expect(document.documentElement.dataset['theme']).toBe('dark');
  });

  it('a favorite is marked with the latest session of the user', async () => {
    const page = createPage();
    await page.connect();
    await page.show(portalSession, 1);
    await page.show({ ...portalSession, bearer: 'next' }, 2);
    await act(async () => document.querySelector<HTMLElement>('.star')!.click());
    expect(fetched.mock.lastCall![0]).toBe(`/viewer/reports/${flights.id}/favorite`);
    expect(bearers()).toEqual(['Bearer next']);
  });

  it('after a session of another user, the previous one sends no request', async () => {
    const page = createPage();
    await page.show(reportSession, 1);
    await page.show(east, 2);
    await page.wait(250);
    expect(bearers()).toEqual(['Bearer of-east']);
  });

  it('a session of another user aborts the request of the previous one', async () => {
    const page = createPage();
    await page.connect();
    fetched.mockReturnValueOnce(new Promise(() => {}));
    await page.show(reportSession, 1);
    const signal = fetched.mock.calls[0]![1]!.signal!;
    expect(signal.aborted).toBe(false);
    await page.show(east, 2);
    expect(signal.aborted).toBe(true);
  });
});

describe('a message of the host', () => {
  const bodies = () => fetched.mock.calls.map(([, init]) => JSON.parse(init!.body as string));
  const west = { filters: [{ field: 'Region', values: ['West'] }] };
  const view = viewOf(sales, 0, west);

  it('a view that arrives before the session is part of the first request', async () => {
    const page = createPage();
    await page.connect({ ...connect, view: viewOf(sales) });
    await act(() => page.sessions.receive({ type: 'set-view', view }));
    await page.show(reportSession);
    expect(bodies()).toMatchObject([{ intent: 'open', view: west }]);
  });

  it('the view of an open is part of the first request of its session', async () => {
    const page = createPage();
    await page.connect();
    await page.show(reportSession, 1, view);
    expect(bodies()).toMatchObject([{ intent: 'open', view: west }]);
  });

  it('an `open` with the view of another report shows that report to the same user', async () => {
    const page = createPage();
    await page.connect();
    await page.show(reportSession, 1);
    await page.show(portalSession, 2, viewOf(flights));
    expect(fetched.mock.lastCall![0]).toBe(`/viewer/reports/${flights.id}/view`);
  });

  it('the numbers that came with the page are not shown if the host asks for another view', async () => {
    const page = createPage();
    fetched.mockReturnValue(new Promise(() => {}));
    await page.connect({ ...connect, view });
    await page.show({ ...reportSession, view: salesView });
    expect(text()).not.toContain('$725,458');
  });

  it('the report scrolls to the position that the host has kept', async () => {
    const page = createPage();
    await page.connect({ ...connect, view: '', scroll: 300 });
    await page.show(reportSession);
    expect(window.scrollTo).toHaveBeenCalledExactlyOnceWith(0, 300);
  });

  it('a view that arrives later is shown in place', async () => {
    const page = createPage();
    await page.connect();
    await page.show(reportSession);
    await act(() => page.sessions.receive({ type: 'set-view', view }));
    expect(bodies()).toMatchObject([{ intent: 'open' }, { intent: 'refresh', view: west }]);
    await page.show(east);
    expect(bodies().at(-1)).not.toHaveProperty('view');
  });

  it('the host can print the shown report; the viewer ignores `open`, which the boot script handles', async () => {
    const page = createPage();
    await page.connect();
    await act(() => page.sessions.receive({ type: 'print' }));
    await page.show(reportSession);
    await act(() => page.sessions.receive({ type: 'open', id: 1, url: '/a-launch' }));
    const paths = () => fetched.mock.calls.map(([path]) => (path as string).split('/').at(-1));
    expect(paths()).toEqual(['view']);
    // Refuse the print request, because jsdom cannot print.
    fetched.mockImplementation(async () => Response.json({}, { status: 500 }));
    await act(() => page.sessions.receive({ type: 'print' }));
    expect(paths()).toEqual(['view', 'print']);
  });
});

it('options that arrive before the connect message replace its options', async () => {
  const page = createPage();
  const received = page.sessions.receive({ type: 'set-options', theme: 'dark' });
  await page.connect({ ...connect, theme: 'light' });
  await received;
  expect(document.documentElement.dataset['theme']).toBe('dark');
});

/** Records which pages report their height. Ignores the observers of tables. */
function watchHeights() {
  const observe = vi.spyOn(ResizeObserver.prototype, 'observe');
  const disconnect = vi.spyOn(ResizeObserver.prototype, 'disconnect');
  onTestFinished(() => {
    observe.mockRestore();
    disconnect.mockRestore();
  });
  const calls = () =>
    observe.mock.calls.flatMap(([element], index) =>
      element.id === 'viewer' ? [{ element, observer: observe.mock.contexts[index] }] : [],
    );
  return {
    pages: () => calls().map(({ element }) => element),
    ended: () =>
      disconnect.mock.contexts.filter((ended) => calls().some(({ observer }) => observer === ended))
        .length,
  };
}

it.each([true, undefined])('a page has the height of its content: %s', async (autoHeight) => {
  const heights = watchHeights();
  const page = createPage();
  await page.show({ ...portalSession });
  await page.connect({ ...connect, ...(autoHeight && { autoHeight }) });
  expect(heights.pages()).toEqual(autoHeight ? [document.querySelector('#viewer')] : []);
  expect(document.documentElement.dataset['autoHeight']).toBe(autoHeight && '');
});

it('the options of the host apply to the session of another user too', async () => {
  const heights = watchHeights();
  const page = createPage();
  await page.connect({ ...connect, locale: 'de', autoHeight: true });
  await page.show(reportSession);
  await vi.waitFor(() => expect(text()).toContain('725.458'));
  const first = document.querySelector('#viewer');
  await page.show(east);
  expect(text()).toContain('725.458');
  const second = document.querySelector('#viewer');
  expect(heights.pages()).toEqual([first, second]);
  expect(heights.ended()).toBe(1);
});

it('the host can change whether a page reports its height', async () => {
  const heights = watchHeights();
  const page = createPage();
  await page.connect({ ...connect, autoHeight: true });
  await page.show(reportSession);
  const calls = async (autoHeight: boolean) => {
    await act(() => page.sessions.receive({ type: 'set-options', autoHeight }));
    return [heights.pages().length, heights.ended()];
  };
  expect(await calls(true)).toEqual([1, 0]);
  expect(await calls(false)).toEqual([1, 1]);
  expect(await calls(true)).toEqual([2, 1]);
});

describe('the locale of the host', () => {
  const { documentElement } = document;

  it('sets the language and the direction of the page', async () => {
    documentElement.lang = '';
    documentElement.dir = '';
    const page = createPage();
    await page.show(reportSession);
    expect([documentElement.lang, documentElement.dir]).toEqual(['en', 'ltr']);
    expect(text()).toContain('Refresh');
    await page.connect({ ...connect, locale: 'de-AT' });
    await vi.waitFor(() => expect(text()).toContain('Aktualisieren'));
    expect(documentElement.lang).toBe('de');
    await act(() => page.sessions.receive({ type: 'set-options', locale: 'ar-XB' }));
    await vi.waitFor(() => expect(documentElement.dir).toBe('rtl'));
    await act(() => page.sessions.receive({ type: 'set-options' }));
    await vi.waitFor(() => expect(documentElement.lang).toBe('en'));
    expect(documentElement.dir).toBe('ltr');
    expect(text()).toContain('Refresh');
  });

  it('a locale that does not change is loaded once', async () => {
    const page = createPage();
    await page.connect({ ...connect, locale: 'de' });
    for (const locale of ['de', 'de'])
      await act(() => page.sessions.receive({ type: 'set-options', locale }));
    expect(loading.mock.calls).toEqual([['de']]);
  });

  it('the latest locale applies even if an earlier one loads later', async () => {
    const page = createPage();
    await page.show(reportSession);
    let release!: () => void;
    loading.mockImplementationOnce(async (locale) => {
      await new Promise<void>((resolve) => (release = resolve));
      return loadFormats(locale);
    });
    await page.connect({ ...connect, locale: 'es' });
    await act(() => page.sessions.receive({ type: 'set-options', locale: 'pt' }));
    await vi.waitFor(() => expect(documentElement.lang).toBe('pt'));
    await act(async () => release());
    await act(async () => loading.mock.results[0]!.value);
    expect(documentElement.lang).toBe('pt');
    expect(text()).toContain('Atualizar');
  });

  it('a locale whose texts cannot be loaded changes nothing', async () => {
    const page = createPage();
    await page.show(reportSession);
    loading.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await page.connect({ ...connect, locale: 'de' });
    expect(text()).toContain('Refresh');
    expect(documentElement.lang).toBe('en');
  });
});
