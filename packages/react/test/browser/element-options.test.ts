import { beforeEach, describe, expect, it } from 'vitest';

import { refuse, sendJson } from '../host-endpoint.ts';
import { advanceClock, openWithClock, waitForStatus } from './browser.ts';
import { setUpElement } from './element-stage.ts';
import { createPortalPage } from './pages.ts';

const { stage, add, inElement } = setUpElement();

/** The bodies of the requests. */
let requests: unknown[];
beforeEach(() => {
  requests = [];
  stage.host.answer = (request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      requests.push(JSON.parse(body));
      const embedUrl = `${stage.portal.origin}/identity?token=${requests.length}`;
      sendJson(response, 200, { embedUrl });
    });
  };
});
const fail = () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
};
const styleOf = (selector: string, name: string) =>
  stage.page.$eval(
    'portal-embed',
    (element, [part, property]) =>
      getComputedStyle(element.shadowRoot!.querySelector(part!)!).getPropertyValue(property!),
    [selector, name],
  );

it('a flag is on without a value and off with the value false', async () => {
  await add('<portal-embed hide-menu hide-navbar="false" hide-sidebar="true"></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  expect(requests).toEqual([{ hideMenu: true, hideNavbar: false, hideSidebar: true }]);
});

it('an empty custom-filters attribute means no filters', async () => {
  await add('<portal-embed custom-filters=""></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  expect(requests).toEqual([{}]);
});

it('the options take precedence over attributes', async () => {
  await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    element.setAttribute('report-id', 'attribute');
    element.options = { reportId: 'option' };
    document.querySelector('#root')!.append(element);
  });
  await waitForStatus(stage.page, 'ready');
  expect(requests).toEqual([{ reportId: 'option' }]);
  expect(await inElement((element) => element.options)).toEqual({ reportId: 'option' });
});

it('setFilters() requests a URL with the filters', async () => {
  await add('<portal-embed></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  await inElement((element) => element.setFilters([{ key: 'Region', value: 'West' }]));
  await expect
    .poll(() => requests)
    .toEqual([{}, { customFilters: [{ key: 'Region', value: 'West' }] }]);
});

it('the element fires navigate and calls onNavigate', async () => {
  stage.portal.answer = (_, response) =>
    response.end(
      createPortalPage(
        '<h1>Report</h1>',
        `say({ type: 'ready', unappliedFilters: [] });
         setTimeout(() => say({ type: 'navigated', path: '/organizations/o', reportId: null }), 50);`,
      ),
    );
  const calls = await stage.page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = document.createElement('portal-embed');
        const seen: unknown[] = [];
        element.addEventListener('navigate', (event) =>
          seen.push((event as CustomEvent<{ path: string }>).detail.path),
        );
        element.options = { onNavigate: ({ path }) => resolve([...seen, path]) };
        document.querySelector('#root')!.append(element);
      }),
  );
  expect(calls).toEqual(['/organizations/o', '/organizations/o']);
});

it('texts that are set later replace the visible ones', async () => {
  fail();
  await add('<portal-embed></portal-embed>');
  await stage.page.getByText('Report failed to load').waitFor();
  await inElement((element) => (element.texts = { error: 'Oh', retry: 'Once more' }));
  await stage.page.getByText('Oh').waitFor();
  await stage.page.getByRole('button', { name: 'Once more' }).waitFor();
  expect(await inElement((element) => element.texts)).toEqual({ error: 'Oh', retry: 'Once more' });
});

it('an element that is removed is idle, and its attributes start nothing', async () => {
  await openWithClock(stage);
  const status = await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    element.setAttribute('custom-filters', '[');
    document.body.append(element);
    element.remove();
    element.setAttribute('custom-filters', '[]');
    return element.dataset['portalEmbed'];
  });
  expect(status).toBe('idle');
  expect(await advanceClock(stage.page)).toEqual([]);
});

describe('the default UI of the element', () => {
  it('the default UI has the text for loading and no button before the first request', async () => {
    await add('<p style="height: 5000px"></p><portal-embed lazy></portal-embed>');
    const shown = await inElement((element) => {
      const { shadowRoot } = element;
      const { hidden } = shadowRoot!.querySelector('button')!;
      return [shadowRoot!.querySelector('output')!.innerText, hidden];
    });
    expect(shown).toEqual(['Loading report', true]);
    expect(requests).toEqual([]);
  });

  it('the default UI is hidden as soon as the report is visible', async () => {
    await add('<portal-embed></portal-embed>');
    await waitForStatus(stage.page, 'ready');
    expect(await styleOf('#cover', 'opacity')).toBe('0');
    stage.host.answer = () => {};
    await inElement((element) => element.refresh());
    await waitForStatus(stage.page, 'refreshing');
    expect(await styleOf('#cover', 'opacity')).toBe('0');
  });

  it('the default UI is in the middle, with the font and the colors of the host page', async () => {
    fail();
    await stage.page.addStyleTag({
      content: `:root { font: 20px monospace; --portal-embed-background: rgb(1, 2, 3);
        --portal-embed-color: rgb(9, 9, 9); --portal-embed-min-height: 222px }`,
    });
    await add('<portal-embed></portal-embed>');
    await waitForStatus(stage.page, 'failed');
    expect(await styleOf('button', 'font')).toBe('20px monospace');
    expect(await styleOf('#cover', 'color')).toBe('rgb(9, 9, 9)');
    expect(await styleOf('#cover', 'background-color')).toBe('rgb(1, 2, 3)');
    const boxOf = async (part: string) =>
      (await stage.page.locator(`portal-embed ${part}`.trim()).boundingBox())!;
    const [whole, text, button] = [await boxOf(''), await boxOf('output'), await boxOf('button')];
    expect(whole.height).toBe(222);
    const gap = button.y - (text.y + text.height);
    expect(gap).toBe(20);
    const middle = (text.y + button.y + button.height) / 2;
    expect(Math.abs(middle - whole.y - whole.height / 2)).toBeLessThan(1);
  });

  it('the default UI has a dark background with the theme dark on a light page', async () => {
    fail();
    await add('<portal-embed theme="dark"></portal-embed>');
    await waitForStatus(stage.page, 'failed');
    expect(await styleOf('#cover', 'background-color')).toBe('rgb(18, 18, 18)');
  });
});
