import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findFreePort, send } from 'testing';
import type { RunningExample } from 'testing/host-example';
import { vi } from 'vitest';

const buildScript = fileURLToPath(new URL('build.mjs', import.meta.url));

/** Builds the application without its variables, and starts it with them. */
export async function startNext(env: Record<string, string>): Promise<RunningExample> {
  const { PATH } = process.env;
  const inherited = { PATH, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
  await promisify(execFile)(process.execPath, [buildScript], { env: inherited });
  const port = await findFreePort();
  const next = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, [...next, '--port', String(port)], {
    cwd: new URL('..', import.meta.url).pathname,
    env: { ...inherited, ...env },
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
