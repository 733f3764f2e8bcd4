import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { signInAs, type AdminBrowser } from './support/admin.ts';
import { ordersCsv } from './support/orders.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const toAdministrator = /(contact|tell|to|for|ask) (your|an) administrator/i;

/** Lets computations fail, and sends a file, whose sample is computed. */
async function fail(error: Error): Promise<string> {
  const computing = vi.spyOn(portal.tiles, 'compute').mockRejectedValue(error);
  onTestFinished(() => computing.mockRestore());
  const place = `/organizations/${portal.acme.id}/uploads?fileName=a.csv`;
  return (await admin.send('POST', place, { body: ordersCsv })).json().detail;
}

it.each([
  ['failed', new ReportError('failed', 'An error.'), 'ask the operator of the portal'],
  ['unavailable', new ReportError('unavailable', 'Away.'), 'ask the operator of the portal'],
  [
    'the database is full',
    Object.assign(new Error('No space.'), { code: '53100' }),
    'ask the operator of the portal',
  ],
])(
  'a failure (%s) does not send an administrator to an administrator',
  async (_, error, advice) => {
    const detail = await fail(error);
    expect(detail).toContain(advice);
    expect(detail).not.toMatch(toAdministrator);
  },
);
