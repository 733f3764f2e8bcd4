import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { waitForStatus, setUpBrowser } from './browser.ts';
import { createPortalPage } from './pages.ts';

const stage = setUpBrowser();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const pictures = fileURLToPath(new URL('../../../docs/images/embed-states/', import.meta.url));

interface AxeWindow {
  axe: { run: (root: Document, options: object) => Promise<{ violations: { id: string }[] }> };
}

const bars = [150, 190, 120, 220].map(
  (height, index) =>
    `<rect x="${index * 140}" y="${220 - height}" width="100" height="${height}" fill="steelblue" />`,
);
const chartPage = createPortalPage(
  `<h1>Sales by region</h1><svg width="520" height="220">${bars.join('')}</svg>`,
  `document.documentElement.style = 'font-family: sans-serif; color-scheme: ' + connect.theme;
   say({ type: 'ready', unappliedFilters: [] });`,
);

const arrange: Record<string, { status: string; prepare: () => void }> = {
  loading: {
    status: 'loading',
    prepare: () => {
      stage.portal.answer = () => {};
    },
  },
  ready: {
    status: 'ready',
    prepare: () => {
      stage.portal.answer = (_, response) => response.end(chartPage);
    },
  },
  error: {
    status: 'failed',
    prepare: () => {
      stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
    },
  },
  refused: {
    status: 'failed',
    prepare: () => {
      stage.host.answer = (_, response) => refuse(403, 'report_not_accessible')(response, {});
    },
  },
  'signed-out': {
    status: 'failed',
    prepare: () => {
      stage.host.answer = (_, response) => refuse(401, 'not_signed_in')(response, {});
    },
  },
};

it.each(Object.entries(arrange))(
  'axe finds no violations in the state %s, in light and dark',
  async (name, { status, prepare }) => {
    prepare();
    const { page } = stage;
    await page.setViewportSize({ width: 640, height: 480 });
    await page.addScriptTag({ path: axe });
    for (const theme of ['light', 'dark'] as const) {
      await page.addStyleTag({
        content: `:root { color-scheme: ${theme}; font: 16px/1.5 sans-serif } h1 { margin: 1rem }`,
      });
      await page.evaluate((given) => window.app.mount({ theme: given, title: 'Sales' }), theme);
      await waitForStatus(page, status);
      const { violations } = await page.evaluate(() =>
        (window as unknown as AxeWindow).axe.run(document, { iframes: false }),
      );
      expect([theme, violations.map(({ id }) => id)]).toEqual([theme, []]);
      if (process.env['UPDATE_PICTURES']) {
        await mkdir(pictures, { recursive: true });
        await page.locator('#root').screenshot({ path: `${pictures}${name}-${theme}.png` });
      }
      await page.evaluate(() => window.app.unmount());
    }
  },
);

it.each([
  [undefined, 'dark'],
  ['auto', 'dark'],
  ['auto', 'light'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const)('the default UI with the theme %s has the color scheme %s', async (theme, scheme) => {
  arrange['error']!.prepare();
  const { page } = stage;
  await page.addStyleTag({
    // If the theme names a scheme, the page has the other one.
    content: `:root { color-scheme: ${theme === 'light' ? 'dark' : theme === 'dark' ? 'light' : scheme} }`,
  });
  await page.evaluate((given) => window.app.mount({ theme: given }), theme);
  await waitForStatus(page, 'failed');
  const background = await page
    .locator('[data-portal-embed] > div')
    .evaluate((cover) => getComputedStyle(cover).backgroundColor);
  expect(background).toBe(scheme === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)');
});

const announced = () =>
  stage.page.evaluate(() => (window as unknown as { announced: string[] }).announced);
const listen = () =>
  stage.page.evaluate(() => {
    const texts = ((window as unknown as { announced: string[] }).announced = [] as string[]);
    const note = () => {
      const text = document.querySelector('output')?.textContent;
      if (text && text !== texts.at(-1)) texts.push(text);
    };
    new MutationObserver(note).observe(document, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });

it('loading and readiness are announced once, a refresh is not', async () => {
  await listen();
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'ready');
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await expect.poll(() => stage.page.evaluate(() => window.app.refreshes.length)).toBe(1);
  expect(await announced()).toEqual(['Loading report', 'Report loaded']);
});

it('a failure is announced once', async () => {
  stage.host.answer = (_, response) => refuse(502, 'portal_unavailable')(response, {});
  await listen();
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'failed');
  expect(await announced()).toEqual(['Loading report', 'Report failed to load']);
});

describe('the focus, after a failure', () => {
  const activeElement = () =>
    stage.page.evaluate(() => {
      const { localName, dataset } = document.activeElement as HTMLElement;
      return dataset['portalEmbed'] ? 'embed' : localName;
    });

  it('the focus stays in the embed after the button is pressed, and moves to the report with Tab', async () => {
    stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
    await stage.page.evaluate(() => window.app.mount());
    await waitForStatus(stage.page, 'failed');
    stage.host.answer = undefined;
    await stage.page.keyboard.press('Tab');
    await stage.page.keyboard.press('Enter');
    await waitForStatus(stage.page, 'ready');
    expect(stage.host.mints).toBe(2);
    expect(await activeElement()).toBe('embed');
    await stage.page.keyboard.press('Tab');
    // Chromium moves the focus into the process of the frame asynchronously.
    await expect.poll(activeElement).toBe('iframe');
  });

  it('a refresh by the host does not take the focus', async () => {
    stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
    await stage.page.evaluate(() => {
      document.body.append(document.createElement('input'));
      window.app.mount();
    });
    await waitForStatus(stage.page, 'failed');
    stage.host.answer = undefined;
    await stage.page.locator('input').focus();
    await stage.page.evaluate(() => window.app.handle!.refresh());
    await waitForStatus(stage.page, 'ready');
    expect(await activeElement()).toBe('input');
  });
});

it('the height is the same while loading, ready and failed', async () => {
  await stage.page.evaluate(() => {
    document.querySelector('main')!.append(document.createElement('footer'));
    window.app.mount();
  });
  const below = () =>
    stage.page.evaluate(() => document.querySelector('footer')!.getBoundingClientRect().top);
  await stage.page.waitForSelector('[data-portal-embed]', { state: 'attached' });
  const first = await below();
  await waitForStatus(stage.page, 'ready');
  expect(await below()).toBe(first);
  stage.host.answer = (_, response) => refuse(401, 'not_signed_in')(response, {});
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await waitForStatus(stage.page, 'failed');
  expect(await below()).toBe(first);
});

it('the colors come from the custom properties', async () => {
  await stage.page.addStyleTag({
    content:
      ':root { --portal-embed-background: rgb(1, 2, 3); --portal-embed-color: rgb(9, 9, 9) }',
  });
  stage.portal.answer = () => {};
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'loading');
  const colours = await stage.page.locator('output').evaluate((output) => {
    const { color, backgroundColor } = getComputedStyle(output.parentElement!);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(['rgb(9, 9, 9)', 'rgb(1, 2, 3)']);
});

it('the text and the button have the font of the host page', async () => {
  await stage.page.addStyleTag({ content: ':root { font: 20px monospace }' });
  stage.host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'failed');
  for (const part of ['output', 'button'])
    expect(await stage.page.locator(part).evaluate((each) => getComputedStyle(each).font)).toBe(
      '20px monospace',
    );
});
