import { startFirefox } from 'test-support/engines';
import { expect, it } from 'vitest';

import { chooseRegion, expectInReport, setUpDemo } from './demo-page.ts';

/** Firefox's value for "block all cross-site cookies". */
const rejectForeign = 1;
const stage = setUpDemo('all@acme.example', () =>
  startFirefox({ 'network.cookie.cookieBehavior': rejectForeign }),
);

it('the report needs no cookies or storage of the portal', async () => {
  await expectInReport(stage, '$2,297,201');
  const stored = await stage.page.evaluateInFrame(() => {
    document.cookie = 'a=1; SameSite=None';
    try {
      return document.cookie || typeof localStorage;
    } catch {
      return 'refused';
    }
  });
  expect(stored).toBe('refused');
  await chooseRegion(stage, 'West');
  await expectInReport(stage, '$725,458');
});
