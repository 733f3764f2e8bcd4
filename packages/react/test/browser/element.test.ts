import { expect, it } from 'vitest';

import type { PortalEmbedElement } from '../../src/element.ts';
import { refuse } from '../host-endpoint.ts';
import { becomes, setStage } from './browser.ts';
import { speakingPage } from './pages.ts';

const stage = setStage('element-app.ts');

const nothing = { timers: 0, listeners: 0, observers: 0, ports: 0, requests: 0, frames: 0 };

const add = (html: string) =>
  stage.page.evaluate((markup) => {
    document.querySelector('#root')!.innerHTML = markup;
  }, html);
const inElement = <Result>(act: (element: PortalEmbedElement) => Result) =>
  stage.page.$eval('portal-embed', act as (element: Element) => Result);
const heading = () =>
  stage.page.frameLocator('portal-embed iframe:not([inert])').locator('h1').textContent();

it('shows the report that its attributes name', async () => {
  let body = '';
  stage.host.answer = (request, response) => {
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ embedUrl: `${stage.portal.origin}/identity?token=a` }));
    });
  };
  await add(`<portal-embed report-id="r" hide-menu title="Sales" theme="dark"
    custom-filters='[{"key":"Region","value":"West"}]'></portal-embed>`);
  await becomes(stage.page, 'ready');
  expect(JSON.parse(body)).toEqual({
    reportId: 'r',
    hideMenu: true,
    customFilters: [{ key: 'Region', value: 'West' }],
  });
  expect(await heading()).toBe('Report a');
  expect(await inElement((element) => element.iframe!.title)).toBe('Sales');
});

it('fetches a fresh URL when an attribute changes, and only then', async () => {
  await add('<portal-embed report-id="a"></portal-embed>');
  await becomes(stage.page, 'ready');
  await inElement((element) => element.setAttribute('report-id', 'a'));
  await stage.page.waitForTimeout(100);
  expect(stage.host.mints).toBe(1);
  await inElement((element) => element.setAttribute('report-id', 'b'));
  await expect.poll(() => heading().catch(() => '')).toBe('Report 2');
});

it('tells what happens as events', async () => {
  await add('<portal-embed></portal-embed>');
  const event = await inElement(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener('refresh', (happening) =>
          resolve((happening as CustomEvent).detail),
        );
        element.addEventListener('ready', () => element.refresh());
        element.refresh();
      }),
  );
  expect(event).toEqual({ type: 'ready', unappliedFilters: [] });
});

it('shows its slots, or else a text and a button that tries again', async () => {
  stage.host.answer = (_, response) => refuse(401, 'not_signed_in')(response, {});
  await add('<portal-embed><a slot="signed-out" href="/login">Sign in</a></portal-embed>');
  await becomes(stage.page, 'failed');
  expect(await stage.page.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true);
  await add('<portal-embed></portal-embed>');
  const button = stage.page.getByRole('button', { name: 'Try again' });
  await button.waitFor();
  expect(await stage.page.getByText('Sign in to see this report').isVisible()).toBe(true);
  stage.host.answer = undefined;
  await button.click();
  await becomes(stage.page, 'ready');
});

it('stays as it is when moveBefore moves it', async () => {
  await add('<portal-embed></portal-embed><section></section>');
  await becomes(stage.page, 'ready');
  await inElement((element) => {
    const section = document.querySelector('section') as unknown as {
      moveBefore: (node: Node, child: null) => void;
    };
    section.moveBefore(element, null);
  });
  await stage.page.waitForTimeout(300);
  expect(await heading()).toBe('Report 1');
  expect(stage.host.mints).toBe(1);
});

it('works under a policy of only its own styles', async () => {
  stage.host.csp = `default-src 'self'; img-src data:; frame-src ${stage.portal.origin}`;
  await stage.page.goto(stage.host.origin);
  await add('<portal-embed></portal-embed>');
  await becomes(stage.page, 'ready');
  const box = await stage.page.locator('portal-embed iframe').boundingBox();
  expect(box!.height).toBeGreaterThan(300);
});

