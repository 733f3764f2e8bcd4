import { expect, it } from 'vitest';

import { causesOf, expectReport, mount, setUpEngine } from './stage.ts';

const stage = setUpEngine();

it('a page whose address has credentials shows its report', async () => {
  const { page, host } = stage;
  await page.open(host.origin.replace('://', '://user:pass@'));
  await mount(stage);
  await expectReport(stage, 1);
  expect(await causesOf(stage)).toEqual([]);
  expect(host.mints).toBe(1);
});
