import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { expect, it, vi } from 'vitest';

it('the minimal application refuses requests without a user, and allows its pages to frame its portal only', async () => {
  vi.stubEnv('ACME_PORTAL_KEY', 'a-key');
  vi.stubEnv('ACME_ORGANIZATION_ID', '11111111-0000-4000-8000-000000000001');
  vi.stubEnv('SESSION_SECRET', 'a-secret');
  const { app } = await import('./minimal.ts');
  app.set('trust proxy', 'loopback');
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/portal-embed/url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'acme.app.example' },
    body: '{}',
  });
  expect(answer.headers.get('content-security-policy')).toContain(
    "frame-src 'self' https://acme.portal.example",
  );
  expect(answer.status).toBe(401);
  server.close();
  server.closeAllConnections();
});
