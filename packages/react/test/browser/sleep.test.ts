import { beforeEach, describe, expect, it } from 'vitest';

import { becomes, passTime, setClock, setStage, showsReport } from './browser.ts';

const stage = setStage('metered-app.ts');

interface PortalPage {
  say: (message: unknown) => void;
  connect: { state?: unknown };
}
const place = { path: '/organizations/o/reports/other', scroll: 120 };
const frameOnShow = async () => {
  const element = await stage.page.waitForSelector('iframe:not([inert])', { state: 'attached' });
  return (await element.contentFrame())!;
};

const show = (visible: boolean) =>
  stage.page.evaluate((seen) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !seen });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, visible);

/** The lid closes, eight hours pass in which nothing runs, and then every due timer is late at once. */
async function sleep(hidden: boolean) {
  if (hidden) await show(false);
  await stage.page.clock.fastForward('08:00:00');
}
async function wake() {
  await show(true);
  await stage.page.evaluate(() => window.dispatchEvent(new Event('online')));
}

beforeEach(() => setClock(stage));

describe.each([
  ['out of view', true],
  ['in view', false],
])('a page that slept for eight hours %s', (_, hidden) => {
  it.each([
    ['48 refreshes were due', 600_000, false],
    ['the portal session had ended', undefined, true],
    ['the portal session had ended and 48 refreshes were due', 600_000, true],
  ])(
    'has the report back with one POST, at the same place: %s',
    async (__, refreshInterval, ends) => {
      const { page } = stage;
      await page.evaluate((props) => window.app.mount(props), { refreshInterval });
      await becomes(page, 'ready');
      await (
        await frameOnShow()
      ).evaluate(
        ([state, sessionEnds]) => {
          const { say } = window as unknown as PortalPage;
          say({ type: 'state', state });
          say({ type: 'navigated', path: state.path, reportId: 'other' });
          if (sessionEnds)
            setTimeout(
              () => say({ type: 'session-required', reason: 'session-ended' }),
              60 * 60_000,
            );
        },
        [place, ends] as const,
      );
      // Over one port: what was said before has been heard too.
      await page.waitForFunction(() => window.app.navigations.length > 0);
      await sleep(hidden);
      await wake();
      await showsReport(page, 2);
      const fresh = await frameOnShow();
      expect(await fresh.evaluate(() => (window as unknown as PortalPage).connect.state)).toEqual(
        place,
      );
      expect(await passTime(page)).toHaveLength(2);
      expect(await page.evaluate(() => window.app.causes)).toEqual([]);
    },
  );

  it('opens a fresh URL, with one POST, if it fell asleep before the frame had answered', async () => {
    const { page, portal } = stage;
    portal.answer = () => {};
    await page.evaluate(() => window.app.mount());
    await becomes(page, 'loading');
    await sleep(hidden);
    portal.answer = undefined;
    await wake();
    await showsReport(page, 2);
    expect(await passTime(page)).toHaveLength(2);
  });
});