it('leaves nothing behind when it is removed at a random instant', async () => {
  const left = await stage.page.evaluate(async () => {
    const before = window.meter.count();
    for (let time = 0; time < 60; time++) {
      const element = document.createElement('portal-embed');
      if (time % 3 === 0) element.setAttribute('lazy', '');
      document.body.append(element);
      await new Promise((done) => {
        setTimeout(done, Math.random() * 80);
      });
      element.remove();
    }
    return window.meter.compare(before);
  });
  expect(left).toEqual(nothing);
});

it.each(['ready', 'failure', 'loading'])(
  'stays ended when it is removed in its %s event',
  async (when) => {
    if (when === 'failure')
      stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
    const left = await stage.page.evaluate(async (moment) => {
      const before = window.meter.count();
      const element = document.createElement('portal-embed');
      element.setAttribute('refresh-interval', '100');
      await new Promise<void>((removed) => {
        for (const type of ['ready', 'failure', 'statechange'])
          element.addEventListener(type, (event) => {
            const { detail } = event as CustomEvent<{ status?: string }>;
            if (moment !== type && moment !== detail.status) return;
            element.remove();
            removed();
          });
        document.body.append(element);
      });
      await new Promise((done) => {
        setTimeout(done, 500);
      });
      return window.meter.compare(before);
    }, when);
    expect(left).toEqual(nothing);
    expect(stage.host.mints).toBeLessThan(2);
  },
);

it('asks for nothing on refresh() before it is connected and after it is removed', async () => {
  const errors: string[] = [];
  stage.page.on('pageerror', ({ message }) => errors.push(message));
  const left = await stage.page.evaluate(async () => {
    const before = window.meter.count();
    const element = document.createElement('portal-embed') as PortalEmbedElement;
    element.refresh();
    document.body.append(element);
    element.remove();
    element.refresh();
    await new Promise((done) => {
      setTimeout(done, 700);
    });
    return window.meter.compare(before);
  });
  expect(left).toEqual(nothing);
  expect(errors).toEqual([]);
  expect(stage.host.mints).toBe(0);
});

it('keeps the focus in the frame over a refresh', async () => {
  await add('<portal-embed></portal-embed>');
  await becomes(stage.page, 'ready');
  await stage.page.frameLocator('portal-embed iframe').locator('button').focus();
  await inElement((element) => element.refresh());
  await expect.poll(() => heading().catch(() => '')).toBe('Report 2');
  expect(await inElement((element) => element.shadowRoot!.activeElement?.tagName)).toBe('IFRAME');
});

it('fails on filters that are no JSON, says what to write, and recovers when they are corrected', async () => {
  await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed');
    const causes = ((window as unknown as { causes: string[] }).causes = [] as string[]);
    element.addEventListener('failure', (event) =>
      causes.push((event as CustomEvent<{ cause: string }>).detail.cause),
    );
    element.setAttribute('custom-filters', '[{Region: West}]');
    document.body.append(element);
  });
  await becomes(stage.page, 'failed');
  await stage.page.getByText('Write a list such as [{"key":"Region","value":"West"}]').waitFor();
  expect(await stage.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await stage.page.evaluate('causes')).toEqual(['invalid_request']);
  expect(stage.host.mints).toBe(0);
  await inElement((element) => element.removeAttribute('custom-filters'));
  await becomes(stage.page, 'ready');
  await inElement((element) => element.setAttribute('custom-filters', '['));
  await becomes(stage.page, 'failed');
  // A report with other filters than were meant would be worse than none.
  expect(await stage.page.locator('iframe').count()).toBe(0);
  await inElement((element) => element.setAttribute('custom-filters', '[]'));
  await becomes(stage.page, 'ready');
});

it.each([
  ['auto', 'rgb(18, 18, 18)'],
  ['light', 'rgb(255, 255, 255)'],
])('on a dark page with the theme %s has the background %s', async (theme, background) => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await stage.page.addStyleTag({ content: ':root { color-scheme: dark }' });
  await add(`<portal-embed theme="${theme}"></portal-embed>`);
  await becomes(stage.page, 'failed');
  expect(
    await inElement((element) => {
      const cover = element.shadowRoot!.querySelector('#cover')!;
      return getComputedStyle(cover).backgroundColor;
    }),
  ).toBe(background);
});

