import { launch } from 'puppeteer-core';

import type { Engine } from './engine.ts';
import { openProtocolPage } from './protocol-page.ts';

/** Starts the system's Firefox through puppeteer-core (WebDriver BiDi), with further preferences. */
export async function startFirefox(preferences: Record<string, unknown> = {}): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: preferences,
  });
  return {
    openPage: async () => openProtocolPage(await browser.createBrowserContext()),
    close: () => browser.close(),
  };
}
