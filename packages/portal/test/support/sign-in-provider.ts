import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { findFreePort, send } from 'test-support';
import type { launchHeadless } from 'test-support';
import { vi } from 'vitest';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Starts `provider.mjs` of a host application, a real OpenID provider. */
export async function startSignInProvider(folder: string) {
  const port = String(await findFreePort());
  const env = {
    ISSUER_BASE_URL: `http://localhost:${port}`,
    CLIENT_ID: 'host',
    CLIENT_SECRET: 'a secret of the client',
    SECRET: 'a secret of at least 32 characters',
  };
  const child = spawn(process.execPath, ['provider.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: port, ...env },
    stdio: 'ignore',
  });
  await vi.waitFor(() => send(`${env.ISSUER_BASE_URL}/.well-known/openid-configuration`), {
    timeout: 30_000,
  });
  return {
    /** The settings of the application. */
    env,
    /** Signs in on the page of the provider, and agrees. */
    async signIn(page: Page, email: string) {
      await page.locator('[name=login]').fill(email);
      await page.locator('[name=password]').fill('any');
      await page.getByRole('button', { name: /sign-in/i }).click();
      await page.getByRole('button', { name: /continue/i }).click();
    },
    [Symbol.asyncDispose]: async () => {
      if (child.kill()) await once(child, 'exit');
    },
  };
}
