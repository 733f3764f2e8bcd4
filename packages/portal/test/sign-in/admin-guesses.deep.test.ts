import { expect, it, onTestFinished } from 'vitest';

import { openAdminBrowser, signInAs, testPassword } from '../support/admin.ts';
import { startTestPortal } from '../support/portal.ts';

it('only a hundred of a thousand guesses from many networks are checked, and the owner can still sign in', async () => {
  const portal = await startTestPortal({ trustProxy: true });
  onTestFinished(() => portal.close());
  const email = 'ada@acme.example';
  await signInAs(portal, portal.acme, 1, email);
  const guess = (address: string, password = 'a wrong password') =>
    openAdminBrowser(portal).send('POST', '/session', {
      json: { organization: 'acme', email, password },
      headers: { 'x-forwarded-for': address },
    });
  // The first of the hundred.
  expect((await guess('192.0.2.1', testPassword)).status).toBe(200);
  const statuses: number[] = [];
  for (let network = 0; network < 125; network++) {
    const address = `10.1.${network}.1`;
    const some = await Promise.all(Array.from({ length: 8 }, () => guess(address)));
    statuses.push(...some.map(({ status }) => status));
  }
  expect(statuses).toHaveLength(1_000);
  expect(statuses.filter((status) => status === 401)).toHaveLength(99);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const fromElsewhere = await guess('10.2.0.1', testPassword);
  expect(fromElsewhere.status).toBe(429);
  // The next hundred wait for the rest of an hour: at most 2,400 guesses a day.
  expect(Number(fromElsewhere.headers['retry-after'])).toBeGreaterThan(1_800);
  expect((await guess('192.0.2.1', testPassword)).status).toBe(200);
}, 180_000);
