import { afterAll, beforeAll, expect, it } from 'vitest';

import { expectAccessible, expectFits } from '../support/admin-pages.ts';
import { adminPages } from '../support/admin-states.ts';
import { setUpAdminStates } from '../support/admin-walk.ts';

const admin = setUpAdminStates();
let walk: Awaited<ReturnType<typeof admin.start>>;
beforeAll(async () => {
  walk = await admin.start({ isOneDocument: true });
});
afterAll(() => walk.close());

it.each(Object.entries(adminPages))('%s fits and is accessible', async (_name, state) => {
  const { page, complaints } = await walk.bring(state);
  await expectAccessible(page, ['light']);
  await expectFits(page, [390]);
  // Nobody is signed in there yet.
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});
