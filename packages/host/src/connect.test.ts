import { mintAnswer, startFakePortal } from 'test-support/fake-portal';
import { expect, it } from 'vitest';

import { acme } from '../test/host-app.ts';
import { createConnect } from './connect.ts';
import { limitsSchema } from './limits.ts';

it('a tenant that a thousand others evict still answers the request in flight', async () => {
  await using portal = await startFakePortal();
  const connect = createConnect(limitsSchema.parse({ timeoutMs: 60_000 }));
  const { client } = await connect('first.localhost', acme(portal));
  let release = () => {};
  portal.answer((_, response) => {
    release = () => response.destroy();
  });
  const minted = client.identity.mintUrl({ userEmail: 'west@acme.example' });
  await expect.poll(() => portal.received.length).toBe(1);
  for (let n = 0; n < 1_000; n += 1)
    await connect(`t${n}.localhost`, acme(portal, { apiKey: `pk_${n}` }));
  expect((await connect('first.localhost', acme(portal))).client).not.toBe(client);
  portal.answer(mintAnswer());
  // The client must open a new connection for its second attempt.
  release();
  expect((await minted).embedUrl).toContain('token=');
});
