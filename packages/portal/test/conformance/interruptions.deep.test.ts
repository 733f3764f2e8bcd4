import { afterAll, beforeAll, it } from 'vitest';

import { checkInterruption } from '../support/conformance.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it.each(Array.from({ length: 25 }, (_, index) => index * 11 + 5))(
  'nothing remains of a check that is interrupted after %i requests',
  (requests) => checkInterruption(portal, requests),
);
