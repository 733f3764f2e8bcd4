import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { findFreePort, send } from 'testing';
import type { RunningExample } from 'testing/host-example';
import { vi } from 'vitest';

/** Starts the built application with its variables. */
export async function startNext(env: Record<string, string>): Promise<RunningExample> {
  const port = await findFreePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, [...next, '--port', String(port)], {
    cwd: new URL('..', import.meta.url).pathname,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      ...env,
    },
    stdio: 'inherit',
  });
  await vi.waitFor(() => send(`http://host.localhost:${port}`), 120_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
