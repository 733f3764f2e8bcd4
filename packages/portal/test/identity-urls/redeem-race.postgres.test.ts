import http from 'node:http';

import { send } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const rounds = chooseRepetitions(2, 200);

it(`exactly one of 100 simultaneous openings answers 200, in each of ${rounds} rounds`, async () => {
  const { acme } = portal;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const host = new URL(acme.address).host;
  for (let round = 0; round < rounds; round++) {
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    const { pathname, search } = new URL(url);
    const openOnce = async () => {
      const address = portal.publicUrl + pathname + search;
      let answer = await send(address, { agent, headers: { host } });
      // On a starved machine the pool may have no connection in time and answer 503.
      while (answer.status === 503) answer = await send(address, { agent, headers: { host } });
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 100 }, openOnce));
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 410)]);
  }
  agent.destroy();
}, 300_000);
