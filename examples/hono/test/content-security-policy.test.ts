import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';

vi.stubEnv('ACME_BASE_URL', 'https://acme.portal.example');
vi.stubEnv('GLOBEX_BASE_URL', 'https://globex.portal.example');

it('each page admits the portal of its tenant only, and has a nonce of its own', async () => {
  const { portalPolicy } = await import('../src/content-security-policy.ts');
  const app = new Hono<{ Variables: { secureHeadersNonce?: string } }>();
  app.use(portalPolicy).get('/', (c) => c.text(c.get('secureHeadersNonce')!));
  const open = async (hostName: string) => {
    const answer = await app.request('/', { headers: { host: `${hostName}:3000` } });
    return { nonce: await answer.text(), policy: answer.headers.get('content-security-policy')! };
  };
  const acme = await open('acme.localhost');
  expect(acme.policy).toContain("frame-src 'self' https://acme.portal.example;");
  expect(acme.policy).toContain("connect-src 'self' https://acme.portal.example;");
  expect(acme.policy).toContain(`script-src 'nonce-${acme.nonce}' 'strict-dynamic'`);
  expect(acme.policy).not.toContain('globex');
  expect((await open('acme.localhost')).nonce).not.toBe(acme.nonce);
  expect((await open('other.example')).policy).toContain("frame-src 'self';");
});
