import fs from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of the system's Chromium; `undefined` where there is none. */
export const findChromium = (): string | undefined =>
  candidates.find((candidate) => candidate && fs.existsSync(candidate));

/**
 * Starts the system's Chromium without a window. It runs without its own sandbox, since tests run
 * as root in containers, and with third-party storage partitioned as in a reader's browser: the
 * driver switches that off by default.
 */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('There is no Chromium here. Install it, or name it in CHROMIUM_PATH.');
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}
