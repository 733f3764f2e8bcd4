import http from 'node:http';

import { send } from 'testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it('gives exactly one 200 to 100 concurrent openings, 200 times over', async () => {
  const { acme } = portal;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const host = new URL(acme.address).host;
  for (let round = 0; round < 200; round++) {
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    const { pathname, search } = new URL(url);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        send(portal.publicUrl + pathname + search, { agent, headers: { host } }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 410)]);
  }
  agent.destroy();
}, 300_000);
