import { startFirefox } from 'test-support/engines';
import { expect, it } from 'vitest';

import { expectInTile, setUpReader } from './reader-page.ts';

const reader = setUpReader(() => startFirefox({ 'intl.accept_languages': 'de-DE,de' }), {
  total: '2.297.201\u00A0$',
});

it('the page speaks the language of the browser', async () => {
  await expectInTile(reader, 'Profit this year', '2017 (unvollständig)');
  expect(await reader.page.evaluate(() => document.documentElement.lang)).toBe('de');
});
