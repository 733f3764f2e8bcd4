import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { findFreePort, send } from 'testing';
import type { RunningExample } from 'testing/host-example';
import { vi } from 'vitest';

const runNext = (env: Record<string, string>, ...args: string[]) =>
  spawn(process.execPath, ['node_modules/next/dist/bin/next', ...args], {
    cwd: new URL('..', import.meta.url).pathname,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...env,
    },
    stdio: 'inherit',
  });

/** Builds the application without its variables, and starts it with them. */
export async function startNext(env: Record<string, string>): Promise<RunningExample> {
  const [code] = (await once(runNext({}, 'build'), 'exit')) as [number];
  if (code !== 0) throw new Error('next build failed; see above.');
  const port = await findFreePort();
  const server = runNext(env, 'start', '--hostname', '127.0.0.1', '--port', String(port));
  await vi.waitFor(() => send(`http://host.localhost:${port}`), 120_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
