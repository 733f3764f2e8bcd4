import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Browser, BrowserContext } from 'playwright-core';

const findProgram = (...candidates: (string | undefined)[]): string | undefined =>
  candidates.find((candidate) => candidate && fs.existsSync(candidate));

/** Path of the system's Chromium; `undefined` if there is none. */
export const findChromium = (): string | undefined =>
  findProgram(
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  );

/** Path of Chromium's headless shell; `undefined` if there is none. */
const findHeadlessShell = (): string | undefined =>
  findProgram(process.env['CHROMIUM_HEADLESS_SHELL_PATH'], '/usr/bin/chromium-headless-shell');

function launchOptions(executablePath: string | undefined, args: readonly string[]) {
  if (!executablePath)
    throw new Error('No Chromium was found. Install it, or set CHROMIUM_PATH to its path.');
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

/** Loaded when a browser starts, since most tests start none. */
const loadPlaywright = async () => (await import('playwright-core')).chromium;

/**
 * Starts the system's Chromium without a window, and without its own sandbox, because tests run as
 * root in containers.
 */
export const launchChromium = async (): Promise<Browser> =>
  (await loadPlaywright()).launch(launchOptions(findChromium(), []));

/**
 * Starts Chromium's headless shell if it is installed, otherwise Chromium. The shell takes a quarter
 * of the processor time. It has no back/forward cache and no settings of its user.
 */
export const launchHeadless = async (args: readonly string[] = []): Promise<Browser> =>
  (await loadPlaywright()).launch(launchOptions(findHeadlessShell() ?? findChromium(), args));

/**
 * Starts Chromium with settings that block all cookies and storage of the sites that match `pattern`,
 * such as `[*.]portal.localhost`.
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
  const chromium = await loadPlaywright();
  const context = await chromium.launchPersistentContext(
    profile,
    launchOptions(findChromium(), []),
  );
  // Chromium writes to its profile for a moment after it has closed.
  process.once('exit', () => {
    try {
      fs.rmSync(profile, { recursive: true, force: true });
    } catch {
      // The profile stays in the system's temporary folder.
    }
  });
  return context;
}
