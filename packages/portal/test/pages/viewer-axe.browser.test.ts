import { expect, it } from 'vitest';

import { findViolations } from '../support/axe.ts';
import { readerStates, setUpReader } from '../support/reader-states.ts';

const reader = setUpReader();

it.each([
  ['report', 'light'],
  ['a list of values', 'dark'],
  ['home', 'light'],
] as const)('axe finds nothing in %s in %s colors', async (state, colorScheme) => {
  const { from, bring } = readerStates[state]!;
  const page = await reader.open({ colorScheme }, from);
  await bring(page);
  expect(await findViolations(page)).toEqual([]);
  await page.close();
});
