import { expect, it } from 'vitest';

import {
  causesOf,
  expectLatestReport,
  expectReport,
  frameCount,
  mount,
  setUpEngine,
  statusOf,
} from './stage.ts';

const stage = setUpEngine();

it('a mount in StrictMode mints once', async () => {
  await mount(stage, { strict: true });
  await expectReport(stage, 1);
  expect(stage.host.mints).toBe(1);
  expect(await frameCount(stage)).toBe(1);
  await stage.page.evaluate(() => window.app.unmount());
  expect(await frameCount(stage)).toBe(0);
  expect(await statusOf(stage)).toBe('');
});

it('the report is shown when the portal returns right after its first page has failed', async () => {
  const { host, portal } = stage;
  host.frameChannel = true;
  let connections = 0;
  const restart = await portal.breakDown(() => connections++);
  // WebKit does not report a failed frame, so there the timeout ends the attempt.
  await mount(stage, { timeout: 3_000 });
  await expect.poll(() => connections).toBeGreaterThan(0);
  await restart();
  await expectLatestReport(stage);
  expect(await causesOf(stage)).toEqual([]);
});
