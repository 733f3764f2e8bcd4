import { expect, it, vi } from 'vitest';

it('the minimal handler refuses a request without a session', async () => {
  vi.stubEnv('ACME_PORTAL_KEY', 'a-key');
  vi.stubEnv('ACME_ORGANIZATION_ID', '11111111-0000-4000-8000-000000000001');
  const { handle } = await import('./minimal.ts');
  const answer = await handle(
    new Request('https://acme.app.example/portal-embed/url', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    }),
  );
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'not_signed_in' });
});
