import { expect, it } from 'vitest';

import { expectReport, frameCount, mount, setUpEngine, statusOf } from './stage.ts';

const stage = setUpEngine();

it('the report is visible and works after a return through the back/forward cache', async () => {
  const { host, page } = stage;
  await mount(stage);
  await expectReport(stage, 1);
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.title = persisted ? 'restored' : 'loaded';
    });
  });
  await page.open('about:blank');
  await page.back();
  await expect.poll(() => page.evaluate(() => document.title)).toBe('restored');
  // The drivers lose the frame, but its page still answers the component.
  await expect.poll(() => host.mints).toBe(2);
  await expect.poll(() => statusOf(stage)).toBe('ready');
  expect(await frameCount(stage)).toBe(1);
});
