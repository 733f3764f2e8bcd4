import type { UserRole } from '@portal-embed/contract';
import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect } from 'vitest';

import type { ReportPlatform } from '#platform';

import { signInAs } from './admin.ts';
import { findViolations, wcagRules, type Page } from './axe.ts';
import { loadBuiltAssets } from './built-assets.ts';
import { startTestPortal, type TestPortal } from './portal.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
type PageOptions = Parameters<Browser['newPage']>[0];
export type AdminPage = Page;
type Locator = ReturnType<AdminPage['locator']>;

/**
 * Starts a portal with the built pages, and Chromium.
 *
 * @param createPlatforms platforms beside `builtin`. Default: none
 */
export function setUpAdminPages(
  createPlatforms: () => Promise<readonly ReportPlatform[]> = async () => [],
) {
  let portal: TestPortal;
  let browser: Browser;
  buildFirst();
  beforeAll(async () => {
    const assets = await loadBuiltAssets();
    const platforms = await createPlatforms();
    [portal, browser] = await Promise.all([
      startTestPortal({ assets, platforms }),
      launchHeadless(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await portal.close();
  });

  /** Opens an empty page of its own browser profile, and collects errors of its console. */
  async function openPage(options: PageOptions = {}) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, complaints };
  }

  return {
    get portal() {
      return portal;
    },
    openPage,
    /** Opens the organization's home as a signed-in person. */
    async open(role: UserRole | 'operator', email: string, options: PageOptions = {}) {
      const { cookie } = await signInAs(portal, portal.acme, role, email);
      const [name, value] = cookie().split('=') as [string, string];
      const { page, complaints } = await openPage(options);
      await page.context().addCookies([{ name, value, url: portal.adminUrl }]);
      // Tests of a definition read its text.
      // Frames of other origins have no storage.
      await page.addInitScript(
        `if (self === top && origin !== 'null') localStorage['definition-view'] ??= '"both"'`,
      );
      const home = `${portal.adminUrl}/admin/organizations/${portal.acme.id}`;
      await page.goto(home);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return { page, complaints, home };
    },
  };
}

/** Clicks on a page, and their number. */
export function countClicks(flow: string) {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      await target.click();
      clicks += 1;
    },
    /** Expects at most `most` clicks, and prints how many there were. */
    expectAtMost: (most: number) => {
      console.info(`${flow}: ${clicks} clicks, at most ${most}`);
      expect(clicks).toBeLessThanOrEqual(most);
    },
  };
}

/** Expects no violation that axe finds, in light and dark. */
export async function expectAccessible(
  page: AdminPage,
  colorSchemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The library follows a moment later.
    const root = page.locator(`html[data-mantine-color-scheme=${colorScheme}]`);
    await root.waitFor({ state: 'attached' });
    // The library's dialogs break advice on landmarks that is not part of WCAG.
    expect([colorScheme, await findViolations(page, wcagRules)]).toEqual([colorScheme, []]);
  }
}

/** Lists what makes the page scroll sideways. */
export const findOverflow = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('main *')]
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < 0 || right > innerWidth;
    })
    .map((element) => element.outerHTML.slice(0, 200))`;

/** Expects that the page does not scroll sideways at usual widths. */
export async function expectFits(
  page: AdminPage,
  widths: readonly number[] = [390, 768, 1280, 1920],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(findOverflow)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** The heading of a page, not that of a report in it. */
export const heading = (page: AdminPage, name: string) =>
  page.locator('h1:not(.preview h1)', { hasText: name });

/** The editor of a definition on a page. */
export function openedEditor(page: AdminPage) {
  const editor = page.getByRole('textbox', { name: 'Definition (YAML)' });
  return {
    editor,
    preview: page.getByRole('region', { name: 'Preview' }),
    /** Replaces the first match by inserting the whole text again. */
    async replaceText(from: string, to: string): Promise<void> {
      const lines = await page.locator('.code-editor .cm-line').allTextContents();
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(lines.join('\n').replace(from, to));
    },
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
  };
}
