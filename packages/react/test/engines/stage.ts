import { startEngine } from 'test-support/engines';
import type { Engine, EnginePage } from 'test-support/engines';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import type { PortalEmbedProps } from '../../src/index.ts';
import { bundle, startHostSite, startPortalSite } from '../browser/sites.ts';
import type { HostSite, PortalSite } from '../browser/sites.ts';

/** A portal, a host and a page of the host. */
export interface Stage {
  page: EnginePage;
  host: HostSite;
  portal: PortalSite;
}

/** Starts the browser of the project, and a portal, a host and a page for each test. */
export function setUpEngine(entry = 'app.ts', start: () => Promise<Engine> = startEngine): Stage {
  const stage = {} as Stage;
  let script: string;
  let engine: Engine;
  beforeAll(async () => {
    script = await bundle(entry);
    engine = await start();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    stage.portal = await startPortalSite();
    stage.host = await startHostSite(stage.portal, script);
    stage.page = await engine.openPage();
    await stage.page.open(stage.host.origin);
    // Makes the random delays of retries short.
    await stage.page.evaluate(() => {
      Math.random = () => 0;
    });
  });
  afterEach(async () => {
    await stage.page.close();
    await stage.host.stop();
    await stage.portal.stop();
  });
  return stage;
}

export const mount = ({ page }: Stage, props: PortalEmbedProps & { strict?: boolean } = {}) =>
  page.evaluate((given) => window.app.mount(given), props);

export const causesOf = ({ page }: Stage) => page.evaluate(() => window.app.causes);

export const messagesOf = ({ page }: Stage) => page.evaluate(() => window.app.messages);

export const statusOf = ({ page }: Stage) =>
  page.evaluate(
    () => document.querySelector('[data-portal-embed]')?.getAttribute('data-portal-embed') ?? '',
  );

export const frameCount = ({ page }: Stage) =>
  page.evaluate(() => document.querySelectorAll('iframe').length);

/** Returns the heading of the frame; `undefined` while a page loads. */
export const headingOf = ({ page }: Stage) =>
  page.evaluateInFrame(() => document.querySelector('h1')?.textContent).catch(() => undefined);

/** Waits until the embed is ready and the frame has the report of the given mint. */
export async function expectReport(stage: Stage, mint: number) {
  await expect.poll(() => headingOf(stage)).toBe(`Report ${mint}`);
  await expect.poll(() => statusOf(stage)).toBe('ready');
}

/** Waits until the embed is ready and the frame has the report of the last mint. */
export const expectLatestReport = (stage: Stage) =>
  expect
    .poll(async () => ({
      status: await statusOf(stage),
      isLatest: (await headingOf(stage)) === `Report ${stage.host.mints}`,
    }))
    .toEqual({ status: 'ready', isLatest: true });

/** Waits until the embed has failed. */
export async function expectFailure(stage: Stage, cause: string) {
  await expect.poll(() => statusOf(stage), { timeout: 15_000 }).toBe('failed');
  expect(await causesOf(stage)).toEqual([cause]);
  expect(await frameCount(stage)).toBe(0);
}

/** Reloads the frame as the reader does. */
export const reloadFrame = ({ page }: Stage) =>
  // The call returns before the document goes.
  page.evaluateInFrame(() => void setTimeout(() => location.reload()));
