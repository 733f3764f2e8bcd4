import { launchChromium } from '../chromium.ts';
import type { Engine } from './engine.ts';
import { openProtocolPage } from './protocol-page.ts';

/** Starts the system's Chromium through playwright-core. */
export async function startChromium(): Promise<Engine> {
  const browser = await launchChromium();
  return {
    openPage: async () => openProtocolPage(await browser.newContext()),
    close: () => browser.close(),
  };
}
