import { startEngine, type Engine, type EnginePage } from 'test-support/engines';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

const demo = inject('demo');

/** The demo's host page, as a user who signs in sees it. */
export interface Stage {
  page: EnginePage;
}

/** Starts the browser of the project, and signs in at the demo before each test. */
export function setUpDemo(email: string, start: () => Promise<Engine> = startEngine): Stage {
  const stage = {} as Stage;
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    stage.page = await engine.openPage();
    await stage.page.open(demo.env.HOST_URL_ACME);
    await stage.page.click(`button[value="${email}"]`);
    await expectStatus(stage, 'ready');
  });
  afterEach(() => stage.page.close());
  return stage;
}

const readText = () => document.body.innerText;

/** Waits until the report contains a text. */
export const expectInReport = ({ page }: Stage, text: string) =>
  expect.poll(() => page.evaluateInFrame(readText).catch(String)).toContain(text);

/** Waits for a status of the embed, as the host page shows it. */
export const expectStatus = ({ page }: Stage, status: string) =>
  expect
    .poll(() =>
      page
        .evaluate(() => document.querySelector('[data-status]')?.getAttribute('data-status'))
        .catch(String),
    )
    .toBe(status);

/** Counts the URLs that the page has requested. */
export const countMints = ({ page }: Stage) =>
  page.evaluate(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/url')).length,
  );

export const countFrames = ({ page }: Stage) => page.evaluate(() => frames.length);

export const chooseRegion = ({ page }: Stage, region: string) =>
  page.evaluate((value) => {
    const select = document.querySelector('select')!;
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, region);

/** Sets a mark that a reload of the frame removes. */
export const markDocument = ({ page }: Stage) =>
  page.evaluateInFrame(() => {
    document.documentElement.dataset['mark'] = 'set';
  });
export const isMarked = ({ page }: Stage) =>
  page.evaluateInFrame(() => document.documentElement.dataset['mark'] === 'set');