it.each(['[{"key":"Year","value":2024}]', '{"key":"Region","value":"West"}', '["West"]', '[null]'])(
  'fails at once with filters that are none, over a report that is ready: %s',
  async (filters) => {
    await add('<portal-embed></portal-embed>');
    await becomes(stage.page, 'ready');
    await stage.page.$eval(
      'portal-embed',
      (element, text) => element.setAttribute('custom-filters', text),
      filters,
    );
    await becomes(stage.page, 'failed');
    await stage.page.getByText('custom-filters is no list of filters').waitFor();
    expect(await stage.page.locator('iframe').count()).toBe(0);
  },
);

it('takes the properties that were set before it was defined', async () => {
  await stage.page.evaluate(() => {
    const early = document.createElement('early-embed') as PortalEmbedElement;
    early.texts = { loading: 'Moment' };
    early.options = { fetchIdentityUrl: () => new Promise(() => {}) };
    document.body.append(early);
    window.definePortalEmbed('early-embed');
  });
  await stage.page.getByText('Moment').waitFor();
  await stage.page.waitForTimeout(100);
  expect(stage.host.mints).toBe(0);
});

it('is not there while it is hidden', async () => {
  await add('<portal-embed hidden></portal-embed>');
  await becomes(stage.page, 'ready');
  expect(await stage.page.locator('portal-embed').isVisible()).toBe(false);
  await inElement((element) => (element.hidden = false));
  expect(await stage.page.locator('portal-embed').isVisible()).toBe(true);
});

it('keeps the focus where the button was that tries again', async () => {
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await add('<portal-embed></portal-embed><button>After</button>');
  const button = stage.page.getByRole('button', { name: 'Try again' });
  await button.focus();
  stage.host.answer = undefined;
  await stage.page.keyboard.press('Enter');
  await becomes(stage.page, 'ready');
  expect(await inElement((element) => document.activeElement === element)).toBe(true);
  await stage.page.keyboard.press('Tab');
  expect(await inElement((element) => element.shadowRoot!.activeElement?.tagName)).toBe('IFRAME');
});

it.each([
  ['the attribute', '<portal-embed auto-height></portal-embed>', {}],
  ['the option', '<portal-embed></portal-embed>', { autoHeight: true }],
])(
  'is as low as its report with %s of auto-height, and no lower before or after',
  async (_, html, given) => {
    stage.portal.answer = (_request, response) =>
      response.end(speakingPage('<h1>Report</h1>', "document.title = 'Connected'"));
    await add(html);
    await stage.page.$eval(
      'portal-embed',
      (element, options) => Object.assign(element, { options }),
      given,
    );
    await becomes(stage.page, 'loading');
    const height = async () => (await stage.page.locator('portal-embed').boundingBox())!.height;
    expect(await height()).toBe(384);
    const frame = (await (await stage.page.$('portal-embed iframe'))!.contentFrame())!;
    await frame.waitForFunction(() => document.title === 'Connected');
    await frame.evaluate(() => {
      const { say } = window as unknown as { say: (message: unknown) => void };
      say({ type: 'resized', height: 90 });
      say({ type: 'ready', unappliedFilters: [] });
    });
    await becomes(stage.page, 'ready');
    expect(await height()).toBe(90);
    await inElement((element) => {
      element.removeAttribute('auto-height');
      element.options = {};
    });
    expect(await height()).toBe(384);
    const shown = stage.page.locator('portal-embed iframe:not([inert])');
    expect((await shown.boundingBox())!.height).toBe(384);
  },
);

it('tells of filters that are no JSON though an onStateChange throws', async () => {
  const isTold = await stage.page.evaluate(() => {
    const element = document.createElement('portal-embed') as PortalEmbedElement;
    element.options = {
      onStateChange: () => {
        throw new Error('of the host');
      },
    };
    element.setAttribute('custom-filters', '[');
    let told = false;
    element.addEventListener('failure', () => (told = true));
    document.body.append(element);
    return told;
  });
  expect(isTold).toBe(true);
});
