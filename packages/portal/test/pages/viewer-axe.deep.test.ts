import { describe, expect, it } from 'vitest';

import { findViolations } from '../support/axe.ts';
import { readerStates, setUpReader } from '../support/reader-states.ts';

const reader = setUpReader();

interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
  forcedColors?: 'active';
  isRightToLeft?: boolean;
}

const looks: Look[] = [
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 1024, height: 768 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1920, height: 1080 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 900 }, forcedColors: 'active' },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 }, forcedColors: 'active' },
  { colorScheme: 'light', viewport: { width: 1024, height: 768 }, isRightToLeft: true },
];

describe.each(looks)('with %j', ({ isRightToLeft, ...look }) => {
  it.each(Object.entries(readerStates))('axe finds nothing in %s', async (_name, state) => {
    const page = await reader.open(look, state.from);
    // The states find their buttons by English names.
    if (isRightToLeft) await page.evaluate("document.documentElement.dir = 'rtl'");
    await state.bring(page);
    expect(await findViolations(page)).toEqual([]);
    await page.close();
  });
});
