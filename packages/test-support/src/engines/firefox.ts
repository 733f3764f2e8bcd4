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
    async openPage() {
      const context = await browser.createBrowserContext();
      const enginePage = await openProtocolPage(context);
      const [page] = await context.pages();
      return {
        ...enginePage,
        async answerOrigin(origin, html) {
          await page!.setRequestInterception(true);
          page!.on('request', (request) => {
            const isAnswered = new URL(request.url()).origin === origin;
            void (isAnswered
              ? request.respond({ contentType: 'text/html', body: html })
              : request.continue());
          });
        },
      };
    },
    close: () => browser.close(),
  };
}
