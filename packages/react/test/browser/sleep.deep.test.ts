import { chooseCases } from 'test-support/repetitions';
import { beforeEach, describe, expect, it } from 'vitest';

import { waitForStatus, advanceClock, setClock, setUpBrowser, showsReport } from './browser.ts';

const stage = setUpBrowser('metered-app.ts');

interface PortalPage {
  say: (message: unknown) => void;
  connect: { view?: unknown };
}
const position = { view: 'page-two', scroll: 120 };
const visibleFrame = async () => {
  const element = await stage.page.waitForSelector('iframe:not([inert])', { state: 'attached' });
  return (await element.contentFrame())!;
};

const show = (visible: boolean) =>
  stage.page.evaluate((seen) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !seen });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, visible);

/** Advances the clock by eight hours. Each due timer fires once. */
async function sleep(hidden: boolean) {
  if (hidden) await show(false);
  await stage.page.clock.fastForward('08:00:00');
}
async function wake() {
  await show(true);
  await stage.page.evaluate(() => window.dispatchEvent(new Event('online')));
}

beforeEach(() => setClock(stage));

describe.each(
  chooseCases(1, [
    ['out of view', true],
    ['in view', false],
  ] as const),
)('a page that slept for eight hours %s', (_, hidden) => {
  it.each([
    ['48 refreshes were due', 600_000, false],
    ['the portal session had ended', undefined, true],
    ['the portal session had ended and 48 refreshes were due', 600_000, true],
  ])(
    'after eight hours of sleep one POST opens a new URL in the same page: %s',
    async (__, refreshInterval, ends) => {
      const { page } = stage;
      await page.evaluate((props) => window.app.mount(props), { refreshInterval });
      await waitForStatus(page, 'ready');
      await (
        await visibleFrame()
      ).evaluate(
        ([place, sessionEnds]) => {
          const { say } = window as unknown as PortalPage;
          say({ type: 'view', ...place });
          say({ type: 'navigated', path: '/organizations/o/reports/other', reportId: 'other' });
          if (sessionEnds)
            setTimeout(
              () => say({ type: 'session-required', reason: 'session-ended' }),
              60 * 60_000,
            );
        },
        [position, ends] as const,
      );
      // One port keeps the order, so earlier messages have arrived too.
      await page.waitForFunction(() => window.app.navigations.length > 0);
      await sleep(hidden);
      await wake();
      await showsReport(page, 2);
      // The same document, which keeps its position by itself.
      const frame = await visibleFrame();
      expect(
        await frame.evaluate(() => (window as unknown as PortalPage).connect.view),
      ).toBeUndefined();
      expect(await advanceClock(page)).toHaveLength(2);
      expect(await page.evaluate(() => window.app.causes)).toEqual([]);
    },
  );

  it('after eight hours of sleep during loading one POST opens a new URL', async () => {
    const { page, portal } = stage;
    portal.answer = () => {};
    await page.evaluate(() => window.app.mount());
    await waitForStatus(page, 'loading');
    await sleep(hidden);
    portal.answer = undefined;
    await wake();
    await showsReport(page, 2);
    expect(await advanceClock(page)).toHaveLength(2);
  });
});
