import { expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { waitForStatus } from './browser.ts';
import { setUpElement } from './element-stage.ts';
import { createPortalPage } from './pages.ts';

const { stage, add, heading, inElement } = setUpElement();

it('the element shows its slots, or a text and a button that retries', async () => {
  stage.host.answer = (_, response) => refuse(401, 'not_signed_in')(response, {});
  await add('<portal-embed><a slot="signed-out" href="/login">Sign in</a></portal-embed>');
  await waitForStatus(stage.page, 'failed');
  expect(await stage.page.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true);
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await add('<portal-embed></portal-embed>');
  const button = stage.page.getByRole('button', { name: 'Try again' });
  await button.waitFor();
  expect(await stage.page.getByText('Report failed to load').isVisible()).toBe(true);
  stage.host.answer = undefined;
  await button.click();
  await waitForStatus(stage.page, 'ready');
});

it.each([
  ['loading', 'minting', () => {}],
  ['refused', 'failed', refuse(403, 'forbidden')],
] as const)('the slot %s replaces the text and the button', async (slot, status, answer) => {
  stage.host.answer = (_, response) => answer(response, {});
  await add(`<portal-embed request-access><p slot="${slot}">Our words</p></portal-embed>`);
  await waitForStatus(stage.page, status);
  expect(await stage.page.getByText('Our words').isVisible()).toBe(true);
  expect(await stage.page.getByRole('button').count()).toBe(0);
});

it('a refusal has a button only if the host can grant access', async () => {
  stage.host.answer = (_, response) => refuse(403, 'forbidden')(response, {});
  await add('<portal-embed></portal-embed>');
  await waitForStatus(stage.page, 'failed');
  await stage.page.getByText('No access to this report').waitFor();
  const button = stage.page.getByRole('button');
  expect(await button.count()).toBe(0);
  await inElement((element) => {
    const asked = ((window as unknown as { asked: string[] }).asked = [] as string[]);
    element.addEventListener('requestaccess', (event) =>
      asked.push(`event ${(event as CustomEvent<{ cause: string }>).detail.cause}`),
    );
    element.setAttribute('request-access', '');
  });
  await stage.page.getByRole('button', { name: 'Ask for access' }).click();
  expect(await stage.page.evaluate('asked')).toEqual(['event forbidden']);
  await inElement((element) => element.removeAttribute('request-access'));
  expect(await button.count()).toBe(0);
  await inElement((element) => {
    const { asked } = window as unknown as { asked: string[] };
    element.options = { onRequestAccess: ({ cause }) => asked.push(`callback ${cause}`) };
  });
  await stage.page.getByRole('button', { name: 'Ask for access' }).click();
  expect(await stage.page.evaluate('asked')).toEqual([
    'event forbidden',
    'event forbidden',
    'callback forbidden',
  ]);
  expect(stage.host.mints).toBe(1);
});

it('a slot that is filled after the failure removes the button', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await add('<portal-embed></portal-embed>');
  const button = stage.page.getByRole('button', { name: 'Try again' });
  await button.waitFor();
  await inElement((element) => (element.innerHTML = '<p slot="error">Our words</p>'));
  await button.waitFor({ state: 'hidden' });
  expect(await stage.page.getByText('Our words').isVisible()).toBe(true);
  await inElement((element) => (element.innerHTML = ''));
  await button.waitFor();
});

