import { describe, expect, it } from 'vitest';

import { findViolations } from '../support/axe.ts';
import { readerStates, setUpReader } from '../support/reader-states.ts';

const reader = setUpReader();

describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
  it.each(Object.entries(readerStates))('axe finds nothing in %s', async (_name, state) => {
    const page = await reader.open({ colorScheme }, state.from);
    await state.bring(page);
    expect(await findViolations(page)).toEqual([]);
    await page.close();
  });
});
