import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of the system's Chromium; `undefined` where there is none. */
export const findChromium = (): string | undefined =>
  candidates.find((candidate) => candidate && fs.existsSync(candidate));

function launchOptions(args: readonly string[]) {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('There is no Chromium here. Install it, or name it in CHROMIUM_PATH.');
  return {
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
  };
}

/**
 * Starts the system's Chromium without a window, and without its own sandbox, since tests run as
 * root in containers. Its contexts are private windows, in which third-party cookies and storage
 * are blocked.
 */
export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch(launchOptions(args));

/**
 * A Chromium whose reader has blocked every cookie and all storage of the sites that match
 * `pattern`, such as `[*.]portal.localhost`, in the browser's own settings.
 */
export async function launchBlockingCookies(pattern: string): Promise<BrowserContext> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-chromium-'));
  const block = 2;
  const cookies = { [`${pattern},*`]: { setting: block } };
  fs.mkdirSync(path.join(profile, 'Default'));
  fs.writeFileSync(
    path.join(profile, 'Default/Preferences'),
    JSON.stringify({ profile: { content_settings: { exceptions: { cookies } } } }),
  );
  const context = await chromium.launchPersistentContext(profile, launchOptions([]));
  // Chromium still writes to its profile for a moment after it has closed.
  process.once('exit', () => {
    try {
      fs.rmSync(profile, { recursive: true, force: true });
    } catch {
      // What is left is in the system's folder for temporary files.
    }
  });
  return context;
}