it('the element works under style-src self', async () => {
  stage.host.csp = `default-src 'self'; img-src data:; frame-src ${stage.portal.origin}`;
  await stage.page.goto(stage.host.origin);
  await add('<portal-embed></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  const box = await stage.page.locator('portal-embed iframe').boundingBox();
  expect(box!.height).toBeGreaterThan(300);
});

it('the focus stays in the frame during a refresh of the element', async () => {
  await add('<portal-embed></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  await stage.page.frameLocator('portal-embed iframe').locator('button').focus();
  await inElement((element) => element.refresh());
  await expect.poll(() => heading().catch(() => '')).toBe('Report 2');
  expect(await inElement((element) => element.shadowRoot!.activeElement?.tagName)).toBe('IFRAME');
});

it('an element on a dark page is dark with the theme auto and light with the theme light', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await stage.page.addStyleTag({ content: ':root { color-scheme: dark }' });
  const background = async (theme: string) => {
    await add(`<portal-embed theme="${theme}"></portal-embed>`);
    await waitForStatus(stage.page, 'failed');
    return inElement((element) => {
      const cover = element.shadowRoot!.querySelector('#cover')!;
      return getComputedStyle(cover).backgroundColor;
    });
  };
  expect(await background('auto')).toBe('rgb(18, 18, 18)');
  expect(await background('light')).toBe('rgb(255, 255, 255)');
});

it('a hidden element takes no space', async () => {
  await add('<portal-embed hidden></portal-embed>');
  await waitForStatus(stage.page, 'ready');
  expect(await stage.page.locator('portal-embed').isVisible()).toBe(false);
  await inElement((element) => (element.hidden = false));
  expect(await stage.page.locator('portal-embed').isVisible()).toBe(true);
});

it('the focus stays in the element when its button disappears', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await add('<portal-embed></portal-embed><button>After</button>');
  const button = stage.page.getByRole('button', { name: 'Try again' });
  await button.focus();
  stage.host.answer = undefined;
  await stage.page.evaluate(() => {
    const status = document.querySelector('portal-embed')!.shadowRoot!.querySelector('output')!;
    const focus = status.focus.bind(status);
    status.focus = (options) => {
      Object.assign(window, { focusOptions: options });
      focus(options);
    };
  });
  await stage.page.keyboard.press('Enter');
  await waitForStatus(stage.page, 'ready');
  expect(await inElement((element) => document.activeElement === element)).toBe(true);
  expect(await stage.page.evaluate('focusOptions')).toEqual({ preventScroll: true });
  await stage.page.keyboard.press('Tab');
  expect(await inElement((element) => element.shadowRoot!.activeElement?.tagName)).toBe('IFRAME');
});

it('a button that stays keeps the focus when its text changes', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await add('<portal-embed></portal-embed>');
  await stage.page.getByRole('button', { name: 'Try again' }).focus();
  await inElement((element) => (element.texts = { retry: 'Once more' }));
  const focused = await inElement(({ shadowRoot }) => shadowRoot!.activeElement?.textContent);
  expect(focused).toBe('Once more');
});

it.each([
  ['the attribute', '<portal-embed auto-height></portal-embed>', {}],
  ['the option', '<portal-embed></portal-embed>', { autoHeight: true }],
])('auto-height set by %s makes the element as high as its report', async (_, html, given) => {
  stage.portal.answer = (_request, response) =>
    response.end(createPortalPage('<h1>Report</h1>', "document.title = 'Connected'"));
  await add(html);
  await stage.page.$eval(
    'portal-embed',
    (element, options) => Object.assign(element, { options }),
    given,
  );
  await waitForStatus(stage.page, 'loading');
  const height = async () => (await stage.page.locator('portal-embed').boundingBox())!.height;
  expect(await height()).toBe(384);
  const frame = (await (await stage.page.$('portal-embed iframe'))!.contentFrame())!;
  await frame.waitForFunction(() => document.title === 'Connected');
  await frame.evaluate(() => {
    const { say } = window as unknown as { say: (message: unknown) => void };
    say({ type: 'resized', height: 90 });
    say({ type: 'ready', unappliedFilters: [] });
  });
  await waitForStatus(stage.page, 'ready');
  expect(await height()).toBe(90);
  const heights = await inElement((element) => {
    element.removeAttribute('auto-height');
    element.options = {};
    return [element, element.iframe!].map((each) => each.getBoundingClientRect().height);
  });
  expect(heights).toEqual([384, 384]);
});
